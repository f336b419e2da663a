#include <algorithm>
#include <cstdint>
#include <memory>
#include <system_error>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/all_stages.h"
#include "fiducial/curate/engine/output_files.h"
#include "fiducial/curate/engine/stage_parts.h"

#include "curate_arguments.h"
#include "planned_verb.h"

namespace fiducial::cli {

namespace {

// Every unit reads the table from its beginning to where its rows are, so there are not many.
constexpr std::int64_t most_ranges = 256;
constexpr std::uint64_t most_part_bytes = std::uint64_t{16} << 30;

// A part of a table as the name of a case: "0-100".
std::string range_name(const StageRequest::Part& part) {
  return decimal(part.first) + "-" + decimal(part.last);
}

Result<StageRequest::Part> parse_range(const std::string& name) {
  const std::size_t dash = name.find('-');
  const auto first = parse_integer(name.substr(0, dash));
  const auto last = dash == std::string::npos ? std::nullopt : parse_integer(name.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first) return invalid_data("\"" + name + "\" names no rows");
  return StageRequest::Part{*first, *last};
}

// A folder for one look at a table, gone with this object.
class ScratchFolder {
 public:
  explicit ScratchFolder(Path path) : path_(std::move(path)) {}
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const Path& path() const { return path_; }

 private:
  Path path_;
};

Result<std::int64_t> count_rows(const CurateArguments& arguments) {
  StageRequest request = arguments.request();
  request.output = partial_path(std::filesystem::temp_directory_path() / "fiducial-rows");
  constexpr std::int64_t behind_all = INT64_MAX / 2;
  request.part = {behind_all, behind_all};
  const ScratchFolder scratch(part_folder(request.output));
  SilentProgress progress;
  FIDUCIAL_TRY(const StagePart part, run_stage_part(*arguments.stage, request, progress));
  return integer_at(part.checkpoint, "passed");
}

Result<PlannedRequest> resolve_curate(const CurateArguments& asked) {
  const Json kept = asked.json();
  FIDUCIAL_TRY(const CurateArguments arguments, CurateArguments::parse(kept));
  FIDUCIAL_TRY(const std::int64_t rows, count_rows(arguments));
  PlannedRequest out{.request = kept, .inputs = arguments.inputs(), .cases = {}};
  const std::int64_t ranges = std::min(rows, most_ranges);
  for (std::int64_t i = 0; i < ranges; ++i)
    out.cases.push_back({range_name({rows * i / ranges, rows * (i + 1) / ranges}), {}});
  return out;
}

// What a part came to, for the unit it is of: files by the number of their part.
Result<Json> kept_part(const StagePart& part, const JobFolder& job,
                       std::map<std::string, std::string>& kept) {
  Json files = Json::object({});
  for (const auto& [name, path] : part.files) {
    FIDUCIAL_TRY(const std::string text, read_text_file(path, most_part_bytes));
    FIDUCIAL_TRY(const std::string hash, job.keep(text));
    kept.emplace(hash, hash);
    files.set(name, hash);
  }
  return Json::object({{"checkpoint", part.checkpoint}, {"files", std::move(files)}});
}

Result<UnitResult> curate_unit(const CurateArguments& arguments, const OpenJob& job, std::int64_t unit,
                               const Path& journal) {
  UnitResult out{unit, Json::object({}), {}};
  std::int64_t number = 0;
  for (const std::string& name : names_of_unit(job.plan, unit)) {
    StageRequest request = arguments.request();
    FIDUCIAL_TRY(request.part, parse_range(name));
    request.output = journal.string() + ".part" + decimal(number++);
    SilentProgress progress;
    FIDUCIAL_TRY(const StagePart part, run_stage_part(*arguments.stage, request, progress));
    const ScratchFolder done_with(part_folder(request.output));
    FIDUCIAL_TRY(Json kept, kept_part(part, job.folder, out.files));
    out.value.set(name, std::move(kept));
  }
  return out;
}

Result<PlannedWork> open_curate(const OpenJob& job) {
  FIDUCIAL_TRY(const CurateArguments arguments, CurateArguments::parse(job.plan.request));
  PlannedWork out;
  out.cases = [&plan = job.plan](std::int64_t unit) -> Result<std::vector<CaseInput>> {
    std::vector<CaseInput> cases;
    for (const std::string& name : names_of_unit(plan, unit)) cases.push_back({name, {}});
    return cases;
  };
  out.work = [arguments, job](std::int64_t unit, const Path& journal) {
    return curate_unit(arguments, job, unit, journal);
  };
  return out;
}

Result<KeptPart> read_part(const Json& kept, const JobFolder& job) {
  KeptPart out;
  FIDUCIAL_TRY(const Json* checkpoint, required_field(kept, "checkpoint", ""));
  out.checkpoint = *checkpoint;
  const Json::Object* files = find_object(kept, "files");
  if (files == nullptr) return out;
  for (const auto& [name, hash] : *files) {
    FIDUCIAL_TRY(const std::string digest, expect_string(hash, "/files/" + name));
    const Path place = Path(name).lexically_normal();
    if (!parse_digest(digest) || place.is_absolute() || place.empty() || *place.begin() == "..")
      return at_pointer("/files/" + name, "expected a name below the output, and a sha256");
    FIDUCIAL_TRY(out.files[name], job.read_kept(digest, most_part_bytes));
  }
  return out;
}

// The parts of all units in the order of their rows.
Result<std::vector<std::pair<std::int64_t, Json>>> parts_by_row(const OpenJob& job) {
  std::vector<std::pair<std::int64_t, Json>> out;
  FIDUCIAL_TRY_DONE(job.folder.visit_results([&out](const UnitResult& result) -> Outcome {
    FIDUCIAL_TRY(const Json::Object* parts, expect_object(result.value, "/value"));
    for (const auto& [name, kept] : *parts) {
      FIDUCIAL_TRY(const StageRequest::Part range, parse_range(name));
      out.emplace_back(range.first, kept);
    }
    return done();
  }));
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

Result<int> merge_curate(const OpenJob& job, const MergeRequest& request) {
  FIDUCIAL_TRY(const CurateArguments arguments, CurateArguments::parse(job.plan.request));
  const Stage& stage = *arguments.stage;
  StageRequest wanted = arguments.request();
  wanted.output = request.output;
  wanted.overwrite = request.overwrite;
  if (!stage.writes_file && !stage.writes_folder && OutputFiles::names_file(wanted.output))
    return bad_usage("-o: of a job the stage " + stage.name +
                     " writes a folder: give a name without an ending");
  FIDUCIAL_TRY(const auto parts, parts_by_row(job));
  const PartVisitor visit = [&](const std::function<Outcome(const KeptPart&)>& take) -> Outcome {
    for (const auto& [row, kept] : parts) {
      FIDUCIAL_TRY(const KeptPart part, read_part(kept, job.folder));
      FIDUCIAL_TRY_DONE(take(part));
    }
    return done();
  };
  FIDUCIAL_TRY(const StageOutcome outcome, conclude_stage(stage, wanted, visit, job.console));
  return say_stage_outcome(arguments, outcome, {request.output, request.json}, job.console);
}

std::vector<PlannedForm> stage_forms() {
  std::vector<PlannedForm> out;
  for (const Stage& stage : all_stages()) {
    if (!stage.by_rows) continue;
    const std::string words = stage.example.substr(0, stage.example.find(" -o "));
    const std::string after = words.substr(words.find("curate "));
    out.push_back({.name = stage.name,
                   .summary = stage.summary,
                   .example = "fiducial plan " + after + " -o JOB",
                   .define = [&stage](Verb verb) -> std::function<Result<PlannedRequest>()> {
                     auto arguments = std::make_shared<CurateArguments>();
                     arguments->declare(verb, stage);
                     return [arguments] { return resolve_curate(*arguments); };
                   }});
  }
  return out;
}

}  // namespace

PlannedVerb planned_curate() {
  return {.name = "curate",
          .summary = "Run a stage of curation that takes reports one by one",
          .example = "fiducial plan curate cot reports.csv --masks organs --volumes ct-rate -o JOB",
          .define = {},
          .forms = stage_forms(),
          .open = open_curate,
          .merge = merge_curate};
}

}  // namespace fiducial::cli
