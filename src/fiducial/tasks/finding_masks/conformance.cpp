#include "fiducial/tasks/finding_masks/conformance.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "fiducial/base/child_process.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/quoted_lines.h"
#include "fiducial/base/scratch_folder.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/version.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/metrics/finding_pair.h"
#include "fiducial/spatial/components.h"
#include "fiducial/tasks/finding_masks/conformance_cases.h"
#include "fiducial/tasks/finding_masks/finding_masks.h"
#include "fiducial/tasks/finding_masks/mask_plan.h"

namespace fiducial {

namespace {

// How the script is called, and the same for us.
struct Variant {
  std::vector<std::string> words;
  InstanceRules rules;
  bool global_only = false;

  std::string text() const {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
  }
};

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all{
      {{}, {}, false},
      {{"--global_only"}, {}, true},
      {{"--min_size", "3", "--cc_connectivity", "1"},
       {.connectivity = Connectivity::faces6, .min_voxels = 3},
       false},
      {{"--cc_connectivity", "3"}, {.connectivity = Connectivity::corners26}, false},
  };
  return all;
}

// What both scorers are given.
struct ScoredData {
  std::string name;
  Path dataset;  // for ours
  std::optional<std::string> split;
  Path masks;         // for theirs
  Path dataset_json;  // for theirs: {"test": [{"seg_path": ...}]}
  Path predictions;
};

// The published scorer's own word for how many neighbours a voxel has.
const char* connectivity_word(Connectivity connectivity) {
  return connectivity == Connectivity::faces6 ? "1" : connectivity == Connectivity::edges18 ? "2" : "3";
}

class Conformer {
 public:
  Conformer(const ConformRequest& request, const Executor& executor, Path scratch)
      : request_(request), executor_(executor), scratch_(std::move(scratch)) {}

  Result<ConformanceRun> compare(const ScoredData& data, const Variant& variant) {
    scoring_ = data.name + (variant.text().empty() ? "" : " " + variant.text());
    FIDUCIAL_TRY(const Json ours, our_file(data, variant).context("scoring " + scoring_));
    FIDUCIAL_TRY(const Json theirs, their_file(data, variant));
    auto found = compare_scorer_files(ours, theirs);
    if (!found.ok()) return failed("wrote a file of another form: " + found.error().text(), {});
    return ConformanceRun{data.name, variant.text(), *std::move(found)};
  }

 private:
  Result<Json> our_file(const ScoredData& data, const Variant& variant) const {
    const Task task = finding_masks_task();
    OptionValues values{{"mode", {"official"}},
                        {"min-size", {decimal(variant.rules.min_voxels)}},
                        {"connectivity", {connectivity_word(variant.rules.connectivity)}}};
    if (data.split) values["split"] = {*data.split};
    if (variant.global_only) values["global-only"] = {"true"};
    SilentProgress silent;
    FIDUCIAL_TRY(
        const ScoreRun run,
        score_task(task, {.dataset = data.dataset, .predictions = data.predictions, .values = values},
                   executor_, silent));
    const auto file = std::find_if(run.details.begin(), run.details.end(),
                                   [](const CaseDetail& each) { return each.name == "rexrank.json"; });
    return file == run.details.end() ? Result<Json>(Json())
                                     : parse_json(std::get<std::string>(file->content));
  }

  // The script keeps what an existing output holds, so every run gets a new one.
  Result<Json> their_file(const ScoredData& data, const Variant& variant) {
    const Path output = scratch_ / ("theirs_" + decimal(++runs_) + ".json");
    ChildCommand command{{request_.python, request_.script.string(), "--gt_dir", data.masks.string(),
                          "--pred_dir", data.predictions.string(), "--output_json", output.string(),
                          "--dataset_json", data.dataset_json.string(), "--num_workers", "1"},
                         scratch_,
                         request_.timeout_s};
    command.words.insert(command.words.end(), variant.words.begin(), variant.words.end());
    FIDUCIAL_TRY(const ChildEnd end, run_child(command));
    if (end.timed_out) return failed("took more than " + decimal(request_.timeout_s) + " s", end.tail);
    if (end.status == 127) return failed("could not be run with " + request_.python, end.tail);
    if (end.status != 0) return failed("ended with status " + decimal(end.status), end.tail);
    auto text = read_text_file(output);
    if (!text.ok()) return failed("wrote no output file", end.tail);
    auto json = parse_json(*text);
    if (!json.ok()) return failed("wrote no JSON: " + json.error().text(), end.tail);
    return *std::move(json);
  }

  Error failed(const std::string& what, const std::string& tail) const {
    std::string message = "the scorer " + what + "; while scoring " + scoring_;
    const std::string printed = quoted_lines(tail);
    if (!printed.empty()) message += "; it printed:" + printed;
    return {ErrorCode::invalid_data, std::move(message), Place{.path = request_.script.filename().string()}};
  }

  const ConformRequest& request_;
  const Executor& executor_;
  Path scratch_;
  std::string scoring_;  // what is being scored, for messages
  int runs_ = 0;
};

Result<ScoredData> own_data(const ConformRequest& request, const GroundedDataset& dataset,
                            const Path& scratch) {
  FIDUCIAL_TRY(const std::string split, choose_split(dataset, request.split));
  std::error_code failure;
  const Path predictions = std::filesystem::absolute(*request.predictions, failure);
  if (!std::filesystem::is_directory(predictions, failure)) {
    return Error(ErrorCode::bad_usage, "the published scorer reads predictions from a folder",
                 Place{.path = request.predictions->string()});
  }
  Json entries;
  std::optional<Path> masks;
  for (const GroundedCase& entry : *dataset.find_split(split)) {
    const Path mask = std::filesystem::absolute(dataset.folder() / dataset.mask_name(entry), failure);
    if (masks && *masks != mask.parent_path()) return invalid_data("reference masks lie in several folders");
    masks = mask.parent_path();
    entries.push(Json::object({{"seg_path", mask.filename().string()}}));
  }
  if (!masks) return invalid_data("split \"" + split + "\" has no case");
  const Path list = scratch / "own_dataset.json";
  FIDUCIAL_TRY_DONE(write_file(list, Json::object({{"test", std::move(entries)}}).pretty()));
  return ScoredData{"data", *request.dataset, split, *masks, list, predictions};
}

// Every dataset to compare on, the user's own last.
Result<std::vector<ScoredData>> all_data(const ConformRequest& request, const Path& scratch,
                                         Conformance& out) {
  std::vector<ScoredData> data;
  for (int seed = 1; seed <= request.seeds; ++seed) {
    const Path folder = scratch / ("seed_" + decimal(seed));
    FIDUCIAL_TRY_DONE(write_conformance_cases(folder, static_cast<std::uint64_t>(seed)));
    data.push_back({"seed " + decimal(seed), folder, std::nullopt, folder / "segmentations",
                    folder / "dataset.json", folder / "predictions"});
  }
  if (!request.dataset) return data;
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(*request.dataset));
  FIDUCIAL_TRY(ScoredData own, own_data(request, *opened.dataset, scratch));
  out.dataset_sha256 = opened.dataset->digest().hex();
  data.push_back(std::move(own));
  return data;
}

constexpr std::size_t most_recorded_differences = 1000;

Json run_json(const ConformanceRun& run, std::size_t& left) {
  Json differences = Json(Json::Array{});
  for (const ScorerDifference& difference : run.comparison.differences) {
    if (left == 0) break;
    --left;
    const auto shown = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    differences.push(Json::object({{"place", difference.place},
                                   {"ours", shown(difference.ours)},
                                   {"theirs", shown(difference.theirs)}}));
  }
  return Json::object({{"data", run.data},
                       {"options", run.options},
                       {"cases", run.comparison.cases},
                       {"values", run.comparison.values},
                       {"difference_count", static_cast<std::int64_t>(run.comparison.differences.size())},
                       {"differences", std::move(differences)}});
}

}  // namespace

std::int64_t Conformance::difference_count() const {
  std::int64_t out = 0;
  for (const ConformanceRun& run : runs) out += static_cast<std::int64_t>(run.comparison.differences.size());
  return out;
}

Json Conformance::json() const {
  Json seed_list = Json(Json::Array{});
  for (int seed = 1; seed <= seeds; ++seed) seed_list.push(seed);
  Json run_list = Json(Json::Array{});
  std::size_t left = most_recorded_differences;
  for (const ConformanceRun& run : runs) run_list.push(run_json(run, left));
  return Json::object({{"schema", "fiducial.conformance/1"},
                       {"tool", "fiducial"},
                       {"tool_version", tool_version},
                       {"script", Json::object({{"name", script_name}, {"sha256", script_sha256}})},
                       {"seeds", std::move(seed_list)},
                       {"dataset_sha256", dataset_sha256 ? Json(*dataset_sha256) : Json()},
                       {"equal", difference_count() == 0},
                       {"difference_count", difference_count()},
                       {"runs", std::move(run_list)}});
}

Result<Conformance> conform(const ConformRequest& request, const Executor& executor, Progress& progress) {
  if (request.seeds < 1 && !request.dataset) return bad_usage("nothing to compare: no seeds and no dataset");
  if (request.dataset.has_value() != request.predictions.has_value()) {
    return bad_usage("a dataset needs predictions beside it");
  }
  FIDUCIAL_TRY(const std::string script, read_text_file(request.script));
  FIDUCIAL_TRY(const ScratchFolder scratch, ScratchFolder::make());
  std::error_code failure;
  ConformRequest absolute = request;
  absolute.script = std::filesystem::absolute(request.script, failure);
  Conformance out{request.script.filename().string(), sha256(as_bytes(script)).hex(), request.seeds, {}, {}};
  FIDUCIAL_TRY(const std::vector<ScoredData> data, all_data(absolute, scratch.path(), out));
  Conformer conformer(absolute, executor, scratch.path());
  progress.begin("comparing", static_cast<std::int64_t>(data.size() * variants().size()));
  for (const ScoredData& one : data) {
    for (const Variant& variant : variants()) {
      auto run = conformer.compare(one, variant);
      if (!run.ok()) {
        progress.end();
        return std::move(run).error();
      }
      out.runs.push_back(*std::move(run));
      progress.advance(1);
    }
  }
  progress.end();
  return out;
}

}  // namespace fiducial
