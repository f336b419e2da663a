#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/eval/agreement/rating_table.h"

namespace fiducial {

// What several voters say about the steps of one case.
class StepVotes {
 public:
  // So many may vote, whether they do or not.
  explicit StepVotes(std::size_t voters) : voters_(voters) {}

  // The verdicts of a voter, each with the number of its step.
  void add(const Json::Array& checks);

  std::size_t steps() const { return by_step_.size(); }
  // One verdict a step that more than half of the voters agree about, with the votes.
  Json majority() const;

 private:
  std::size_t voters_;
  std::map<std::int64_t, Json::Array> by_step_;
};

// Who calls which step factual: one row a step, one column a voter.
class VoteTable {
 public:
  // Verdicts by the title of their case.
  void add_voter(const std::map<std::string, Json::Array>& checks);

  // Krippendorff's alpha of all voters, agreement and Cohen's kappa of every two, with intervals over cases.
  Json agreement(const std::vector<std::string>& names, const AgreementOptions& options) const;

 private:
  using StepKey = std::pair<std::string, std::int64_t>;
  std::map<StepKey, std::map<std::size_t, double>> said_;
  std::size_t voters_ = 0;
};

}  // namespace fiducial
