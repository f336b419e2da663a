#include "fiducial/eval/judge/panel_votes.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/eval/agreement/human_agreement.h"
#include "fiducial/eval/agreement/judge_records.h"
#include "fiducial/metrics/diagnosis_contracts.h"

namespace fiducial {

namespace {

std::optional<bool> label_of(const Json& check, const char* name) {
  return judged_label(check, name, Scorer::strict);
}

// The kinds of error that more than half name; where none is, those that most name.
Json error_types_of(const std::vector<const Json*>& checks) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  std::size_t most = 0;
  for (const StepErrorType& type : step_error_types) {
    const auto named = std::count_if(checks.begin(), checks.end(), [&type](const Json* check) {
      const std::vector<std::string> types = judged_error_types(*check);
      return std::find(types.begin(), types.end(), type.label) != types.end();
    });
    counts.emplace_back(type.label, static_cast<std::size_t>(named));
    most = std::max(most, counts.back().second);
  }
  const std::size_t needed = 2 * most > checks.size() ? checks.size() / 2 + 1 : most;
  std::erase_if(counts, [needed](const auto& each) { return each.second == 0 || each.second < needed; });
  Json out = Json::Array{};
  for (const auto& [label, count] : counts) out.push(label);
  return out;
}

Json count_json(std::size_t count) { return static_cast<std::int64_t>(count); }

}  // namespace

void StepVotes::add(const Json::Array& checks) {
  for (const Json& check : checks) {
    const std::int64_t step = check.as_object() == nullptr ? 0 : integer_at(check, "step");
    if (step > 0 && label_of(check, "is_factual")) by_step_[step].push_back(check);
  }
}

Json StepVotes::majority() const {
  Json out = Json::Array{};
  for (const auto& [step, checks] : by_step_) {
    std::vector<const Json*> factual;
    std::vector<const Json*> not_factual;
    std::size_t critical = 0;
    for (const Json& check : checks) {
      (*label_of(check, "is_factual") ? factual : not_factual).push_back(&check);
      if (label_of(check, "is_critical").value_or(false)) ++critical;
    }
    const bool is_factual = factual.size() > not_factual.size();
    const std::vector<const Json*>& ruling = is_factual ? factual : not_factual;
    if (2 * ruling.size() <= voters_) continue;
    Json check = Json::object({{"step", step},
                               {"is_factual", is_factual},
                               {"is_critical", 2 * critical > checks.size()},
                               {"explanation", text_at(*ruling.front(), "explanation")}});
    check.set("error_types", is_factual ? Json(Json::Array{}) : error_types_of(ruling));
    check.set("votes", Json::object({{"factual", count_json(factual.size())},
                                     {"not_factual", count_json(not_factual.size())},
                                     {"of", count_json(voters_)}}));
    out.push(std::move(check));
  }
  return out;
}

void VoteTable::add_voter(const std::map<std::string, Json::Array>& checks) {
  for (const auto& [title, of_case] : checks) {
    for (const Json& check : of_case) {
      const std::int64_t step = check.as_object() == nullptr ? 0 : integer_at(check, "step");
      const auto factual = label_of(check, "is_factual");
      if (step > 0 && factual) said_[{title, step}][voters_] = *factual ? 1 : 0;
    }
  }
  ++voters_;
}

Json VoteTable::agreement(const std::vector<std::string>& names, const AgreementOptions& options) const {
  Ratings ratings;
  AgreementDraws draws{options.resamples, options.seed, {}};
  std::string title;
  for (const auto& [key, said] : said_) {
    std::vector<std::optional<double>> row(voters_);
    for (const auto& [voter, value] : said) row[voter] = value;
    const std::size_t before = draws.clusters.empty() ? 0 : draws.clusters.back();
    draws.clusters.push_back(before + (!draws.clusters.empty() && key.first != title ? 1 : 0));
    title = key.first;
    ratings.push_back(std::move(row));
  }
  const AgreementStatistic alpha = [](const WeightedRatings& all) {
    return krippendorff_alpha(all, AlphaLevel::nominal);
  };
  const AgreementStatistic kappa = [](const WeightedRatings& all) {
    return cohen_kappa(all, KappaWeights::none);
  };
  Json pairs = Json::Array{};
  for (std::size_t a = 0; a < voters_; ++a) {
    for (std::size_t b = a + 1; b < voters_; ++b) {
      Ratings two;
      for (const auto& row : ratings) two.push_back({row[a], row[b]});
      pairs.push(Json::object({{"judges", Json::array({names[a], names[b]})},
                               {"agreement", statistic_json(two, observed_agreement, draws)},
                               {"cohens_kappa", statistic_json(two, kappa, draws)}}));
    }
  }
  const std::size_t cases = draws.clusters.empty() ? 0 : draws.clusters.back() + 1;
  return Json::object({{"steps", count_json(ratings.size())},
                       {"cases", count_json(cases)},
                       {"krippendorff_alpha", statistic_json(ratings, alpha, draws)},
                       {"pairs", std::move(pairs)}});
}

}  // namespace fiducial
