#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
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

// The one part of a stage that is not cut.
constexpr const char* all_of_it = "all of it";

// Nothing where the stage reads its inputs at once.
Result<std::optional<std::int64_t>> count_rows(const CurateArguments& arguments) {
  if (!arguments.stage->by_rows) return std::optional<std::int64_t>();
  StageRequest request = arguments.request();
  request.output = partial_path(std::filesystem::temp_directory_path() / "fiducial-rows");
  constexpr std::int64_t behind_all = INT64_MAX / 2;
  request.part = {behind_all, behind_all};
  const ScratchFolder scratch(part_folder(request.output));
  SilentProgress progress;
  FIDUCIAL_TRY(const StagePart part, run_stage_part(*arguments.stage, request, progress));
  if (part.checkpoint.is_null()) return std::optional<std::int64_t>();
  return std::optional(integer_at(part.checkpoint, "passed"));
}

// All units draw alike: a seed that the published script would draw is drawn here.
CurateArguments with_seed(CurateArguments asked) {
  const Stage& stage = *asked.stage;
  if (!stage.draws || asked.has_seed || asked.mode == "strict" || stage.official_seed) return asked;
  asked.seed = std::random_device{}();
  asked.has_seed = true;
  return asked;
}

Result<PlannedRequest> resolve_curate(const CurateArguments& asked) {
  const Json kept = with_seed(asked).json();
  FIDUCIAL_TRY(const CurateArguments arguments, CurateArguments::parse(kept));
  FIDUCIAL_TRY(const std::optional<std::int64_t> rows, count_rows(arguments));
  PlannedRequest out{.request = kept, .inputs = arguments.inputs(), .cases = {}};
  if (!rows) {
    out.cases.push_back({all_of_it, arguments.inputs()});
    return out;
  }
  const std::int64_t ranges = std::min(*rows, most_ranges);
  for (std::int64_t i = 0; i < ranges; ++i)
    out.cases.push_back({range_name({*rows * i / ranges, *rows * (i + 1) / ranges}), {}});
  return out;
}

bool is_uncut(const JobPlan& plan) { return plan.cases.size() == 1 && plan.cases.front().name == all_of_it; }

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
    request.output = journal.string() + ".part" + decimal(number++);
    if (!is_uncut(job.plan)) {
      FIDUCIAL_TRY(request.part, parse_range(name));
    }
    SilentProgress progress;
    FIDUCIAL_TRY(const StagePart part, request.part ? run_stage_part(*arguments.stage, request, progress)
                                                    : run_whole_stage(*arguments.stage, request, progress));
    const ScratchFolder done_with(part_folder(request.output));
    FIDUCIAL_TRY(Json kept, kept_part(part, job.folder, out.files));
    out.value.set(name, std::move(kept));
  }
  return out;
}

Result<PlannedWork> open_curate(const OpenJob& job) {
  FIDUCIAL_TRY(const CurateArguments arguments, CurateArguments::parse(job.plan.request));
  PlannedWork out;
  out.cases = [&plan = job.plan,
               inputs = arguments.inputs()](std::int64_t unit) -> Result<std::vector<CaseInput>> {
    std::vector<CaseInput> cases;
    if (is_uncut(plan)) return std::vector<CaseInput>{{all_of_it, inputs}};
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

// A stage that writes the name of its output is run where that is known.
Result<int> merge_uncut(const CurateArguments& arguments, const StageRequest& wanted,
                        const MergeRequest& request, const OpenJob& job) {
  std::optional<KeptPart> whole;
  FIDUCIAL_TRY_DONE(job.folder.visit_results([&](const UnitResult& result) -> Outcome {
    FIDUCIAL_TRY(const Json* kept, required_field(result.value, all_of_it, "/value"));
    FIDUCIAL_TRY(whole, read_part(*kept, job.folder));
    return done();
  }));
  FIDUCIAL_TRY(const StageOutcome outcome, arguments.stage->tells_output
                                               ? run_stage(*arguments.stage, wanted, job.console)
                                               : conclude_whole_stage(*arguments.stage, wanted, *whole));
  return say_stage_outcome(arguments, outcome, {request.output, request.json}, job.console);
}

Result<int> merge_curate(const OpenJob& job, const MergeRequest& request) {
  FIDUCIAL_TRY(const CurateArguments arguments, CurateArguments::parse(job.plan.request));
  const Stage& stage = *arguments.stage;
  StageRequest wanted = arguments.request();
  wanted.output = request.output;
  wanted.overwrite = request.overwrite;
  if (is_uncut(job.plan)) return merge_uncut(arguments, wanted, request, job);
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
          .summary = "Run a stage of curation; what takes reports one by one is cut by rows",
          .example = "fiducial plan curate cot reports.csv --masks organs --volumes ct-rate -o JOB",
          .define = {},
          .forms = stage_forms(),
          .open = open_curate,
          .merge = merge_curate};
}

}  // namespace fiducial::cli
