#include <cmath>
#include <iterator>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/finding_cards.h"
#include "fiducial/pages/task_page.h"
#include "fiducial/pages/unit_scores.h"

namespace fiducial {

namespace {

constexpr std::size_t worst_shown = 6;
constexpr std::size_t best_shown = 3;

// How well it went, in words that need no table.
Html mask_lead(const Json& summary) {
  const auto dice = reported_value(summary.find("metrics"), "dice_per_case");
  const auto hits = reported_value(summary.find("metrics"), "hit_rate");
  Html out;
  if (dice && dice->value) {
    const std::string interval = interval_text(*dice);
    out += Html::of_text("On average over cases, predicted and reference regions overlap with a Dice of ") +
           bold(value_text(*dice) + (interval.empty() ? "" : ", 95 % interval " + interval)) +
           Html::of_text(".");
  }
  if (hits && hits->value) {
    const auto found = static_cast<std::int64_t>(std::llround(*hits->value * static_cast<double>(hits->n)));
    out += Html::of_text(" ") + bold(decimal(found) + " of " + counted(hits->n, "finding", "findings")) +
           Html::of_text(" (" + fixed(*hits->value * 100, 0) +
                         " %) were hit, that is, overlapped with a Dice of at least 0.1.");
  }
  return out;
}

Html predictions_verdict(const Json& summary) {
  const std::int64_t cases = summary_count(summary, {"counts", "cases"});
  const std::int64_t missing = summary_count(summary, {"counts", "missing"});
  const std::int64_t failed = summary_count(summary, {"counts", "failed"});
  if (missing + failed == 0)
    return verdict(true, "Every prediction was read",
                   counted(cases, "case", "cases") + ", none missing, none refused.");
  return verdict(
      false, decimal(missing + failed) + " of " + counted(cases, "prediction", "predictions") + " not scored",
      decimal(missing) + " missing, " + decimal(failed) + " refused or unreadable. " +
          (summary_text(summary, {"mode"}) == "strict" ? "They count as 0 in strict." : ""));
}

Html orientation_verdict(const Json& summary) {
  const Json* found = summary.find("orientation");
  if (found == nullptr || found->is_null())
    return verdict(true, "Orientation as expected", "No flip or swap of axes fits the reference better.");
  const auto dice = [found](const char* key) {
    const auto value = number_at(*found, key);
    return value ? fixed(*value, 3) : std::string("unknown");
  };
  const Json::Array* named = find_array(*found, "cases");
  return verdict(false, "Axes look turned around",
                 decimal(named == nullptr ? 0 : named->size()) + " of " +
                     counted(summary_count(summary, {"counts", "cases"}), "case", "cases") +
                     " fit better under “" + text_at(*found, "transform") + "”: their Dice would be " +
                     dice("dice_transformed") + " instead of " + dice("dice_as_is") +
                     ". Scores below are of the files as they are.");
}

Html scorers_verdict(const Json& summary) {
  const auto strict = reported_value(summary.find("metrics"), "dice_per_case");
  const auto official = reported_value(summary.find("official"), "dice_per_case");
  if (!strict || !official)
    return verdict(true, "One scorer", "Scored by " + summary_text(summary, {"mode"}) + " rules only.");
  if (!official->value || !strict->value)
    return verdict(false, "The official scorer gives no value", official->reason);
  const bool agree = std::abs(*strict->value - *official->value) < 0.005;
  return verdict(agree, agree ? "Both scorers agree" : "The scorers differ",
                 "Mean Dice over cases: strict " + value_text(*strict) + " (n " + decimal(strict->n) +
                     "), official " + value_text(*official) + " (n " + decimal(official->n) + ").");
}

Result<PageSection> findings_of(const RunPage& page) {
  PageSection out{"findings", "Findings to look at", {}, {}};
  const ScoreColumn* dice = column_of(page.run, "dice_per_finding");
  if (page.is_private() || dice == nullptr) return out;
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(page.dataset));
  FIDUCIAL_TRY(const PredictionFiles predictions, PredictionFiles::open(page.predictions));
  FIDUCIAL_TRY(const std::vector<std::int64_t> voxels, reference_voxels(page.run));
  const PictureSource source{page.run, *opened.dataset, predictions, page.volumes};
  const Extremes extremes = extremes_of(page.run, *dice, worst_shown, best_shown);
  std::vector<std::size_t> chosen = extremes.worst;
  chosen.insert(chosen.end(), extremes.best.begin(), extremes.best.end());
  if (chosen.empty()) return out;
  std::vector<ShownFinding> worst = shown_findings(chosen, source, Executor(page.threads));
  const auto middle = worst.begin() + static_cast<std::ptrdiff_t>(extremes.worst.size());
  const std::vector<ShownFinding> best(std::make_move_iterator(middle), std::make_move_iterator(worst.end()));
  worst.erase(middle, worst.end());
  out.body = fill("findings_legend") + fill("subtitle", {{"title", "Weakest findings"}}) +
             fill("note", {{"text", "The lowest Dice among predictions that could be read."}}) +
             finding_cards(page.run, worst, voxels, "weak");
  if (!best.empty())
    out.body += fill("subtitle", {{"title", "Strongest findings"}}) +
                fill("note", {{"text", "The highest Dice, by the same rule."}}) +
                finding_cards(page.run, best, voxels, "strong");
  out.body += fill("subtitle", {{"title", "Every finding"}}) +
              folded("The list, lowest Dice first", finding_list(source, voxels));
  return out;
}

}  // namespace

Result<TaskPage> finding_masks_page(const RunPage& page) {
  const Json& summary = page.summary;
  TaskPage out{
      .lead = mask_lead(summary),
      .verdicts = predictions_verdict(summary) + orientation_verdict(summary) + scorers_verdict(summary),
      .tiles = {"dice_per_case", "dice_per_finding", "hit_rate", "instance_f1"},
      .groups = {.plots = {"dice_per_finding"},
                 .columns = {"dice_per_finding", "hit_rate", "instance_f1"},
                 .kinds = {"category", "size_voxels"},
                 .unit = "finding"}};
  out.counts = counted(summary_count(summary, {"counts", "cases"}), "case", "cases") + ", " +
               counted(summary_count(summary, {"counts", "findings"}), "finding", "findings");
  out.values_note = Html::of_text(
      "Strict counts a missing or unreadable prediction as 0 and keeps undefined values out of means. "
      "Official follows the rules of the published scorer, which leaves missing predictions out. Intervals "
      "are "
      "95 %, resampled over patients. A ceiling is what the reference scores as its own prediction; a floor "
      "is "
      "what the baseline of --floor scores.");
  FIDUCIAL_TRY(out.after_groups.emplace_back(), findings_of(page));
  return out;
}

}  // namespace fiducial
