#include "fiducial/eval/judge/judged_scores.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/metrics/diagnosis_contracts.h"

namespace fiducial {

namespace {

// The judge that every verdict names; nothing where one names none.
Result<std::optional<std::string>> named_judge(const std::vector<Record>& verdicts) {
  std::optional<std::string> out;
  bool all_name = true;
  for (const Record& record : verdicts) {
    FIDUCIAL_TRY(const std::optional<std::string> judge, record.text("judge"));
    if (!judge) {
      all_name = false;
      continue;
    }
    if (out && *out != *judge)
      return invalid_data("verdicts of two judges in one file: " + *out + " and, on line " +
                          decimal(record.line()) + ", " + *judge);
    out = judge;
  }
  return all_name ? out : std::nullopt;
}

// Whether a slot is made of verdicts on steps.
bool is_judged(const std::string& slot) {
  const std::vector<MetricContract>& contracts = diagnosis_contracts();
  return std::any_of(contracts.begin(), contracts.end(), [&slot](const MetricContract& contract) {
    return contract.group == "steps" && diagnosis_slot(contract) == slot;
  });
}

}  // namespace

Result<Json> judge_of_verdicts(const std::vector<Record>& verdicts,
                               const std::optional<Certificate>& certificate) {
  FIDUCIAL_TRY(const std::optional<std::string> named, named_judge(verdicts));
  Json out = Json::object({{"identity", named ? Json(*named) : Json()}});
  if (!certificate) {
    return out.set("is_certified", false)
        .set("reasons", Json::array({"no certificate was given (--certificate FILE)"}));
  }
  if (!named) {
    return invalid_data(
        "the verdicts do not say which judge they are from (\"judge\"), so that no certificate "
        "can vouch for them");
  }
  if (*named != certificate->judge.digest()) {
    return Error(ErrorCode::integrity, "the certificate is of judge " + certificate->judge.digest() +
                                           ", the verdicts are of " + *named);
  }
  Json spread = Json::object({});
  for (const auto& [slot, value] : certificate->spread) spread.set(slot, value);
  return out.set("is_certified", certificate->is_certified)
      .set("reasons", Json::strings(certificate->reasons))
      .set("model", certificate->judge.model)
      .set("certificate", certificate->digest.hex())
      .set("spread", std::move(spread));
}

namespace {

// How far a judge moves a slot when it is asked again. Which right answers have a wrong reason follows from
// the cases with a critical error, so it takes their spread.
std::optional<double> spread_of(const Json& judge, const std::string& slot) {
  const Json* spread = judge.find("spread");
  if (spread == nullptr) return std::nullopt;
  return number_at(*spread, slot == "right_for_wrong_reason" ? "critical_error_rate" : slot);
}

}  // namespace

std::string refused_difference(const Json& first_summary, const Json& second_summary, const std::string& slot,
                               double difference) {
  const Json* first = first_summary.find("judge");
  const Json* second = second_summary.find("judge");
  if (first == nullptr || second == nullptr || !is_judged(slot)) return {};
  if (text_at(*first, "identity") != text_at(*second, "identity")) return "judged by two judges";
  const double width = std::max(spread_of(*first, slot).value_or(0), spread_of(*second, slot).value_or(0));
  if (std::abs(difference) >= width) return {};
  return "within the judge's own spread of " + fixed(width, 4);
}

}  // namespace fiducial
