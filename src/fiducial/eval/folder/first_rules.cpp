#include "fiducial/eval/folder/first_rules.h"

namespace fiducial {

namespace {

using FirstKind = Statistic::Kind;

FirstKind first_kind_of(std::string_view slot, std::string_view metric) {
  if (slot.ends_with("_per_case")) return FirstKind::case_means;
  if (slot.ends_with("_per_category")) return FirstKind::category_means;
  if (slot.ends_with("_per_finding")) return FirstKind::ratio;
  const bool is_of_instances = metric.starts_with("instance_") || metric.starts_with("distance_");
  if (is_of_instances && metric.find("_precision_") != std::string_view::npos) return FirstKind::precision;
  if (is_of_instances && metric.find("_recall_") != std::string_view::npos) return FirstKind::recall;
  if (is_of_instances && metric.find("_f1_") != std::string_view::npos) return FirstKind::f1;
  return metric.starts_with("matched_dice_") ? FirstKind::matches : FirstKind::ratio;
}

// The metric whose rows hold the count "tp", "fp" or "fn" that a slot is pooled from.
std::string count_metric(const PoolRule& rule, std::string_view count) {
  if (rule.statistic.kind == FirstKind::matches)
    return "instance_" + std::string(count) + rule.metric.substr(std::size("matched_dice") - 1);
  const std::string word(to_string(rule.statistic.kind));
  std::string out = rule.metric;
  const std::size_t at = out.find("_" + word + "_");
  return at == std::string::npos ? out : out.replace(at + 1, word.size(), count);
}

}  // namespace

void take_first_statistic(Scorer scorer, PoolRule& rule) {
  rule.statistic.kind = first_kind_of(rule.slot, rule.metric);
  rule.statistic.one_of_nothing = rule.statistic.is_share() && scorer == Scorer::official;
  if (rule.statistic.kind == FirstKind::matches) rule.counts = {count_metric(rule, "tp")};
  if (!rule.statistic.is_share()) return;
  for (const char* count : {"tp", "fp", "fn"}) rule.counts.push_back(count_metric(rule, count));
}

std::vector<std::string> names_of_count(const std::string& metric) {
  std::string plain = metric;
  for (const std::string_view ending : {"_ignore", "_partial"}) {
    if (plain.ends_with(ending)) plain.resize(plain.size() - ending.size());
  }
  return {metric, plain, plain + "_partial", plain + "_ignore", plain + "_partial_ignore"};
}

}  // namespace fiducial
