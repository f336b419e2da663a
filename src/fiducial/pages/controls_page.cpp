#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/controls/control_prompts.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/task_page.h"
#include "fiducial/tasks/controls/control_score.h"

namespace fiducial {

namespace {

constexpr std::size_t prompts_shown = 6;

std::optional<double> value_of(const Json& summary, const char* slot) {
  const auto found = reported_value(summary.find("metrics"), slot);
  return found ? found->value : std::nullopt;
}

Html controls_lead(const Json& summary) {
  const auto listening = value_of(summary, "listening");
  const auto alarms = value_of(summary, "false_alarm_rate");
  Html out;
  if (listening) {
    out += Html::of_text("Masks move by ") + bold(fixed(*listening, 3)) +
           Html::of_text(" more when the side or lobe is swapped than when only words change. ");
  }
  if (alarms) {
    out += Html::of_text("Of the prompts that ask for what is not there, ") +
           bold(fixed(100 * *alarms, 1) + " %") + Html::of_text(" are answered.");
  }
  return out;
}

Html listening_verdict(const Json& summary) {
  const auto found = reported_value(summary.find("metrics"), "listening");
  if (!found || !found->value) return {};
  if (*found->value <= 0)
    return verdict(false, "It does not listen",
                   "Another side or lobe moves masks no more than other words do.");
  if (!found->low) return {};
  return *found->low > 0 ? verdict(true, "It listens", "The interval of listening lies above 0.")
                         : verdict(false, "Listening may be chance", "The interval of listening holds 0.");
}

Html silence_verdict(const Json& summary) {
  const auto found = value_of(summary, "discrimination");
  if (!found) return {};
  return verdict(*found > 0.5,
                 *found > 0.5 ? "It tells what is there from what is not"
                              : "It hardly tells what is there from what is not",
                 "Findings that are answered, less denied ones that are: " + fixed(*found, 3) + ".");
}

// A prompt that was answered wrongly, and how wrongly.
struct WrongAnswer {
  double weight = 0;
  std::string case_name;
  const ControlPrompt* prompt = nullptr;
  std::string expected;
  std::string found;
};

// What a denied prompt rests on.
std::string denial_of(const ControlPrompt& prompt) {
  const Json* said = prompt.origin.find("denied_by");
  return said == nullptr ? "" : text_at(*said, "words");
}

std::optional<WrongAnswer> wrong_answer(const ControlScore& score, const std::vector<ControlPrompt>& prompts,
                                        std::size_t at) {
  const PromptScore& answer = score.prompts[at];
  const ControlPrompt& prompt = prompts[at];
  if (must_be_empty(answer.kind) && answer.voxels > 0) {
    return WrongAnswer{1, score.name, &prompt, "no voxel: the report says \"" + denial_of(prompt) + "\"",
                       decimal(answer.voxels) + " voxels"};
  }
  if (is_swapped(answer.kind) && answer.same > 0) {
    const std::string& own = prompts[static_cast<std::size_t>(prompt.finding)].text;
    return WrongAnswer{answer.same, score.name, &prompt, "another place than \"" + own + "\"",
                       "Dice " + fixed(answer.same, 3) + " with the mask that those words gave"};
  }
  return std::nullopt;
}

Html answers_of(std::vector<WrongAnswer> wrong, const std::string& split) {
  std::stable_sort(wrong.begin(), wrong.end(),
                   [](const WrongAnswer& a, const WrongAnswer& b) { return a.weight > b.weight; });
  // No two of one case follow each other.
  Html out;
  std::size_t shown = 0;
  std::string last;
  for (const WrongAnswer& each : wrong) {
    if (shown == prompts_shown) break;
    if (each.case_name == last) continue;
    last = each.case_name;
    ++shown;
    out += fill("example", {{"question", each.prompt->text},
                            {"where", each.case_name + ", " + split},
                            {"score", fixed(each.weight, 3)},
                            {"score_name", std::string(to_string(each.prompt->kind))},
                            {"reference", fill("paragraph", {{"text", each.expected}})},
                            {"prediction", fill("paragraph", {{"text", each.found}})},
                            {"remark", ""}});
  }
  return out;
}

Result<PageSection> prompts_section(const RunPage& page) {
  PageSection out{
      "prompts",
      "Prompts to look at",
      Html::of_text("Answers to what the report denies, and masks that stayed where they were when "
                    "the words named another place."),
      {}};
  if (page.is_private() || page.run.cases.empty()) return out;
  FIDUCIAL_TRY(const ControlsFile controls, read_controls(page.dataset));
  std::vector<WrongAnswer> wrong;
  for (const RunCase& entry : page.run.cases) {
    FIDUCIAL_TRY(const Json evidence, parse_json(entry.evidence));
    FIDUCIAL_TRY(const ControlScore score, parse_control_score(evidence));
    const auto prompts = controls.cases.find(entry.name);
    if (!score.is_usable() || prompts == controls.cases.end() ||
        prompts->second.size() != score.prompts.size())
      continue;
    for (std::size_t i = 0; i < score.prompts.size(); ++i) {
      if (auto found = wrong_answer(score, prompts->second, i)) wrong.push_back(*std::move(found));
    }
  }
  out.body = answers_of(std::move(wrong), page.run.split);
  return out;
}

}  // namespace

Result<TaskPage> controls_page(const RunPage& page) {
  const Json& summary = page.summary;
  TaskPage out{
      .lead = controls_lead(summary),
      .verdicts = listening_verdict(summary) + silence_verdict(summary),
      .tiles = {"listening", "discrimination", "false_alarms_per_scan", "paraphrase_consistency"},
      .groups = {.plots = {"listening"},
                 .columns = {"false_alarm_rate", "grounded_listening", "paraphrase_consistency",
                             "dice_per_finding"},
                 .kinds = {"control", "category"},
                 .unit = "prompt"},
      .limits = {"Prompts are made by rules from reports: what the rules read wrongly, a prompt asks "
                 "wrongly.",
                 "A swapped place is one that the report does not speak of: a model that marks "
                 "something there may be right. No false alarm is counted for it.",
                 "A model that answers nothing has no false alarms: read them beside listening."}};
  out.values_note = Html::of_text(
      "A case without a usable prediction answers no finding, and every prompt that must be empty. Intervals "
      "are 95 %, resampled over patients.");
  FIDUCIAL_TRY(out.after_groups.emplace_back(), prompts_section(page));
  return out;
}

}  // namespace fiducial
