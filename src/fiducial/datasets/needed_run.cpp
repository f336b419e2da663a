#include "fiducial/datasets/needed_run.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/prediction_files.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_answer_line = std::size_t{64} << 20;

Result<NeededRun> run_of_plan(const Json& plan) {
  NeededRun out;
  FIDUCIAL_TRY(const Json* split, required_field(plan, "split", ""));
  FIDUCIAL_TRY(out.split, expect_string(*split, "/split"));
  const Json* paths = plan.find("given_paths");
  const Json::Array* given = paths == nullptr ? nullptr : paths->as_array();
  out.needs_volumes = given != nullptr && std::any_of(given->begin(), given->end(), [](const Json& path) {
                        return path.as_string() != nullptr && *path.as_string() == "volumes";
                      });
  const Json* files = plan.find("files");
  if (files == nullptr || files->as_array() == nullptr || files->as_array()->empty()) return out;
  out.cases.emplace();
  for (const Json& file : *files->as_array()) {
    FIDUCIAL_TRY_DONE(expect_object(file, "/files"));
    FIDUCIAL_TRY(const Json* name, required_field(file, "case", "/files"));
    FIDUCIAL_TRY(std::string text, expect_string(*name, "/files/case"));
    out.cases->insert(std::move(text));
  }
  return out;
}

Result<NeededRun> run_of_answers(const Path& file) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> stream, FileStream::open(file));
  LineReader lines(*stream, longest_answer_line);
  NeededRun out;
  out.cases.emplace();
  while (true) {
    FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next());
    if (!line) return out;
    if (is_blank(*line)) continue;
    Result<Json> answer = parse_json(*line);
    const Json* title = answer.ok() && answer->as_object() != nullptr ? answer->find("title") : nullptr;
    if (title == nullptr || title->as_string() == nullptr) {
      return Error(ErrorCode::invalid_data, "expected an answer with the title of its case",
                   Place{.path = file.string(), .line = lines.number()});
    }
    out.cases->insert(*title->as_string());
  }
}

}  // namespace

Result<NeededRun> read_needed_run(const Path& run) {
  if (is_file(run / "plan.json")) {
    const std::string name = (run / "plan.json").string();
    FIDUCIAL_TRY(const std::string text, read_text_file(name));
    FIDUCIAL_TRY(const Json plan, parse_json(text).in_file(name));
    return run_of_plan(plan).in_file(name);
  }
  if (run.extension() == ".jsonl") return run_of_answers(run);
  FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(run));
  NeededRun out;
  out.cases.emplace(files.names().begin(), files.names().end());
  return out;
}

}  // namespace fiducial
