#include "fiducial/workflows/prepared_run.h"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "fiducial/base/interruption.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/dataset_terms.h"
#include "fiducial/views/image_view.h"
#include "fiducial/workflows/case_list.h"
#include "fiducial/workflows/scan_cases.h"

namespace fiducial {

namespace {

// The cases that are asked about, in the order of the split.
Result<std::vector<DiagnosisCase>> chosen_cases(const DiagnosisSplit& split, const RunRequest& request) {
  std::vector<DiagnosisCase> out = split.cases;
  if (!request.case_list.empty()) {
    FIDUCIAL_TRY(std::set<std::string> listed, read_case_list(request.case_list));
    std::erase_if(out, [&listed](const DiagnosisCase& entry) { return listed.erase(entry.title) == 0; });
    if (!listed.empty())
      return Error(ErrorCode::invalid_data, "\"" + *listed.begin() + "\" is no case of " + split.name,
                   Place{.path = request.case_list.string()});
  }
  if (request.limit && static_cast<std::size_t>(*request.limit) < out.size())
    out.resize(static_cast<std::size_t>(*request.limit));
  return out;
}

}  // namespace

Result<std::vector<std::string>> asked_names(const RunRequest& request) {
  FIDUCIAL_TRY(const Workflow* workflow, find_workflow(request.workflow));
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request.dataset));
  std::vector<std::string> out;
  if (workflow->scans) {
    FIDUCIAL_TRY(const ScanSplit split, workflow->scans->read(*adapter, request.dataset, request.split));
    FIDUCIAL_TRY(const std::vector<AskedCase> items, asked_items(split, request));
    std::set<std::string> known;
    for (const AskedCase& each : items) {
      if (known.insert(each.shown.scan).second) out.push_back(each.shown.scan);
    }
    return out;
  }
  if (adapter->open_questions == nullptr)
    return bad_usage(request.dataset.string() + ": " + adapter->id +
                     " asks no questions with options, which the workflow " + workflow->name + " needs");
  FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset, adapter->open_questions(request.dataset));
  FIDUCIAL_TRY(const std::string name, choose_split(*dataset, request.split));
  FIDUCIAL_TRY(const DiagnosisSplit split, dataset->read_split(name));
  FIDUCIAL_TRY(const std::vector<DiagnosisCase> chosen, chosen_cases(split, request));
  out.reserve(chosen.size());
  for (const DiagnosisCase& entry : chosen) out.push_back(entry.title);
  return out;
}

Result<PreparedRun> PreparedRun::prepare(RunRequest request, bool keeps_nothing, Progress& progress) {
  PreparedRun out(std::move(request));
  FIDUCIAL_TRY(out.workflow_, find_workflow(out.request_.workflow));
  const bool asks = !keeps_nothing && out.request_.replay.empty() && !out.request_.only_lists;
  FIDUCIAL_TRY(out.chosen_, ChosenEndpoint::choose(out.request_, asks));
  FIDUCIAL_TRY_DONE(out.read_words());
  FIDUCIAL_TRY_DONE(out.read_judged());
  FIDUCIAL_TRY_DONE(out.read_view());
  FIDUCIAL_TRY_DONE(out.workflow_->scans ? out.read_scans(keeps_nothing, progress)
                                         : out.read_cases(keeps_nothing, progress));
  return out;
}

Outcome PreparedRun::read_words() {
  std::vector<std::string> names = workflow_->prompts;
  if (request_.recovers) {
    if (!workflow_->answers)
      return bad_usage("--recovery: the workflow " + workflow_->name + " asks for no letter");
    names.emplace_back("recovery");
  }
  FIDUCIAL_TRY(PromptSet prompts, PromptSet::load(names, request_.prompts));
  prompts_ = std::make_shared<const PromptSet>(std::move(prompts));
  asked_ = std::make_shared<AskedAs>(AskedAs{.model = request_.model,
                                             .parameters = request_.parameters,
                                             .with_schema = request_.with_schema,
                                             .re_asks = request_.re_asks,
                                             .layout = request_.layout,
                                             .labels_images = request_.labels_images,
                                             .recovers = request_.recovers,
                                             .prompts = prompts_.get()});
  return choose_cues();
}

Outcome PreparedRun::read_cases(bool keeps_nothing, Progress& progress) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request_.dataset));
  if (adapter->open_questions == nullptr)
    return bad_usage(request_.dataset.string() + ": " + adapter->id +
                     " asks no questions with options, which the workflow " + workflow_->name + " needs");
  FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset, adapter->open_questions(request_.dataset));
  FIDUCIAL_TRY(split_, choose_split(*dataset, request_.split));
  if (leaves_this_machine()) FIDUCIAL_TRY_DONE(allow_split_by_terms(request_.dataset, split_));
  FIDUCIAL_TRY(const DiagnosisSplit split, dataset->read_split(split_));
  benchmark_ = adapter->id;
  split_file_ = split.file;
  split_sha256_ = split.digest.hex();
  cases_of_split_ = static_cast<std::int64_t>(split.cases.size());
  FIDUCIAL_TRY(const std::vector<DiagnosisCase> chosen, chosen_cases(split, request_));

  for (const DiagnosisCase& entry : chosen) {
    cases_.push_back({.title = entry.title, .shown = {.view = InferenceView::of(entry)}});
    cases_.back().shown.image_count = entry.images.size();
    numbers_.emplace(entry.number, cases_.size() - 1);
    FIDUCIAL_TRY_DONE(add_cues(entry, cases_.back()));
    add_judged(entry, cases_.back());
  }
  FIDUCIAL_TRY_DONE(take_folder(keeps_nothing));
  return workflow_->shows_images ? read_pictures(split, progress) : done();
}

Outcome PreparedRun::take_folder(bool keeps_nothing) {
  if (leaves_this_machine()) {
    std::set<std::string> names;
    for (const AskedCase& each : cases_) names.insert({each.title, each.shown.scan});
    const Outcome allowed = allow_cases_by_terms(request_.dataset, names);
    if (!allowed.ok())
      return Error(allowed.error().code(),
                   allowed.error().message() + "; --cases FILE names those to ask about",
                   allowed.error().place());
  }
  if (!keeps_nothing) {
    std::error_code ignored;
    if (std::filesystem::equivalent(request_.output, request_.dataset, ignored))
      return bad_usage("-o: that is the folder of the dataset; a run has one of its own");
    FIDUCIAL_TRY(OutputLock lock, take_run_folder(request_.output));
    lock_ = std::make_shared<OutputLock>(std::move(lock));
  }
  pictures_ = std::make_shared<PictureStore>(keeps_nothing ? Path() : request_.output / "images");
  return done();
}

Outcome PreparedRun::read_view() {
  const bool has_scans = workflow_->scans.has_value();
  if (!has_scans && (!request_.volumes.empty() || !request_.masks.empty()))
    return bad_usage("--volumes and --masks: the workflow " + workflow_->name + " shows no scans");
  if (has_scans && request_.volumes.empty()) return bad_usage("--volumes: say where the scans are");
  const std::string name = has_scans && request_.view.empty() ? workflow_->scans->view : request_.view;
  if (name.empty()) return done();
  FIDUCIAL_TRY(view_, ViewPolicy::load(name));
  const bool has_kind = (view_->kind == ViewPolicy::Kind::scans) == has_scans;
  if (has_kind && has_scans && workflow_->scans->single_slices &&
      view_->montage_columns * view_->montage_rows > 1)
    return bad_usage("--view: replies of the workflow " + workflow_->name +
                     " point into pictures of one slice, and the policy " + view_->name + " shows montages");
  if (has_kind) return done();
  return bad_usage("--view: the policy " + view_->name + " is of " + (has_scans ? "images" : "scans") +
                   ", and the workflow " + workflow_->name + " shows " + (has_scans ? "scans" : "images"));
}

Outcome PreparedRun::read_scans(bool keeps_nothing, Progress& progress) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request_.dataset));
  FIDUCIAL_TRY(const ScanSplit split, workflow_->scans->read(*adapter, request_.dataset, request_.split)
                                          .context("reading what the workflow " + workflow_->name + " asks"));
  if (leaves_this_machine()) {
    FIDUCIAL_TRY_DONE(allow_split_by_terms(request_.dataset, split.name));
    FIDUCIAL_TRY_DONE(allow_split_by_terms(request_.volumes, split.name));
  }
  benchmark_ = adapter->id;
  split_ = split.name;
  split_file_ = split.file;
  split_sha256_ = split.sha256;
  cases_of_split_ = static_cast<std::int64_t>(split.items.size());
  FIDUCIAL_TRY(cases_, asked_items(split, request_));
  FIDUCIAL_TRY_DONE(take_folder(keeps_nothing));
  ScanPictures pictures(request_, *view_, keeps_nothing ? Path() : request_.output / "views", *pictures_);
  std::map<std::string, std::vector<AskedCase*>> by_scan;
  for (AskedCase& each : cases_) by_scan[each.shown.scan].push_back(&each);
  progress.begin("Drawing scans", static_cast<std::int64_t>(by_scan.size()));
  for (auto& [scan, items] : by_scan) {
    if (stop_requested()) return Error(ErrorCode::interrupted, "stopped; the same command goes on");
    FIDUCIAL_TRY_DONE(pictures.show(scan, items));
    progress.advance(1);
  }
  progress.end();
  return done();
}

Outcome PreparedRun::read_pictures(const DiagnosisSplit& split, Progress& progress) {
  std::size_t pictures = 0;
  for (const AskedCase& each : cases_) pictures += each.shown.image_count;
  progress.begin("Reading images", static_cast<std::int64_t>(pictures));
  const auto is_wanted = [this](std::int64_t number) { return numbers_.contains(number); };
  Outcome visited = medthinkvqa::visit_pictures(
      request_.dataset, split, is_wanted, [&](medthinkvqa::CasePicture picture) -> Outcome {
        progress.advance(1);
        if (stop_requested()) return Error(ErrorCode::interrupted, "stopped; the same command goes on");
        AskedCase& asked_case = cases_[numbers_.at(picture.number)];
        return add_picture(asked_case, std::move(picture));
      });
  progress.end();
  return visited;
}

// Keeps a picture that is shown. One that cannot be shown is a problem of its case, never one picture less.
Outcome PreparedRun::add_picture(AskedCase& asked_case, medthinkvqa::CasePicture picture) {
  const std::vector<std::size_t> shown = request_.images.chosen(asked_case.shown.image_count);
  if (!std::binary_search(shown.begin(), shown.end(), picture.index)) return done();
  const std::size_t number = picture.index + 1;
  if (picture.problem.empty() && view_) {
    const Result<Bytes> viewed = viewed_image(*view_, as_bytes(picture.bytes));
    if (viewed.ok()) picture.bytes = as_text(*viewed);
    if (!viewed.ok()) picture.problem = viewed.error().message();
  }
  if (picture.problem.empty()) {
    Result<ChatImage> kept = pictures_->add(picture.bytes);
    if (kept.ok()) {
      asked_case.shown.images.push_back({.number = number, .image = *std::move(kept)});
      return done();
    }
    if (kept.error().code() != ErrorCode::invalid_data) return std::move(kept).error();
    picture.problem = kept.error().message();
  }
  append_joined(asked_case.problem, "image " + decimal(number) + ": " + picture.problem, "; ");
  return done();
}

Outcome PreparedRun::choose_cues() {
  const std::string& usual = workflow_->default_cues;
  if (usual.empty()) {
    if (!request_.hints.empty() || !request_.summary.empty())
      return bad_usage("--hints and --summary: the workflow " + workflow_->name + " takes none; twi does");
    return done();
  }
  FIDUCIAL_TRY(hints_, CueChoice::parse("--hints", request_.hints.empty() ? usual : request_.hints));
  FIDUCIAL_TRY(summary_, CueChoice::parse("--summary", request_.summary.empty() ? usual : request_.summary));
  for (const CueChoice* choice : {&hints_, &summary_}) {
    if (choice->source != CueSource::run || earlier_.contains(choice->run)) continue;
    FIDUCIAL_TRY(EarlierTexts texts, EarlierTexts::read(choice->run));
    earlier_.emplace(choice->run, std::move(texts));
  }
  asked_->hints = hints_.source;
  asked_->summary = summary_.source;
  asked_->goes_on_with_holes = request_.goes_on_with_holes;
  return done();
}

Outcome PreparedRun::add_cues(const DiagnosisCase& entry, AskedCase& asked_case) {
  if (opens_expert_texts()) {
    const Expert expert(entry, hints_.source, summary_.source);
    asked_case.cues = expert.cues();
    asked_case.names_key = expert.names_key();
  }
  const auto earlier = [&](const CueChoice& choice) {
    const GivenCues* found = earlier_.at(choice.run).find(entry.title);
    return found == nullptr ? GivenCues{} : *found;
  };
  if (hints_.source == CueSource::run) {
    asked_case.cues.hints = earlier(hints_).hints;
    if (!asked_case.cues.hints)
      append_joined(asked_case.problem, "the run of --hints has no findings for it", "; ");
  }
  if (summary_.source == CueSource::run) {
    asked_case.cues.summary = earlier(summary_).summary;
    if (!asked_case.cues.summary)
      append_joined(asked_case.problem, "the run of --summary has no summary for it", "; ");
  }
  return done();
}

Outcome PreparedRun::read_judged() {
  if (!workflow_->judges) {
    return request_.judged.empty()
               ? done()
               : bad_usage("--predictions: the workflow " + workflow_->name + " judges nothing; judge does");
  }
  if (request_.judged.empty()) return bad_usage("--predictions: say whose reasoning is judged");
  FIDUCIAL_TRY(judged_steps_, JudgedSteps::read(request_.judged, workflow_->judged));
  return done();
}

void PreparedRun::add_judged(const DiagnosisCase& entry, AskedCase& asked_case) const {
  if (!judged_steps_) return;
  asked_case.judged = judged_steps_->find(entry);
  if (asked_case.judged == nullptr)
    append_joined(asked_case.problem, "the predictions have nothing of it to judge", "; ");
}

bool PreparedRun::opens_expert_texts() const {
  return workflow_->judges || hints_.source == CueSource::expert || summary_.source == CueSource::expert;
}

bool PreparedRun::shows_experts() const {
  return opens_expert_texts() ||
         (hints_.source == CueSource::run && earlier_.at(hints_.run).passes_on_expert_hints()) ||
         (summary_.source == CueSource::run && earlier_.at(summary_.run).passes_on_expert_summary());
}

// A cue as the plan tells it: an earlier run by the hash of its predictions, not by where it lies.
std::string PreparedRun::cue_text(const CueChoice& choice, bool passes_on_experts) const {
  switch (choice.source) {
    case CueSource::none:
      return "none";
    case CueSource::expert:
      return "expert";
    case CueSource::self:
      return "self";
    case CueSource::run:
      return (passes_on_experts ? "expert-run:" : "run:") + earlier_.at(choice.run).sha256();
  }
  return {};
}

Json PreparedRun::plan() const {
  const auto passes_on = [this](const CueChoice& choice, bool (EarlierTexts::*from_experts)() const) {
    return choice.source == CueSource::run && (earlier_.at(choice.run).*from_experts)();
  };
  const bool expert_hints = passes_on(hints_, &EarlierTexts::passes_on_expert_hints);
  const bool expert_summary = passes_on(summary_, &EarlierTexts::passes_on_expert_summary);
  Json out =
      Json::object({{"benchmark", benchmark_},
                    {"split", split_},
                    {"sha256", split_sha256_},
                    {"workflow", workflow_->name},
                    {"model", request_.model},
                    {"vendor", vendor().id},
                    {"parameters", request_.parameters},
                    {"samples", request_.samples},
                    {"images", request_.images.text()},
                    {"layout", request_.layout == ImageLayout::text_first ? "text-first" : "images-first"},
                    {"schema_sent", request_.with_schema},
                    {"re_asks", request_.re_asks},
                    {"hints", cue_text(hints_, expert_hints)},
                    {"summary", cue_text(summary_, expert_summary)},
                    {"goes_on_with_holes", request_.goes_on_with_holes},
                    {"prompts", prompts_->json()}});
  // What was not asked for is no member, so that journals of earlier versions are of the same plan.
  if (request_.recovers) out.set("recovery", true);
  if (!request_.labels_images) out.set("image_labels", false);
  if (!request_.profile_json.is_null()) out.set("profile", request_.profile_json);
  if (!prompts_->upstream().is_null()) out.set("upstream", prompts_->upstream());
  if (view_ && !view_->changes_nothing())
    out.set("view", Json::object({{"name", view_->name}, {"sha256", view_->sha256()}}));
  return judged_steps_ ? out.set("judged", judged_steps_->sha256()) : out;
}

Json PreparedRun::dataset_json() const {
  return Json::object({{"benchmark", benchmark_},
                       {"split", split_},
                       {"file", split_file_},
                       {"sha256", split_sha256_},
                       {"cases", cases_of_split_},
                       {"asked", static_cast<std::int64_t>(cases_.size())}});
}

std::unique_ptr<Dialogue> PreparedRun::begin_dialogue(const AskedCase& asked_case,
                                                      std::int64_t sample) const {
  return workflow_->begin({.asked = asked_.get(),
                           .shown = asked_case.shown,
                           .sample = sample,
                           .cues = asked_case.cues,
                           .judged = asked_case.judged});
}

}  // namespace fiducial
