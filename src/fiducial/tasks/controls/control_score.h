#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"
#include "fiducial/datasets/controls/control_prompts.h"
#include "fiducial/eval/run/score_run.h"

namespace fiducial {

// What a model answered to one prompt.
struct PromptScore {
  ControlKind kind = ControlKind::finding;
  std::int64_t finding = 0;  // the channel of the finding it is made of
  std::int64_t voxels = 0;   // of the predicted mask
  double dice = 0;           // with the reference of its finding; of prompts without one 0
  double same = 0;           // Dice with the mask that the finding's own words gave; 0 where that is empty
};

// The rearrangement of axes that would fit the findings much better.
struct AxesWish {
  std::string transform;
  double dice_as_is = 0;
  double dice_transformed = 0;
};

// What scoring the prompts of a case gives. Without a usable prediction every prompt has the worst answer.
struct ControlScore {
  std::string name;
  std::string status;  // "scored", "missing" or "failed"
  std::string reason;
  std::vector<PromptScore> prompts;
  Digest reference_digest;
  std::optional<Digest> prediction_digest;
  std::optional<AxesWish> axes;
  std::vector<Remark> notes;

  bool is_usable() const { return status == "scored"; }
};

// Nothing is lost on the way to JSON and back.
Json to_json(const ControlScore& score);
Result<ControlScore> parse_control_score(const Json& value);

// The values of a case, by the contracts of metrics/control_contracts.h. A prompt is answered where its mask
// has at least `least_voxels`.
class ControlValues {
 public:
  ControlValues(const ControlScore& score, std::int64_t least_voxels)
      : score_(score), least_voxels_(least_voxels) {}

  double dice(std::size_t prompt) const { return usable() ? at(prompt).dice : 0; }
  // How far a mask moved from the one that the finding's own words gave.
  double movement(std::size_t prompt) const;
  double consistency(std::size_t prompt) const { return usable() ? at(prompt).same : 0; }
  // By how much the finding is fitted worse by the changed words than by its own.
  double grounded_listening(std::size_t prompt) const;
  // Of a finding: by how much more its mask moves when the meaning changes than when only words do. Nothing
  // where it has no prompt of either kind.
  std::optional<double> listening(std::size_t finding) const;
  double alarm(std::size_t prompt) const { return is_answered(prompt) ? 1 : 0; }
  // How many of the prompts that must be empty are answered; nothing where the case has none.
  std::optional<double> alarms() const;
  // Findings that are answered less answers to what must be empty, as shares; nothing where either is
  // missing.
  std::optional<double> discrimination() const;

 private:
  bool usable() const { return score_.is_usable(); }
  const PromptScore& at(std::size_t prompt) const { return score_.prompts[prompt]; }
  // A case without a usable prediction counts as one that answers wherever that is wrong, and nowhere else.
  bool is_answered(std::size_t prompt) const;
  template <typename Wanted>
  std::optional<double> mean_movement(std::size_t finding, Wanted wanted) const;

  const ControlScore& score_;
  std::int64_t least_voxels_;
};

}  // namespace fiducial
