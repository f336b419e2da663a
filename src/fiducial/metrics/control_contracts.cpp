#include "fiducial/metrics/control_contracts.h"

#include <algorithm>

#include "fiducial/base/error.h"

namespace fiducial {

namespace {

constexpr const char* no_prompt = "undefined: the scan has no such prompt";
constexpr const char* movement_words =
    "movement of a mask: 1 - Dice with the mask that the finding's own words gave; 0 where these gave none, "
    "as "
    "nothing can move then";

MetricContract control(MetricContract out, std::optional<double> missing) {
  out.input = "masks of prompts";
  out.group = "controls";
  out.empty.both = no_prompt;
  out.empty.reference = no_prompt;
  if (out.empty.missing.empty())
    out.empty.missing = missing ? "the worst: " + out.empty.prediction : no_prompt;
  out.empty.missing_value = missing;
  out.valid_for = "findings with reference masks, and prompts made of them and of reports (curate controls)";
  out.citation = "Fiducial, docs/formats/controls.md";
  return out;
}

std::vector<MetricContract> contracts_of_listening() {
  return {
      control(
          {.id = "listening",
           .title = "Listening: movement by another meaning less movement by other words",
           .range = "[-1, 1]",
           .empty = {.prediction = "0 where the finding's own words gave no voxel", .missing = "0"},
           .definition = "a finding's mean movement over prompts with its side or lobe swapped, less that "
                         "over its paraphrases; mean over findings that have both",
           .parameters = movement_words},
          0),
      control(
          {.id = "grounded_listening",
           .title = "Grounded listening: Dice lost when the side or lobe is swapped",
           .range = "[-1, 1]",
           .empty = {.prediction = "0 where both masks have no voxel", .missing = "0"},
           .definition = "Dice of the finding's own prompt with the finding's reference, less that of the "
                         "prompt with side or lobe swapped; mean over swapped prompts"},
          0),
      control(
          {.id = "swap_movement",
           .title = "Movement when side or lobe is swapped",
           .better = Direction::none,
           .range = "[0, 1]",
           .empty = {.prediction = "0 where the finding's own words gave no voxel, else 1", .missing = "0"},
           .definition = "mean movement over prompts with the side or lobe swapped: much of it may be noise, "
                         "so that it is told beside that of paraphrases",
           .parameters = movement_words},
          0),
      control(
          {.id = "paraphrase_movement",
           .title = "Movement when only words change",
           .better = Direction::none,
           .range = "[0, 1]",
           .empty = {.prediction = "0 where the finding's own words gave no voxel, else 1", .missing = "0"},
           .definition = "mean movement over paraphrases: what a change of words does that means nothing",
           .parameters = movement_words},
          0),
      control({.id = "paraphrase_consistency",
               .title = "Consistency under paraphrase",
               .range = "[0, 1]",
               .empty = {.prediction = "0, also where both masks have no voxel: the finding is there",
                         .missing = "0"},
               .definition = "Dice of the masks of a paraphrase and of the finding's own words; mean over "
                             "paraphrases"},
              0)};
}

std::vector<MetricContract> contracts_of_alarms() {
  const char* answered = "a prompt is answered where its mask has a voxel, or as many as --alarm-voxels says";
  return {
      control({.id = "false_alarm_rate",
               .title = "False alarms of prompts that must be empty",
               .better = Direction::lower,
               .range = "[0, 1]",
               .empty = {.prediction = "0: the right answer", .missing = "1: as if it were answered"},
               .definition = "answered prompts / prompts, of findings that the report denies and of other "
                             "patients' findings that it denies",
               .parameters = answered},
              1),
      control({.id = "false_alarms_per_scan",
               .title = "False alarms per scan",
               .better = Direction::lower,
               .range = "[0, inf)",
               .unit = "prompts",
               .empty = {.prediction = "0: the right answer",
                         .missing = "as many as the scan has prompts that must be empty"},
               .definition = "answered prompts that must be empty; mean over scans that have such",
               .parameters = answered},
              std::nullopt),
      control(
          {.id = "discrimination",
           .title = "Discrimination: findings answered less denied ones answered",
           .range = "[-1, 1]",
           .empty = {.prediction = "0 where nothing is answered", .missing = "-1"},
           .definition = "share of a scan's findings that are answered, less the share of its prompts that "
                         "must be empty and are answered; mean over scans that have both",
           .parameters = answered},
          -1),
      control(
          {.id = "silent_answer_rate",
           .title = "Answers to findings that the report does not speak of",
           .better = Direction::none,
           .range = "[0, 1]",
           .empty = {.prediction = "0", .missing = "1: as if it were answered"},
           .definition = "answered prompts / prompts, of other patients' findings that this report neither "
                         "states nor denies: nobody knows whether they are false alarms",
           .parameters = answered},
          1)};
}

}  // namespace

const std::vector<MetricContract>& control_contracts() {
  static const std::vector<MetricContract> all = [] {
    std::vector<MetricContract> out = contracts_of_listening();
    for (MetricContract& each : contracts_of_alarms()) out.push_back(std::move(each));
    return out;
  }();
  return all;
}

const MetricContract& control_contract(std::string_view id) {
  const std::vector<MetricContract>& all = control_contracts();
  const auto found =
      std::find_if(all.begin(), all.end(), [id](const MetricContract& each) { return each.id == id; });
  FIDUCIAL_ASSERT(found != all.end());
  return *found;
}

}  // namespace fiducial
