#include "fiducial/tasks/controls/control_run.h"

#include <functional>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/run/score_family.h"
#include "fiducial/metrics/control_contracts.h"
#include "fiducial/metrics/metric.h"

namespace fiducial {

namespace {

// The value of one prompt of a case; nothing where the prompt is none that is asked for.
using PromptValue = std::function<std::optional<double>(const ScoredControls&, std::size_t prompt)>;

// Calls visit(unit, case, prompt) for every prompt, in the order of the run's units.
template <typename Visit>
void visit_prompts(const std::vector<ScoredControls>& cases, Visit visit) {
  std::size_t unit = 0;
  for (const ScoredControls& each : cases) {
    for (std::size_t prompt = 0; prompt < each.score.prompts.size(); ++prompt) visit(unit++, each, prompt);
  }
}

ControlKind kind_at(const ScoredControls& scored, std::size_t prompt) {
  return scored.score.prompts[prompt].kind;
}

class ControlColumns {
 public:
  ControlColumns(ScoreRun& run, const std::vector<ScoredControls>& cases, std::int64_t least_voxels)
      : run_(run), cases_(cases), least_voxels_(least_voxels) {}

  ControlValues of(const ScoredControls& scored) const { return {scored.score, least_voxels_}; }

  // A measure over the prompts that have a value, each of which counts once.
  void add(const std::string& slot, const MetricContract& contract, const char* counted,
           const PromptValue& value) {
    ScoreFamily family{.name = slot,
                       .absence = "no such prompt",
                       .counted = counted,
                       .counts = UnitValues(run_.units.size()),
                       .failed = UnitValues(run_.units.size())};
    FamilyMeasure& measure = family.add(slot, contract);
    if (least_voxels_ > 1 && contract.parameters.find("--alarm-voxels") != std::string::npos)
      measure.variant = "_min" + decimal(least_voxels_);
    visit_prompts(cases_, [&](std::size_t unit, const ScoredControls& scored, std::size_t prompt) {
      const std::optional<double> found = value(scored, prompt);
      if (!found) return;
      family.counts[unit] = 1;
      family.failed[unit] = scored.score.is_usable() ? 0 : 1;
      measure.sums[unit] = *found;
    });
    add_family(run_, std::move(family));
  }

 private:
  ScoreRun& run_;
  const std::vector<ScoredControls>& cases_;
  std::int64_t least_voxels_;
};

bool is_first_of(const ScoredControls& scored, std::size_t prompt, bool (*wanted)(ControlKind)) {
  for (std::size_t i = 0; i < prompt; ++i) {
    if (wanted(kind_at(scored, i))) return false;
  }
  return wanted(kind_at(scored, prompt));
}

bool is_finding(ControlKind kind) { return kind == ControlKind::finding; }
bool is_paraphrase(ControlKind kind) { return kind == ControlKind::paraphrase; }
bool is_silent(ControlKind kind) { return kind == ControlKind::silent; }

using CaseValue = std::optional<double> (ControlValues::*)() const;
using KindValue = double (ControlValues::*)(std::size_t) const;

// What a value is of every prompt of a kind, and of the first one of a case that has it.
PromptValue of_kind(const ControlColumns& columns, bool (*wanted)(ControlKind), KindValue value) {
  return
      [&columns, wanted, value](const ScoredControls& scored, std::size_t prompt) -> std::optional<double> {
        if (!wanted(kind_at(scored, prompt))) return std::nullopt;
        return (columns.of(scored).*value)(prompt);
      };
}
PromptValue of_case(const ControlColumns& columns, bool (*wanted)(ControlKind), CaseValue value) {
  return
      [&columns, wanted, value](const ScoredControls& scored, std::size_t prompt) -> std::optional<double> {
        if (!is_first_of(scored, prompt, wanted)) return std::nullopt;
        return (columns.of(scored).*value)();
      };
}

void add_measures(ScoreRun& run, const std::vector<ScoredControls>& cases, std::int64_t least_voxels) {
  ControlColumns columns(run, cases, least_voxels);
  const PromptValue listening = [&](const ScoredControls& scored, std::size_t at) -> std::optional<double> {
    if (!is_finding(kind_at(scored, at))) return std::nullopt;
    return columns.of(scored).listening(at);
  };
  const auto add = [&](const char* id, const char* counted, const PromptValue& value) {
    columns.add(id, control_contract(id), counted, value);
  };
  add("listening", "findings", listening);
  add("grounded_listening", "prompts", of_kind(columns, is_swapped, &ControlValues::grounded_listening));
  add("swap_movement", "prompts", of_kind(columns, is_swapped, &ControlValues::movement));
  add("paraphrase_movement", "prompts", of_kind(columns, is_paraphrase, &ControlValues::movement));
  add("paraphrase_consistency", "prompts", of_kind(columns, is_paraphrase, &ControlValues::consistency));
  add("false_alarm_rate", "prompts", of_kind(columns, must_be_empty, &ControlValues::alarm));
  add("false_alarms_per_scan", "cases", of_case(columns, must_be_empty, &ControlValues::alarms));
  add("discrimination", "cases", of_case(columns, is_finding, &ControlValues::discrimination));
  add("silent_answer_rate", "prompts", of_kind(columns, is_silent, &ControlValues::alarm));
  columns.add("dice_per_finding", find_mask_metric("dice")->contract, "findings",
              of_kind(columns, is_finding, &ControlValues::dice));
}

GroupKind groups_by(const char* name, const std::vector<ScoredControls>& cases,
                    const std::function<std::string(const ScoredControls&, std::size_t)>& label) {
  std::map<std::string, LabelledUnits> by_label;
  visit_prompts(cases, [&](std::size_t unit, const ScoredControls& scored, std::size_t prompt) {
    const std::string found = label(scored, prompt);
    if (found.empty()) return;
    LabelledUnits& group = by_label[found];
    group.label = found;
    group.members.push_back(static_cast<std::uint32_t>(unit));
  });
  GroupKind out{.kind = name};
  for (auto& [found, group] : by_label) out.groups.push_back(std::move(group));
  return out;
}

void add_case(ScoreRun& run, const ScoredControls& scored) {
  const auto at = static_cast<std::uint32_t>(run.cases.size());
  const ControlScore& score = scored.score;
  run.cases.push_back({score.name, scored.patient, scored.position, to_json(score).compact()});
  for (std::size_t i = 0; i < score.prompts.size(); ++i)
    run.units.push_back({at, static_cast<std::uint32_t>(i)});
  run.files.push_back({.name = score.name,
                       .reference = "segmentations/" + score.name,
                       .reference_digest = score.reference_digest,
                       .prediction_digest = score.prediction_digest,
                       .ignored_digest = {},
                       .spacing_mm = {}});
  if (!score.is_usable()) {
    run.remarks.push_back({score.name, score.status, score.reason, Remark::Kind::failure});
    ++run.failures;
  }
  run.remarks.insert(run.remarks.end(), score.notes.begin(), score.notes.end());
}

}  // namespace

void add_controls(ScoreRun& run, const std::vector<ScoredControls>& cases, std::int64_t least_voxels) {
  run.is_sparse = true;
  for (const ScoredControls& scored : cases) add_case(run, scored);
  run.attempts = static_cast<std::int64_t>(cases.size());
  add_measures(run, cases, least_voxels);
  // What a prompt is for is the answer to it.
  run.groups.push_back(groups_by("control", cases, [](const ScoredControls& scored, std::size_t prompt) {
    return std::string(to_string(kind_at(scored, prompt)));
  }));
  run.groups.back().tells_answers = true;
  run.groups.push_back(groups_by("category", cases, [](const ScoredControls& scored, std::size_t prompt) {
    return (*scored.prompts)[prompt].category;
  }));
}

}  // namespace fiducial
