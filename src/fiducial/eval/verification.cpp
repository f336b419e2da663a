#include "fiducial/eval/verification.h"

#include <map>
#include <system_error>
#include <unistd.h>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/scratch_folder.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/eval/plan_file.h"
#include "fiducial/text/wordnet.h"

namespace fiducial {

namespace {

std::string digest_text(Result<StoredFile> file) {
  if (!file.ok()) return "";
  const Result<Digest> digest = HashingStream(std::move(file->bytes)).finish();
  return digest.ok() ? digest->hex() : "";
}

Result<StoredFile> open_stored(const Path& path) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  const std::uint64_t size = file->size();
  return StoredFile{std::move(file), size};
}

void compare_digest(const std::string& name, const std::string& recorded, const std::string& found,
                    Verification& out) {
  ++out.files_compared;
  if (recorded == found) return;
  if (found.empty()) {
    out.changed_inputs.push_back(name + ": missing or unreadable, was sha256 " + recorded);
  } else if (recorded.empty()) {
    out.changed_inputs.push_back(name + ": was missing or unreadable, is sha256 " + found);
  } else {
    out.changed_inputs.push_back(name + ": sha256 " + found + ", was " + recorded);
  }
}

std::string text_of(const Json& object, const char* key) {
  const Json* value = object.find(key);
  return value != nullptr && value->as_string() != nullptr ? *value->as_string() : "";
}

// The table that made groups, where the plan names one.
Outcome compare_metadata(const Json& plan, const ScoreRequest& inputs, Verification& out) {
  const Json* recorded = plan.find("metadata");
  if (recorded == nullptr) return done();
  const Result<VolumeMetadata> now = read_metadata(inputs);
  if (!now.ok() && now.error().code() == ErrorCode::bad_usage) return now.error();
  compare_digest("metadata " + text_of(*recorded, "file"), text_of(*recorded, "sha256"),
                 now.ok() ? now->digest().hex() : "", out);
  return done();
}

// Holds every file of the plan against what lies there now.
Outcome compare_inputs(const Json& plan, const ScoreRequest& inputs, Verification& out) {
  FIDUCIAL_TRY(const Json* dataset, required_field(plan, "dataset", ""));
  const std::string dataset_file = text_of(*dataset, "file");
  compare_digest(dataset_file, text_of(*dataset, "sha256"),
                 digest_text(open_stored(inputs.dataset / dataset_file)), out);
  FIDUCIAL_TRY_DONE(compare_metadata(plan, inputs, out));
  FIDUCIAL_TRY(const PredictionFiles predictions, PredictionFiles::open(inputs.predictions));
  FIDUCIAL_TRY(const Json* files, required_field(plan, "files", ""));
  FIDUCIAL_TRY(const Json::Array* rows, expect_array(*files, "/files"));
  for (const Json& row : *rows) {
    const std::string reference = text_of(row, "reference");
    const std::string name = text_of(row, "case");
    compare_digest(reference, text_of(row, "reference_sha256"),
                   digest_text(open_stored(inputs.dataset / reference)), out);
    const std::string found = predictions.has(name) ? digest_text(predictions.open_file(name)) : "";
    compare_digest("prediction " + name, text_of(row, "prediction_sha256"), found, out);
  }
  return done();
}

Outcome compare_outputs(const Path& scores, const Path& again, Verification& out) {
  for (const char* name :
       {"plan.json", "summary.json", "rows.parquet", "rexrank.json", "steps.parquet", "sentences.parquet"}) {
    std::error_code ignored;
    const bool before = std::filesystem::exists(scores / name, ignored);
    const bool now = std::filesystem::exists(again / name, ignored);
    if (!before && !now) continue;
    ++out.files_compared;
    if (before != now) {
      out.changed_outputs.push_back(std::string(name) + (before ? ": would not be written" : ": is missing"));
      continue;
    }
    FIDUCIAL_TRY(const std::string old_text, read_text_file(scores / name));
    FIDUCIAL_TRY(const std::string new_text, read_text_file(again / name));
    if (old_text == new_text) continue;
    out.changed_outputs.push_back(std::string(name) + ": sha256 " + sha256(as_bytes(old_text)).hex() +
                                  ", a new run gives " + sha256(as_bytes(new_text)).hex());
  }
  return done();
}

Result<Json> read_plan(const Path& scores) {
  const Path path = scores / "plan.json";
  FIDUCIAL_TRY(const std::string text, read_text_file(path));
  return parse_json(text).in_file(path.string());
}

std::vector<std::string> words_of(const Json& plan, const char* key) {
  std::vector<std::string> out;
  const Json* list = plan.find(key);
  if (list == nullptr || list->as_array() == nullptr) return out;
  for (const Json& word : *list->as_array()) {
    if (word.as_string() != nullptr) out.push_back(*word.as_string());
  }
  return out;
}

// What the plan says about how answers were scored, in the place of what the request says.
Result<DiagnosticScoreRequest> planned_request(const Json& plan, DiagnosticScoreRequest request) {
  request.split = text_of(plan, "split");
  request.system = text_of(plan, "system");
  FIDUCIAL_TRY(request.mode, parse_score_mode(text_of(plan, "mode")));
  FIDUCIAL_TRY(const Json* seed, required_field(plan, "seed", ""));
  FIDUCIAL_TRY(const std::int64_t seed_value, expect_integer(*seed, "/seed"));
  request.seed = static_cast<std::uint64_t>(seed_value);
  FIDUCIAL_TRY(const Json* resamples, required_field(plan, "resamples", ""));
  FIDUCIAL_TRY(const std::int64_t count, expect_integer(*resamples, "/resamples"));
  if (count < 1 || count > 10'000'000) return at_pointer("/resamples", "expected 1 to 10000000");
  request.resamples = static_cast<int>(count);
  request.metrics = words_of(plan, "asked_metrics");
  request.group_by = words_of(plan, "group_kinds");
  request.accept_equal_options = plan.find("accepts_equal_options") != nullptr;
  return request;
}

void compare_file(const Json* recorded, const Path& path, const std::string& what, Verification& out) {
  if (recorded == nullptr) return;
  compare_digest(what, text_of(*recorded, "sha256"), digest_text(open_stored(path)), out);
}

// Every file of a list in the plan.
template <typename Opener>
Outcome compare_files(const Json& plan, const char* key, Verification& out, const Opener& open) {
  FIDUCIAL_TRY(const Json* list, required_field(plan, key, ""));
  FIDUCIAL_TRY(const Json::Array* files, expect_array(*list, std::string("/") + key));
  for (const Json& file : *files) {
    const std::string name = text_of(file, "file");
    compare_digest(name, text_of(file, "sha256"), digest_text(open(name)), out);
  }
  return done();
}

// A further input of the plan, by its role and name.
const Json* find_input(const Json& plan, std::string_view role, const std::string& name) {
  const Json* inputs = plan.find("inputs");
  if (inputs == nullptr || inputs->as_array() == nullptr) return nullptr;
  for (const Json& each : *inputs->as_array()) {
    if (text_of(each, "role") == role && text_of(each, "name") == name) return &each;
  }
  return nullptr;
}

// WordNet is several files with one hash.
Outcome compare_wordnet(const Json& plan, const std::optional<Path>& wordnet, Verification& out) {
  if (!wordnet) return done();
  const Json* recorded = find_input(plan, "wordnet", "");
  if (recorded == nullptr) return bad_usage("the scores were made without wordnet");
  FIDUCIAL_TRY(const WordNet found, WordNet::open(*wordnet));
  compare_digest("wordnet", text_of(*recorded, "sha256"), found.digest().hex(), out);
  return done();
}

// Every further file of the plan must be given, and no other.
Outcome compare_further_inputs(const Json& plan, const DiagnosticScoreRequest& request, Verification& out) {
  std::size_t given = 0;
  const auto compare = [&](const char* role, const std::string& name,
                           const std::optional<Path>& path) -> Outcome {
    const Json* recorded = find_input(plan, role, name);
    const std::string what = std::string(role) + (name.empty() ? "" : " " + name);
    if (path && recorded == nullptr) return bad_usage("the scores were made without " + what);
    if (!path) return done();
    ++given;
    compare_file(recorded, *path, what + " " + text_of(*recorded, "file"), out);
    return done();
  };
  FIDUCIAL_TRY_DONE(compare("components", "", request.components));
  FIDUCIAL_TRY_DONE(compare("verdicts", "", request.verdicts));
  FIDUCIAL_TRY_DONE(compare("ratings", "", request.ratings));
  FIDUCIAL_TRY_DONE(compare_wordnet(plan, request.wordnet, out));
  if (request.wordnet) ++given;
  for (const NamedFile& each : request.baselines)
    FIDUCIAL_TRY_DONE(compare("baseline", each.name, each.path));
  const Json* inputs = plan.find("inputs");
  const std::size_t wanted =
      inputs == nullptr || inputs->as_array() == nullptr ? 0 : inputs->as_array()->size();
  if (given == wanted) return done();
  return bad_usage("the scores were made with " + decimal(wanted) + " further files, " + decimal(given) +
                   " were given (--components, --verdicts, --ratings, --wordnet, --baseline)");
}

// Writes a second run, as private as the first one, and compares its outputs.
template <typename Run>
Outcome compare_with_rerun(const Path& scores, const Run& run, const Executor& executor, Verification& out) {
  FIDUCIAL_TRY(const ScratchFolder scratch, ScratchFolder::make());
  std::error_code ignored;
  const bool is_private = !std::filesystem::exists(scores / "rows.parquet", ignored);
  FIDUCIAL_TRY_DONE(write_scores(
      run, {.folder = scratch.path(), .overwrite = true, .is_private = is_private, .more = {}}, executor));
  return compare_outputs(scores, scratch.path(), out);
}

}  // namespace

Result<bool> holds_answers(const Path& scores) {
  FIDUCIAL_TRY(const Json plan, read_plan(scores));
  return plan.find("predictions") != nullptr;
}

Result<Verification> verify_answers(const Path& scores, DiagnosticScoreRequest inputs,
                                    const Executor& executor) {
  FIDUCIAL_TRY(const Json plan, read_plan(scores));
  Verification out;
  const Json* dataset = plan.find("dataset");
  if (dataset == nullptr) return invalid_data((scores / "plan.json").string() + ": no dataset");
  compare_file(dataset, inputs.dataset / text_of(*dataset, "file"), text_of(*dataset, "file"), out);
  compare_file(plan.find("predictions"), inputs.predictions, "predictions", out);
  FIDUCIAL_TRY_DONE(compare_further_inputs(plan, inputs, out));
  if (!out.changed_inputs.empty()) return out;
  FIDUCIAL_TRY(DiagnosticScoreRequest request, planned_request(plan, std::move(inputs)));
  FIDUCIAL_TRY(DiagnosticRun run, score_diagnostic_run(request));
  run.predictions_file = text_of(*plan.find("predictions"), "file");  // a file may have another name by now
  FIDUCIAL_TRY_DONE(compare_with_rerun(scores, run, executor, out));
  return out;
}

Result<bool> holds_tasks(const Path& scores) {
  FIDUCIAL_TRY(const Json plan, read_plan(scores));
  return plan.find("dataset_files") != nullptr;
}

namespace {

// Holds the masks of every case against those of a new run.
Outcome compare_masks(const Json& plan, const TaskRun& run, Verification& out) {
  FIDUCIAL_TRY(const Json* files, required_field(plan, "files", ""));
  FIDUCIAL_TRY(const Json::Array* rows, expect_array(*files, "/files"));
  std::map<std::string, const HashedCase*> now;
  for (const HashedCase& each : run.masks) now.emplace(each.name, &each);
  const auto text = [](const std::optional<Digest>& digest) {
    return digest ? digest->hex() : std::string();
  };
  for (const Json& row : *rows) {
    const auto found = now.find(text_of(row, "case"));
    const HashedCase* masks = found == now.end() ? nullptr : found->second;
    const std::string name = "masks of " + text_of(row, "case");
    compare_digest(name, text_of(row, "reference_sha256"), masks == nullptr ? "" : text(masks->reference),
                   out);
    compare_digest("predicted " + name, text_of(row, "prediction_sha256"),
                   masks == nullptr ? "" : text(masks->prediction), out);
  }
  return done();
}

// Masks are scored again by the rules of the plan.
Outcome take_mask_rules(const Json& plan, TableScoreRequest& inputs) {
  const Json* rules = plan.find("mask_rules");
  const Json* volumes = rules == nullptr ? nullptr : rules->find("volumes");
  const bool* with_volumes = volumes == nullptr ? nullptr : volumes->as_bool();
  const bool had_volumes = with_volumes != nullptr && *with_volumes;
  if (had_volumes != inputs.volumes.has_value()) {
    return bad_usage(std::string("the scores were made ") + (had_volumes ? "with" : "without") +
                     " --volumes");
  }
  if (rules == nullptr) return done();
  if (const Json* tolerance = rules->find("tolerance_mm"))
    inputs.tolerance_mm = tolerance->as_number().value_or(1);
  const Json* spacing = rules->find("spacing_mm");
  const Json::Array* edges = spacing == nullptr ? nullptr : spacing->as_array();
  if (edges == nullptr) return done();
  Vec3 mm{};
  for (std::size_t i = 0; i < mm.size(); ++i) {
    const auto edge = edges->size() == mm.size() ? (*edges)[i].as_number() : std::nullopt;
    if (!edge || !(*edge > 0)) return invalid_data("/mask_rules/spacing_mm: expected three lengths");
    mm.at(i) = *edge;
  }
  inputs.spacing_mm = mm;
  return done();
}

}  // namespace

Result<Verification> verify_tasks(const Path& scores, TableScoreRequest inputs, const Executor& executor) {
  FIDUCIAL_TRY(const Json plan, read_plan(scores));
  Verification out;
  FIDUCIAL_TRY(const PredictionFiles predictions,
               PredictionFiles::open(inputs.predictions, table_masks_folder));
  FIDUCIAL_TRY_DONE(compare_files(plan, "dataset_files", out, [&](const std::string& name) {
    return open_stored(inputs.dataset / name);
  }));
  FIDUCIAL_TRY_DONE(
      compare_files(plan, "prediction_files", out, [&](const std::string& name) -> Result<StoredFile> {
        if (!predictions.has(name)) return invalid_data(name + ": is not there");
        return predictions.open_file(name);
      }));
  if (!inputs.wordnet && find_input(plan, "wordnet", "") != nullptr)
    return bad_usage("the scores were made with --wordnet");
  FIDUCIAL_TRY_DONE(compare_wordnet(plan, inputs.wordnet, out));
  if (!out.changed_inputs.empty()) return out;
  DiagnosticScoreRequest planned;
  FIDUCIAL_TRY(planned, planned_request(plan, std::move(planned)));
  inputs.split = planned.split;
  inputs.system = planned.system;
  inputs.metrics = planned.metrics;
  inputs.seed = planned.seed;
  inputs.resamples = planned.resamples;
  inputs.task = text_of(plan, "task");
  FIDUCIAL_TRY_DONE(take_mask_rules(plan, inputs));
  FIDUCIAL_TRY(TaskRun run, score_tasks(inputs, executor));
  FIDUCIAL_TRY_DONE(compare_masks(plan, run, out));
  if (!out.changed_inputs.empty()) return out;
  run.predictions_file = text_of(*plan.find("predictions"), "file");  // a file may have another name by now
  FIDUCIAL_TRY_DONE(compare_with_rerun(scores, run, executor, out));
  return out;
}

Result<Verification> verify_scores(const Path& scores, const ScoreRequest& inputs, const Executor& executor,
                                   Progress& progress) {
  const Path plan_path = scores / "plan.json";
  FIDUCIAL_TRY(const std::string text, read_text_file(plan_path));
  FIDUCIAL_TRY(const Json document, parse_json(text).in_file(plan_path.string()));
  FIDUCIAL_TRY(ScorePlan plan, parse_score_plan(document).in_file(plan_path.string()));
  Verification out;
  FIDUCIAL_TRY_DONE(compare_inputs(document, inputs, out));
  if (!out.changed_inputs.empty()) return out;

  ScoreRequest request = inputs;
  request.plan = std::move(plan);
  FIDUCIAL_TRY(const ScoredRun run, score_run(request, executor, progress));
  FIDUCIAL_TRY(const ScratchFolder scratch, ScratchFolder::make());
  FIDUCIAL_TRY_DONE(write_scores(run, scratch.path(), true));
  FIDUCIAL_TRY_DONE(compare_outputs(scores, scratch.path(), out));
  return out;
}

}  // namespace fiducial
