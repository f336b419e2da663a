#include "fiducial/tasks/controls/control_scorer.h"

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/metrics/dice_formula.h"
#include "fiducial/spatial/orientation_probe.h"
#include "fiducial/spatial/overlap.h"
#include "fiducial/tasks/finding_masks/refused_masks.h"

namespace fiducial {

namespace {

std::size_t place_of_finding(const std::vector<ControlPrompt>& prompts, std::size_t at) {
  return is_changed_finding(prompts[at].kind) ? static_cast<std::size_t>(prompts[at].finding) : at;
}

// Where one of the masks is empty there is nothing in common, whatever the other one is.
double dice_between(const Mask& a, const Mask& b) {
  const Result<Overlap> shared = overlap(a, b);
  return shared.ok() && shared->both > 0 ? exact_dice(*shared) : 0;
}

// The prompts of a case with the worst answers; what was predicted is filled in by those that can be read.
std::vector<PromptScore> unanswered(const std::vector<ControlPrompt>& prompts) {
  std::vector<PromptScore> out;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    out.push_back(
        {.kind = prompts[i].kind, .finding = static_cast<std::int64_t>(place_of_finding(prompts, i))});
  }
  return out;
}

void measure(const std::vector<LabelMap>& reference, const std::vector<LabelMap>& predicted,
             std::vector<PromptScore>& out) {
  std::vector<Mask> masks;
  masks.reserve(predicted.size());
  for (const LabelMap& channel : predicted) masks.push_back(channel.foreground());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto finding = static_cast<std::size_t>(out[i].finding);
    out[i].voxels = masks[i].count();
    if (out[i].kind != ControlKind::finding && finding == i) continue;  // of no finding of the case
    out[i].dice = dice_between(reference[finding].foreground(), masks[i]);
    out[i].same = dice_between(masks[finding], masks[i]);
  }
}

// The channels of findings alone: the others are empty, or say the same again.
std::vector<LabelMap> channels_of_findings(const std::vector<LabelMap>& channels,
                                           const std::vector<PromptScore>& prompts) {
  std::vector<LabelMap> out;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    if (prompts[i].kind == ControlKind::finding) out.push_back(channels[i]);
  }
  return out;
}

std::optional<AxesWish> wished_axes(const MaskFile& reference, const MaskFile& predicted,
                                    const std::vector<PromptScore>& prompts) {
  const auto verdict = probe_orientation(channels_of_findings(reference.channels, prompts),
                                         channels_of_findings(predicted.channels, prompts));
  if (!verdict) return std::nullopt;
  return AxesWish{verdict->transform.name(), verdict->dice_as_is, verdict->dice_transformed};
}

// Why a prediction cannot be used, if it cannot.
std::optional<std::string> unusable(const MaskRead& read, const std::optional<Grid>& volume) {
  if (!read.mask.ok()) return text_without_file(read.mask.error());
  if (read.mask->shape_error) return text_without_file(*read.mask->shape_error);
  if (auto why = refused_values(read.mask->values)) return why;
  return refused_place(*read.mask, volume);
}

}  // namespace

Result<MaskFile> ControlScorer::read_reference(const Case& one, ControlScore& out) const {
  const std::string file = dataset_.mask_name(one.entry);
  const std::string path = (dataset_.folder() / file).string();
  FIDUCIAL_TRY(StoredFile stored, dataset_.open_mask(one.entry));
  MaskRead read = read_mask_file(std::move(stored), std::nullopt);
  FIDUCIAL_TRY(MaskFile mask, std::move(read.mask).in_file(path));
  if (mask.channels.size() != one.prompts->size()) {
    return Error(ErrorCode::invalid_data,
                 "mask has " + decimal(mask.channels.size()) + " channels, expected one for each of " +
                     decimal(one.prompts->size()) + " prompts",
                 Place{.path = path});
  }
  out.reference_digest = *read.digest;
  return mask;
}

Result<std::optional<Grid>> ControlScorer::volume_of(const Case& one, const MaskFile& reference) const {
  if (!sources_.volumes) return std::optional<Grid>();
  const auto path = dataset_.find_volume(*sources_.volumes, one.entry);
  if (!path) return std::optional<Grid>();
  FIDUCIAL_TRY(const NiftiHeader header, read_volume_header(*path));
  if (header.rank() == 3 && header.extent() == reference.shape.extent) return std::optional(header.grid());
  return Error(ErrorCode::invalid_data,
               "volume of " + header.shape_text() + " voxels, expected " + reference.shape.extent.text() +
                   " as the masks of its prompts",
               Place{.path = path->string()});
}

Result<ControlScore> ControlScorer::score(std::size_t at) const {
  const Case& one = cases_[at];
  ControlScore out{.name = one.entry.name, .status = "missing", .reason = "no prediction of this name"};
  out.prompts = unanswered(*one.prompts);
  FIDUCIAL_TRY(const MaskFile reference, read_reference(one, out));
  if (!predictions_.has(one.entry.name)) return out;
  FIDUCIAL_TRY(const std::optional<Grid> volume, volume_of(one, reference));
  const CaseBudget budget(sources_.limits);
  Result<StoredFile> stored = predictions_.open_file(one.entry.name);
  const MaskRead read = stored.ok() ? read_mask_file(*std::move(stored), reference.shape, volume)
                                    : MaskRead{std::move(stored).error(), std::nullopt};
  if (!read.mask.ok() && stops_a_run(read.mask.error())) return read.mask.error();
  out.prediction_digest = read.digest;
  const auto fail = [&out](std::string why) {
    out.status = "failed";
    out.reason = std::move(why);
    return out;
  };
  if (auto why = unusable(read, volume)) return fail(*std::move(why));
  if (auto why = budget.overdrawn()) return fail(*std::move(why));
  std::vector<PromptScore> measured = out.prompts;
  measure(reference.channels, read.mask->channels, measured);
  out.axes = wished_axes(reference, *read.mask, measured);
  if (auto why = budget.overdrawn()) return fail(*std::move(why));
  out.prompts = std::move(measured);
  out.status = "scored";
  out.reason.clear();
  for (const Note& note : read.mask->notes)
    out.notes.push_back({out.name, note.code, note.text, Remark::Kind::note});
  return out;
}

bool ControlScorer::still_true(const ControlScore& earlier, std::size_t at) const {
  const auto digest_now = [](Result<StoredFile> file) -> std::optional<Digest> {
    if (!file.ok()) return std::nullopt;
    const Result<Digest> digest = HashingStream(std::move(file->bytes)).finish();
    return digest.ok() ? std::optional(*digest) : std::nullopt;
  };
  const Case& one = cases_[at];
  if (sources_.volumes) return false;  // they may have another place by now
  if (earlier.prompts.size() != one.prompts->size()) return false;
  if (digest_now(dataset_.open_mask(one.entry)) != earlier.reference_digest) return false;
  if (!predictions_.has(one.entry.name)) return earlier.status == "missing";
  return earlier.prediction_digest &&
         digest_now(predictions_.open_file(one.entry.name)) == earlier.prediction_digest;
}

}  // namespace fiducial
