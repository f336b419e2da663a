#include "fiducial/tasks/finding_masks/piecewise_run.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/task/task_call.h"
#include "fiducial/masks/mask_format.h"
#include "fiducial/tasks/finding_masks/finding_masks.h"
#include "fiducial/tasks/finding_masks/mask_options.h"
#include "fiducial/tasks/finding_masks/mask_run.h"

namespace fiducial {

namespace {

// What reading a file with these channels would have given.
MaskRead as_read(const ChannelShape& shape, std::map<std::int64_t, LabelMap>&& findings) {
  MaskFile mask{.shape = shape, .type = VoxelType::int32};
  for (auto& [index, labels] : findings) {
    for (const LabelRun& run : labels.runs()) {
      mask.values.least = std::min(mask.values.least, run.label);
      mask.values.greatest = std::max(mask.values.greatest, run.label);
    }
    mask.channels.push_back(std::move(labels));
  }
  return {std::move(mask), std::nullopt};
}

std::optional<Path> volumes_of(const TaskRequest& request) {
  const auto found = request.values.find("volumes");
  return found == request.values.end() ? std::nullopt : std::optional<Path>(found->second.front());
}

}  // namespace

PiecewiseRun::PiecewiseRun(std::shared_ptr<const GroundedDataset> dataset, MaskPlan plan,
                           std::vector<GroundedCase> cases, TaskRequest request, ScoreRun blank)
    : dataset_(std::move(dataset)),
      plan_(std::move(plan)),
      cases_(std::move(cases)),
      request_(std::move(request)),
      blank_(std::move(blank)),
      scorer_(*dataset_, nullptr, plan_, {.volumes = volumes_of(request_)}) {}

Result<std::unique_ptr<PiecewiseRun>> PiecewiseRun::open(std::shared_ptr<const GroundedDataset> dataset,
                                                         const std::string& benchmark,
                                                         const OptionValues& options) {
  if (options.contains("ignore")) return bad_usage("ignored regions need predictions from files");
  const Task task = finding_masks_task();
  SilentProgress progress;
  const Executor executor(1);
  const TaskRequest request{.dataset = dataset->folder(), .values = options};
  FIDUCIAL_TRY(const TaskCall call, TaskCall::begin(task, request, executor, progress));
  FIDUCIAL_TRY(const std::string split, choose_split(*dataset, call.optional_text("split")));
  FIDUCIAL_TRY(MaskPlan plan, mask_plan_of(call, split));
  FIDUCIAL_TRY(std::vector<GroundedCase> cases, cases_by_name(*dataset, split));
  std::erase_if(cases, [&call](const GroundedCase& entry) { return !call.holds(entry.name); });
  ScoreRun blank = call.new_run(benchmark, split);
  blank.dataset = {dataset->file_name(), dataset->digest()};
  return std::unique_ptr<PiecewiseRun>(
      new PiecewiseRun(std::move(dataset), std::move(plan), std::move(cases), request, std::move(blank)));
}

Result<const GroundedCase*> PiecewiseRun::find_case(const std::string& name) const {
  const auto found = std::lower_bound(
      cases_.begin(), cases_.end(), name,
      [](const GroundedCase& entry, const std::string& wanted) { return entry.name < wanted; });
  if (found == cases_.end() || found->name != name) {
    return bad_usage("no case \"" + name + "\" in split \"" + blank_.split + "\"");
  }
  return &*found;
}

Result<ChannelShape> PiecewiseRun::reference_shape(const GroundedCase& entry) const {
  const std::string path = (dataset_->folder() / dataset_->mask_name(entry)).string();
  FIDUCIAL_TRY(StoredFile stored, dataset_->open_mask(entry));
  FIDUCIAL_TRY(const std::unique_ptr<MaskReader> reader,
               open_masks({.file = std::move(stored), .places = nullptr}).in_file(path));
  return reader->head().shape;
}

// Adds a finding to its case; the whole prediction when it was the last one.
Result<std::optional<MaskRead>> PiecewiseRun::keep(const GroundedCase& entry, std::int64_t finding,
                                                   LabelMap prediction) {
  const std::string what = "finding " + decimal(finding) + " of " + entry.name;
  const std::lock_guard lock(mutex_);
  auto place = slots_.find(entry.name);
  if (place == slots_.end()) {
    FIDUCIAL_TRY(const ChannelShape shape, reference_shape(entry));
    place = slots_.emplace(entry.name, Slot{.shape = shape}).first;
  }
  Slot& slot = place->second;
  if (finding < 0 || finding >= slot.shape.channels) {
    return bad_usage("no " + what + ": it has " + decimal(slot.shape.channels) + " findings");
  }
  if (slot.score || slot.being_scored || slot.findings.contains(finding)) {
    return bad_usage(what + " was added before");
  }
  if (prediction.extent() != slot.shape.extent) {
    return bad_usage("array of " + prediction.extent().text() + " voxels for " + what + ", expected " +
                     slot.shape.extent.text());
  }
  slot.findings.emplace(finding, std::move(prediction));
  if (std::ssize(slot.findings) < slot.shape.channels) return std::optional<MaskRead>();
  slot.being_scored = true;
  return std::optional(as_read(slot.shape, std::exchange(slot.findings, {})));
}

Outcome PiecewiseRun::add(const std::string& case_name, std::int64_t finding, LabelMap prediction) {
  FIDUCIAL_TRY(const GroundedCase* entry, find_case(case_name));
  FIDUCIAL_TRY(const std::optional<MaskRead> whole, keep(*entry, finding, std::move(prediction)));
  if (!whole) return done();
  Result<CaseScore> score = scorer_.score(*entry, whole);
  const std::lock_guard lock(mutex_);
  if (!score.ok()) {
    slots_.erase(case_name);  // it may be added again
    return std::move(score).error();
  }
  Slot& slot = slots_.at(case_name);
  slot.score = *std::move(score);
  slot.being_scored = false;
  return done();
}

std::int64_t PiecewiseRun::complete() const {
  const std::lock_guard lock(mutex_);
  return std::count_if(slots_.begin(), slots_.end(),
                       [](const auto& slot) { return slot.second.score.has_value(); });
}

Result<CaseScore> PiecewiseRun::score_as_is(const GroundedCase& entry) const {
  std::optional<MaskRead> partial;
  {
    const std::lock_guard lock(mutex_);
    const auto found = slots_.find(entry.name);
    if (found != slots_.end() && found->second.score) return *found->second.score;
    if (found != slots_.end()) {
      partial = MaskRead{invalid_data(decimal(found->second.findings.size()) + " of " +
                                      decimal(found->second.shape.channels) + " findings were added"),
                         std::nullopt};
    }
  }
  return scorer_.score(entry, partial);
}

Result<ScoreRun> PiecewiseRun::scored(const Executor& executor, Progress& progress) const {
  std::vector<std::optional<CaseScore>> scores(cases_.size());
  progress.begin("scoring", cases());
  const Outcome outcome = executor.for_each(cases(), [&](std::int64_t index) -> Outcome {
    const auto at = static_cast<std::size_t>(index);
    FIDUCIAL_TRY(scores[at], score_as_is(cases_[at]));
    progress.advance(1);
    return done();
  });
  progress.end();
  FIDUCIAL_TRY_DONE(outcome);
  std::vector<CaseScore> cases;
  cases.reserve(scores.size());
  for (std::optional<CaseScore>& score : scores) cases.push_back(*std::move(score));
  ScoreRun out = blank_;
  add_masks(out, plan_, cases);
  for (std::size_t i = 0; i < out.cases.size(); ++i) out.cases[i].position = static_cast<std::int64_t>(i);
  const Task task = finding_masks_task();
  FIDUCIAL_TRY(const TaskCall call, TaskCall::begin(task, request_, executor, progress));
  for (const GroundedCase& entry : cases_) static_cast<void>(call.holds(entry.name));
  FIDUCIAL_TRY_DONE(call.finish(out));
  sort_remarks(out);
  FIDUCIAL_TRY_DONE(task.conclude(out));
  return out;
}

}  // namespace fiducial
