#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/python_random.h"
#include "fiducial/base/result.h"
#include "fiducial/curate/cases/option_cropping.h"

namespace fiducial {

// A question whose options can be chosen and ordered anew, so that the length of the key tells nothing.
struct LengthQuestion {
  std::vector<std::string> longer;   // distractors that are longer than the key
  std::vector<std::string> shorter;  // the others
  std::string key;

  std::size_t most() const { return std::min(longer.size(), options_wanted - 1); }
  std::size_t least() const {
    return shorter.size() >= options_wanted - 1 ? 0 : options_wanted - 1 - shorter.size();
  }
};

// Texts that differ in case, white space and signs only are one. Refused, with the code of the status as
// message: key_unknown, too_few_options.
Result<LengthQuestion> length_question(const Json& item);

// The four distractors, of which so many are longer than the key as is asked for and can be had.
std::vector<std::string> distractors(const LengthQuestion& question, std::size_t longer,
                                     PythonRandom& random);

// Whether the key has more characters than every other option.
bool key_is_longest(const CroppedCase& question);

// Which item gets which number of longer distractors: every number equally often as far as items allow. Those
// with the fewest choices choose first.
std::vector<std::size_t> length_targets(const std::vector<LengthQuestion>& questions, PythonRandom& random);

}  // namespace fiducial
