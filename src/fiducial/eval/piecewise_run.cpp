#include "fiducial/eval/piecewise_run.h"

#include <algorithm>

#include "fiducial/base/number_text.h"

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

}  // namespace

PiecewiseRun::PiecewiseRun(std::shared_ptr<const GroundedDataset> dataset, ScorePlan plan,
                           std::vector<GroundedCase> cases, std::optional<Path> volumes)
    : dataset_(std::move(dataset)),
      plan_(std::move(plan)),
      cases_(std::move(cases)),
      scorer_(*dataset_, nullptr, plan_, {.volumes = std::move(volumes)}) {}

Result<std::unique_ptr<PiecewiseRun>> PiecewiseRun::open(std::shared_ptr<const GroundedDataset> dataset,
                                                         const std::string& benchmark,
                                                         const ScoreRequest& request) {
  if (request.ignored) return bad_usage("ignored regions need predictions from files");
  FIDUCIAL_TRY(ScorePlan plan, resolve_plan(request, benchmark, *dataset));
  FIDUCIAL_TRY(std::vector<GroundedCase> cases, cases_by_name(*dataset, plan.split));
  return std::unique_ptr<PiecewiseRun>(
      new PiecewiseRun(std::move(dataset), std::move(plan), std::move(cases), request.volumes));
}

Result<const GroundedCase*> PiecewiseRun::find_case(const std::string& name) const {
  const auto found = std::lower_bound(
      cases_.begin(), cases_.end(), name,
      [](const GroundedCase& entry, const std::string& wanted) { return entry.name < wanted; });
  if (found == cases_.end() || found->name != name) {
    return bad_usage("no case \"" + name + "\" in split \"" + plan_.split + "\"");
  }
  return &*found;
}

Result<ChannelShape> PiecewiseRun::reference_shape(const GroundedCase& entry) const {
  const std::string path = (dataset_->folder() / dataset_->mask_name(entry)).string();
  FIDUCIAL_TRY(StoredFile stored, dataset_->open_mask(entry));
  FIDUCIAL_TRY(const NiftiStream stream,
               NiftiStream::open(std::move(stored.bytes), stored.size).in_file(path));
  const ChannelAxis axis = stream.header().rank() == 3 ? ChannelAxis::none : ChannelAxis::first;
  return channel_shape(stream.header(), axis).in_file(path);
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

Result<ScoredRun> PiecewiseRun::scored(const Executor& executor, Progress& progress) const {
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
  ScoredRun out{plan_, dataset_->file_name(), dataset_->digest(), {}, {}};
  for (std::optional<CaseScore>& score : scores) out.cases.push_back(*std::move(score));
  return out;
}

}  // namespace fiducial
