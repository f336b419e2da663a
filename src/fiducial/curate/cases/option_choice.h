#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/python_random.h"
#include "fiducial/curate/engine/item_fields.h"

namespace fiducial {

using LetteredOptions = std::vector<LetteredOption>;

// The question of a case, as any of the working forms writes it.
struct Question {
  std::string field = "options";  // where its options stand
  LetteredOptions options;
  std::optional<std::size_t> key;
  std::optional<std::size_t> wrong_choice;  // what a model chose instead
};
// By official rules lower-case names of options are not taken for their letters.
Question question_of(const Json& item, bool official = false);

// Positions of five options, in their order: the key, a model's wrong choice and others at random. Distinct
// asks for texts that differ, so that there may be fewer.
std::vector<std::size_t> kept_options(const Question& question, bool distinct, PythonRandom& random);

// Whether two of the kept options read the same.
bool has_equal_texts(const Question& question, const std::vector<std::size_t>& kept);

}  // namespace fiducial
