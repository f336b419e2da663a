#include "fiducial/report/report_values.h"

#include <algorithm>

#include "fiducial/base/number_text.h"

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
    {"nsd_per_finding", "Surfaces within the tolerance (NSD)"},
    {"hd95_per_finding", "Hausdorff distance, 95 %"},
    {"assd_per_finding", "Mean surface distance"},
    {"distance_precision", "Entity precision by distance"},
    {"distance_recall", "Entity recall by distance"},
    {"distance_f1", "Entity F1 by distance"},
    {"accuracy", "Accuracy"},
    {"accuracy_strict", "Accuracy of plain answers"},
    {"rouge_1_step1", "ROUGE-1 of per-image findings"},
    {"rouge_2_step1", "ROUGE-2 of per-image findings"},
    {"rouge_l_step1", "ROUGE-L of per-image findings"},
    {"rouge_lsum_step1", "ROUGE-Lsum of per-image findings"},
    {"rouge_1_step2", "ROUGE-1 of summaries"},
    {"rouge_2_step2", "ROUGE-2 of summaries"},
    {"rouge_l_step2", "ROUGE-L of summaries"},
    {"rouge_lsum_step2", "ROUGE-Lsum of summaries"},
    {"radcliq_v0_step1", "RadCliQ-v0 of per-image findings (lower is better)"},
    {"radcliq_v1_step1", "RadCliQ-v1 of per-image findings (lower is better)"},
    {"radcliq_v0_step2", "RadCliQ-v0 of summaries (lower is better)"},
    {"radcliq_v1_step2", "RadCliQ-v1 of summaries (lower is better)"},
    {"step_factuality", "Factual steps"},
    {"critical_step_factuality", "Factual critical steps"},
    {"critical_error_rate", "Cases with a critical error (lower is better)"},
    {"right_for_wrong_reason", "Right for the wrong reason (lower is better)"},
    {"education_value", "Education value, 0 to 10"},
    {"discussion_sections", "Sections of discussions present"},
    {"discussion_sentence_correctness", "Correct sentences of discussions"},
};

// Shares to the third digit; a hundredth of a millimetre is below any CT's voxels.
std::string number_text(double number, const ReportedValue& of) {
  return fixed(number, of.unit == "mm" ? 2 : 3);
}

}  // namespace

std::int64_t integer_at(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value != nullptr && value->as_integer() != nullptr ? *value->as_integer() : 0;
}

std::string text_at(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value != nullptr && value->as_string() != nullptr ? *value->as_string() : "";
}

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
                    .is_share = text_at(*found, "better") == "higher"};
  if (const Json* value = found->find("value")) out.value = value->as_number();
  const Json* interval = found->find("ci95");
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

std::string slot_title(std::string_view slot) {
  for (const SlotTitle& known : slot_titles) {
    if (known.slot == slot) return std::string(known.title);
  }
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

std::string counted(std::int64_t count, const std::string& one, const std::string& many) {
  return decimal(count) + " " + (count == 1 ? one : many);
}

}  // namespace fiducial
