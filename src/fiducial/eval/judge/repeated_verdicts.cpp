#include "fiducial/eval/judge/repeated_verdicts.h"

#include <algorithm>

#include "fiducial/metrics/diagnosis_contracts.h"

namespace fiducial {

namespace {

// A sum of ones among so many.
struct Share {
  std::int64_t ones = 0;
  std::int64_t all = 0;

  void add(bool is_one) {
    ones += is_one ? 1 : 0;
    ++all;
  }
};

void add_error_types(const Json& check, bool is_critical, std::map<std::string, Share>& shares) {
  const std::vector<std::string> named = judged_error_types(check);
  for (const StepErrorType& type : step_error_types) {
    const bool is_one = std::find(named.begin(), named.end(), type.label) != named.end();
    const std::string slot = "error_share_" + std::string(type.word);
    shares[slot].add(is_one);
    if (is_critical) shares[slot + "_critical"].add(is_one);
  }
}

}  // namespace

std::map<std::string, double> verdict_shares(const JudgeRecords& records, const JudgeRecords& like) {
  std::map<std::string, Share> shares;
  for (const auto& [key, checks] : records.by_case()) {
    if (!like.by_case().contains(key)) continue;
    bool has_critical_error = false;
    bool is_judged = false;
    for (const Json& check : checks) {
      const auto factual = judged_label(check, "is_factual", Scorer::strict);
      const auto critical = judged_label(check, "is_critical", Scorer::strict);
      if (!factual) continue;
      is_judged = true;
      shares["step_factuality"].add(*factual);
      if (!*factual) add_error_types(check, critical.value_or(false), shares);
      if (!critical.value_or(false)) continue;
      shares["critical_step_factuality"].add(*factual);
      has_critical_error = has_critical_error || !*factual;
    }
    if (is_judged) shares["critical_error_rate"].add(has_critical_error);
  }
  std::map<std::string, double> out;
  for (const auto& [slot, share] : shares)
    out[slot] = static_cast<double>(share.ones) / static_cast<double>(share.all);
  return out;
}

ChangedVerdicts changed_verdicts(const JudgeRecords& first, const JudgeRecords& second) {
  ChangedVerdicts out;
  for (const auto& [key, checks] : second.by_case()) {
    const auto found = first.by_case().find(key);
    if (found == first.by_case().end()) continue;
    for (std::size_t i = 0; i < std::min(checks.size(), found->second.size()); ++i) {
      const auto before = judged_label(found->second[i], "is_factual", Scorer::strict);
      const auto after = judged_label(checks[i], "is_factual", Scorer::strict);
      if (!before || !after) continue;
      ++out.steps;
      out.changed += *before != *after ? 1 : 0;
    }
  }
  return out;
}

}  // namespace fiducial
