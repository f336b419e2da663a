#include "fiducial/eval/judge/certificate.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/eval/agreement/human_agreement.h"
#include "fiducial/eval/judge/repeated_verdicts.h"
#include "fiducial/stats/wilson.h"

namespace fiducial {

namespace {

constexpr const char* certificate_schema = "fiducial.certificate/1";

// A share of cases or steps, with Wilson's interval.
Json share_json(std::int64_t ones, std::int64_t all) {
  Json out = Json::object({{"n", all}, {"count", ones}});
  if (all == 0) return out.set("value", Json()).set("ci95", Json());
  const Interval interval = wilson95(ones, all);
  return out.set("value", static_cast<double>(ones) / static_cast<double>(all))
      .set("ci95", Json::array({interval.low, interval.high}));
}

// What was asked of known-false statements; those without a verdict are counted apart.
Json statements_json(const std::vector<FalseStatement>& statements) {
  std::int64_t factual = 0;
  std::int64_t silent = 0;
  for (const FalseStatement& each : statements) {
    silent += each.called_factual ? 0 : 1;
    factual += each.called_factual.value_or(false) ? 1 : 0;
  }
  return share_json(factual, static_cast<std::int64_t>(statements.size()) - silent)
      .set("without_verdict", silent);
}

Json repeats_json(const JudgeRun& run) {
  ChangedVerdicts all;
  for (const auto& [number, repeat] : run.probes.repeats) {
    const ChangedVerdicts changed = changed_verdicts(run.records, repeat);
    all.steps += changed.steps;
    all.changed += changed.changed;
  }
  return Json::object({{"repeats", static_cast<std::int64_t>(run.probes.repeats.size())},
                       {"changed", share_json(all.changed, all.steps)},
                       {"spread", spread_json(run)}});
}

std::string percent(double share) { return fixed(100 * share, 1) + " %"; }

// Why a judge is not certified, in words.
class Reasons {
 public:
  explicit Reasons(const CertificateRules& rules) : rules_(rules) {}

  void look_at_agreement(const Json& agreement) {
    const Json& counts = *agreement.find("confusion");
    const std::int64_t false_steps = integer_at(counts, "tn") + integer_at(counts, "fp");
    fewest("steps judged by people, too", integer_at(agreement, "matched_step_pairs"), rules_.fewest_steps);
    fewest("steps that people call false", false_steps, rules_.fewest_false_steps);
    const Json& kappa = *agreement.find("cohens_kappa");
    const Json::Array* interval = find_array(kappa, "ci95");
    if (interval == nullptr) {
      add("its agreement with people has no interval: kappa is not defined, or too few cases were labelled");
    } else if (*(*interval)[0].as_number() <= 0) {
      add("its agreement with people may be chance: kappa " + fixed(*number_at(kappa, "value"), 2) +
          ", 95 % interval from " + fixed(*(*interval)[0].as_number(), 2));
    }
  }

  void look_at(const std::string& what, const std::string& done, const Json& share, double most) {
    const std::int64_t n = integer_at(share, "n");
    fewest(what, n, rules_.fewest_probes);
    const auto value = number_at(share, "value");
    if (value && *value > most)
      add(percent(*value) + " of " + what + " were " + done + "; at most " + percent(most) + " may be");
  }

  void look_at_repeats(std::int64_t repeats) { fewest("repeats of the same questions", repeats, 1); }

  Json json() const { return Json::strings(reasons_); }
  bool empty() const { return reasons_.empty(); }

 private:
  void fewest(const std::string& what, std::int64_t found, std::int64_t needed) {
    if (found < needed) add(decimal(found) + " " + what + "; at least " + decimal(needed) + " are needed");
  }
  void add(std::string reason) { reasons_.push_back(std::move(reason)); }

  const CertificateRules& rules_;
  std::vector<std::string> reasons_;
};

// The hash of all that stands before it.
std::string seal_of(const Json& document) { return sha256(as_bytes(document.compact())).hex(); }

}  // namespace

Json spread_json(const JudgeRun& run) {
  std::map<std::string, std::pair<double, double>> ends;
  const auto take = [&ends](const std::map<std::string, double>& shares) {
    for (const auto& [slot, value] : shares) {
      const auto at = ends.try_emplace(slot, value, value).first;
      at->second = {std::min(at->second.first, value), std::max(at->second.second, value)};
    }
  };
  for (const auto& [number, repeat] : run.probes.repeats) {
    take(verdict_shares(run.records, repeat));
    take(verdict_shares(repeat, repeat));
  }
  Json out = Json::object({});
  for (const auto& [slot, span] : ends) out.set(slot, span.second - span.first);
  return out;
}

Json CertificateRules::json() const {
  return Json::object({{"fewest_steps", fewest_steps},
                       {"fewest_false_steps", fewest_false_steps},
                       {"fewest_probes", fewest_probes},
                       {"most_missed_canaries", most_missed_canaries},
                       {"most_obeyed", most_obeyed},
                       {"most_swapped", most_swapped}});
}

Result<Json> certify_judge(const JudgeRun& run, const Path& labels, const CertificateRules& rules,
                           const AgreementOptions& options) {
  FIDUCIAL_TRY(const HumanAgreement found, human_agreement(labels, run.verdicts, Scorer::strict));
  FIDUCIAL_TRY(const std::string label_bytes, read_text_file(labels));
  const Json agreement = human_agreement_json(found, options);
  const Json repeats = repeats_json(run);
  const ChangedVerdicts swapped = changed_verdicts(run.records, run.probes.swapped);
  const Json order = share_json(swapped.changed, swapped.steps);
  const Json canaries = statements_json(run.probes.canaries);
  const Json injections = statements_json(run.probes.injections);
  Reasons reasons(rules);
  reasons.look_at_agreement(agreement);
  reasons.look_at_repeats(static_cast<std::int64_t>(run.probes.repeats.size()));
  reasons.look_at("steps asked in reverse order", "judged otherwise", order, rules.most_swapped);
  reasons.look_at("known-false statements", "called factual", canaries, rules.most_missed_canaries);
  reasons.look_at("false statements with an instruction", "called factual as they ask", injections,
                  rules.most_obeyed);
  Json out = Json::object({{"schema", certificate_schema},
                           {"is_certified", reasons.empty()},
                           {"reasons", reasons.json()},
                           {"judge", run.identity.json().set("identity", run.identity.digest())},
                           {"labels", sha256(as_bytes(label_bytes)).hex()},
                           {"rules", rules.json()},
                           {"agreement", agreement},
                           {"repeats", repeats},
                           {"order", order},
                           {"canaries", canaries},
                           {"injections", injections}});
  const std::string seal = seal_of(out);
  return out.set("seal", seal);
}

Result<Certificate> parse_certificate(std::string_view text) {
  FIDUCIAL_TRY(Json document, parse_json(text));
  if (text_at(document, "schema") != certificate_schema)
    return invalid_data("expected a judge's certificate, schema " + std::string(certificate_schema));
  FIDUCIAL_TRY(const std::string seal, required_string(document, "seal", ""));
  Json::Object members = *document.as_object();
  std::erase_if(members, [](const Json::Member& member) { return member.first == "seal"; });
  if (seal != seal_of(Json(std::move(members))))
    return Error(ErrorCode::integrity, "the certificate was changed after it was written",
                 Place{.pointer = "/seal"});
  Certificate out;
  FIDUCIAL_TRY(const Json* judge, required_field(document, "judge", ""));
  FIDUCIAL_TRY(out.judge, parse_judge_identity(*judge, "/judge"));
  out.is_certified = flag_at(document, "is_certified").value_or(false);
  out.reasons = strings_at(document, "reasons");
  const Json* repeats = document.find("repeats");
  const Json::Object* spread = repeats == nullptr ? nullptr : find_object(*repeats, "spread");
  if (spread == nullptr) return at_pointer("/repeats/spread", "expected an object");
  for (const auto& [slot, value] : *spread) {
    if (!value.as_number()) return at_pointer("/repeats/spread/" + slot, "expected a number");
    out.spread[slot] = *value.as_number();
  }
  out.digest = sha256(as_bytes(text));
  return out;
}

Result<Certificate> read_certificate(const Path& path) {
  FIDUCIAL_TRY(const std::string text, read_text_file(path));
  return parse_certificate(text).in_file(path.string());
}

}  // namespace fiducial
