#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

// CIDEr-D of every prediction against its one reference, words being what stands between white space. How
// rare an n-gram is comes from these references, so the scores depend on the whole list, and a list of one
// pair scores 0. The length penalty compares counts of bigrams, as the original program does.
std::vector<double> cider_d(const std::vector<std::string>& references,
                            const std::vector<std::string>& predictions);

// The same for texts that are not in memory together: first every reference once, then every pair in order.
// Keeps the n-grams it has seen, once each. One thread at a time.
class CiderScorer {
 public:
  CiderScorer();
  ~CiderScorer();
  CiderScorer(const CiderScorer&) = delete;
  CiderScorer& operator=(const CiderScorer&) = delete;

  void add_reference(std::string_view reference);
  double score(std::string_view reference, std::string_view prediction);

  // cider_d, which looks at every reference once.
  static std::vector<double> score_all(const std::vector<std::string>& references,
                                       const std::vector<std::string>& predictions);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fiducial
