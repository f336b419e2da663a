#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "fiducial/base/json.h"
#include "fiducial/cases/diagnosis_case.h"
#include "fiducial/stats/count_tests.h"

namespace fiducial {

// Do the options alone give the key away? By its length, or by its letter.
struct OptionBias {
  static constexpr int permutations = 10000;

  std::int64_t cases = 0;
  std::int64_t with_longest = 0;    // cases where one option is longer than all others
  std::int64_t key_is_longest = 0;  // and it is the key
  std::array<std::int64_t, 5> letters{};

  void add(const DiagnosisCase& entry);

  // If the key stood at a random option, one in five of the options that are longest would be it. The
  // permutations of keys over options are counted exactly: their number of longest keys is binomial.
  double expected_longest() const { return static_cast<double>(with_longest) / 5; }
  double longest_p() const { return binomial_p(key_is_longest, with_longest, 0.2); }
  EvennessTest letter_evenness() const { return evenness(letters, permutations, 0); }

  Json json() const;
  std::string text() const;  // two lines
};

}  // namespace fiducial
