#include "fiducial/eval/outputs/summary_values.h"

#include <algorithm>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/metrics/contract.h"

namespace fiducial {

namespace {

struct SlotTitle {
  std::string_view slot;
  std::string_view title;
};

constexpr SlotTitle slot_titles[] = {
    {"dice_per_case", "Dice, mean over cases"},
    {"dice_per_finding", "Dice, mean over findings"},
    {"dice_per_category", "Dice, mean over categories"},
    {"dice_filtered_per_finding", "Dice of kept components"},
    {"iou_per_finding", "Intersection over union"},
    {"hit_rate", "Hit rate (Dice ≥ 0.1)"},
    {"hit5_rate", "Hit rate (Dice ≥ 0.05)"},
    {"instance_precision", "Entity precision"},
    {"instance_recall", "Entity recall"},
    {"instance_f1", "Entity F1"},
    {"matched_dice", "Dice of matched entities"},
    {"component_precision", "Component precision"},
    {"component_recall", "Component recall"},
    {"component_f1", "Component F1"},
    {"component_matched_dice", "Dice of matched components"},
    {"nsd_per_finding", "Surfaces within the tolerance (NSD)"},
    {"hd95_per_finding", "Hausdorff distance, 95 %"},
    {"assd_per_finding", "Mean surface distance"},
    {"distance_precision", "Entity precision by distance"},
    {"distance_recall", "Entity recall by distance"},
    {"distance_f1", "Entity F1 by distance"},
    {"accuracy", "Accuracy"},
    {"accuracy_strict", "Accuracy of plain answers"},
    {"step_factuality", "Factual steps"},
    {"critical_step_factuality", "Factual critical steps"},
    {"error_share_reasoning", "False steps: errors of reasoning"},
    {"error_share_reasoning_critical", "False critical steps: errors of reasoning"},
    {"error_share_image_understanding", "False steps: images misread"},
    {"error_share_image_understanding_critical", "False critical steps: images misread"},
    {"error_share_clinical_scenario", "False steps: scenario mistaken"},
    {"error_share_clinical_scenario_critical", "False critical steps: scenario mistaken"},
    {"error_share_medical_knowledge", "False steps: wrong knowledge"},
    {"error_share_medical_knowledge_critical", "False critical steps: wrong knowledge"},
    {"critical_error_rate", "Cases with a critical error"},
    {"right_for_wrong_reason", "Right for the wrong reason"},
    {"education_value", "Education value, 0 to 10"},
    {"education_disease_definition", "Education: disease definition, 0 to 2"},
    {"education_clinical_manifestation", "Education: clinical manifestation, 0 to 2"},
    {"education_imaging_findings", "Education: imaging findings, 0 to 2"},
    {"education_diagnostic_reasoning", "Education: diagnostic reasoning, 0 to 2"},
    {"education_transferable_learning", "Education: transferable learning, 0 to 2"},
    {"discussion_sections", "Sections of discussions present"},
    {"history_known", "Histories recited from memory"},
    {"history_similarity", "Similarity of continued histories"},
    {"discussion_sentence_correctness", "Correct sentences of discussions"},
    {"presence_accuracy", "Presence: accuracy"},
    {"abnormality_exact", "Abnormalities: exact lists"},
    {"abnormality_f1", "Abnormalities: F1 of lists"},
    {"location_exact", "Location: exact path"},
    {"location_head", "Location: same region"},
    {"location_path", "Location: shared path"},
    {"location_any_of", "Location: any reference path"},
    {"size_error", "Size: error"},
    {"size_agreement", "Size: agreement"},
    {"disorders_exact", "Disorders: exact lists"},
    {"disorders_f1", "Disorders: F1 of lists"},
    {"clinical_f1", "Abnormalities in texts: F1"},
    {"fact_precision", "Facts: precision"},
    {"fact_recall", "Facts: recall"},
    {"fact_f1", "Facts: F1"},
    {"matched_fact_dice", "Dice of matched facts"},
    {"grounded_precision", "Grounded facts: precision"},
    {"grounded_recall", "Grounded facts: recall"},
    {"grounded_f1", "Grounded facts: F1"},
    {"region_alignment", "Sentences shown where they say"},
    {"mask_dice", "Masks: Dice, mean over structures"},
    {"mask_nsd", "Masks: surfaces within the tolerance (NSD)"},
    {"mask_hd95", "Masks: Hausdorff distance, 95 %"},
    {"mask_hd95_penalised", "Masks: Hausdorff distance, 95 %, failures penalised"},
    {"answered", "Answered"},
};

// What texts of a step are compared by, without the step.
constexpr SlotTitle text_titles[] = {
    {"rouge_1", "ROUGE-1"},         {"rouge_2", "ROUGE-2"},
    {"rouge_l", "ROUGE-L"},         {"rouge_lsum", "ROUGE-Lsum"},
    {"mean_bleu_1", "Mean BLEU-1"}, {"mean_bleu_2", "Mean BLEU-2"},
    {"mean_bleu_3", "Mean BLEU-3"}, {"mean_bleu_4", "Mean BLEU-4"},
    {"bleu_1", "BLEU-1"},           {"bleu_2", "BLEU-2"},
    {"bleu_3", "BLEU-3"},           {"bleu_4", "BLEU-4"},
    {"meteor", "METEOR"},           {"meteor_wordnet", "METEOR with synonyms"},
    {"cider_d", "CIDEr-D"},         {"radcliq_v0", "RadCliQ-v0"},
    {"radcliq_v1", "RadCliQ-v1"}};

constexpr SlotTitle step_titles[] = {{"_step1", "per-image findings"}, {"_step2", "summaries"}};

// "ROUGE-L of summaries"; empty where the slot is no text of a step.
std::string step_text_title(std::string_view slot) {
  for (const SlotTitle& step : step_titles) {
    if (!slot.ends_with(step.slot)) continue;
    const std::string_view text = slot.substr(0, slot.size() - step.slot.size());
    for (const SlotTitle& known : text_titles) {
      if (known.slot != text) continue;
      return std::string(known.title) + " of " + std::string(step.title);
    }
  }
  return "";
}

// The title of the contract that a metric's id begins with: parameters may follow it.
std::string contract_title(std::string_view metric) {
  static const std::vector<MetricContract> contracts = all_contracts();
  const MetricContract* best = nullptr;
  for (const MetricContract& contract : contracts) {
    const bool fits = metric.starts_with(contract.id) &&
                      (metric.size() == contract.id.size() || metric[contract.id.size()] == '_');
    if (fits && (best == nullptr || best->id.size() < contract.id.size())) best = &contract;
  }
  return best == nullptr ? "" : best->title;
}

// Shares to the third digit; a hundredth of a millimetre is below any CT's voxels.
std::string number_text(double number, const ReportedValue& of) {
  return fixed(number, of.unit == "mm" ? 2 : 3);
}

}  // namespace

std::optional<ReportedValue> reported_value(const Json* slots, std::string_view slot) {
  const Json* found = slots == nullptr ? nullptr : slots->find(slot);
  if (found == nullptr) return std::nullopt;
  ReportedValue out{.reason = text_at(*found, "reason"),
                    .n = integer_at(*found, "n"),
                    .n_undefined = integer_at(*found, "n_undefined"),
                    .n_failed = integer_at(*found, "n_failed"),
                    .metric = text_at(*found, "metric"),
                    .version = integer_at(*found, "version"),
                    .unit = text_at(*found, "unit"),
                    .is_share = text_at(*found, "better") == "higher",
                    .lower_is_better = text_at(*found, "better") == "lower"};
  if (const Json* value = found->find("value")) out.value = value->as_number();
  if (const std::string* why = find_string(*found, "no_interval")) out.reason = "no interval: " + *why;
  const Json* wilson = found->find("wilson95");
  const Json* interval = wilson != nullptr && !wilson->is_null() ? wilson : found->find("ci95");
  if (interval != nullptr && interval->as_array() != nullptr && interval->as_array()->size() == 2) {
    out.low = interval->as_array()->front().as_number();
    out.high = interval->as_array()->back().as_number();
  }
  if (std::max(out.value.value_or(0), out.high.value_or(0)) > 1 || !out.unit.empty()) out.is_share = false;
  return out;
}

const Json* summary_at(const Json& summary, std::initializer_list<std::string_view> way) {
  const Json* at = &summary;
  for (const std::string_view step : way) {
    if (at != nullptr) at = at->find(step);
  }
  return at;
}

std::string summary_text(const Json& summary, std::initializer_list<std::string_view> way) {
  const Json* found = summary_at(summary, way);
  if (found == nullptr) return "";
  return found->as_string() != nullptr ? *found->as_string() : found->compact();
}

std::int64_t summary_count(const Json& summary, std::initializer_list<std::string_view> way) {
  const Json* found = summary_at(summary, way);
  return found != nullptr && found->as_integer() != nullptr ? *found->as_integer() : 0;
}

std::optional<double> summary_number(const Json& summary, std::initializer_list<std::string_view> way) {
  const Json* found = summary_at(summary, way);
  return found == nullptr ? std::nullopt : found->as_number();
}

std::vector<std::string> titled_slots() {
  std::vector<std::string> out;
  for (const SlotTitle& each : slot_titles) out.emplace_back(each.slot);
  return out;
}

std::string slot_title(std::string_view slot, std::string_view metric) {
  for (const SlotTitle& known : slot_titles) {
    if (known.slot == slot) return std::string(known.title);
  }
  for (const SlotTitle& known : text_titles) {
    if (known.slot == slot) return std::string(known.title);
  }
  if (std::string text = step_text_title(slot); !text.empty()) return text;
  if (std::string title = contract_title(metric); !title.empty()) return title;
  std::string out(slot);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

std::string value_text(const ReportedValue& value) {
  if (!value.value) return "undefined";
  return number_text(*value.value, value) + (value.unit.empty() ? "" : " " + value.unit);
}

std::string interval_text(const ReportedValue& value) {
  if (!value.low || !value.high) return "";
  return number_text(*value.low, value) + " – " + number_text(*value.high, value) +
         (value.unit.empty() ? "" : " " + value.unit);
}

}  // namespace fiducial
