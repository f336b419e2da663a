#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/python_random.h"

namespace fiducial {

// What is known of one case before its options are cropped.
struct CropCase {
  std::string final_diagnosis;
  std::vector<std::string> candidates;  // see split_candidates
  const Json* record = nullptr;         // of a model's run on the case, or nullptr
};

// How many options a question has.
inline constexpr std::size_t options_wanted = 5;

// The pieces of a list of diagnoses between ";;".
std::vector<std::string> split_candidates(std::string_view differential);

// Five options of a case, of which one is the key.
struct CroppedCase {
  std::vector<std::string> options;  // five, or none
  std::optional<std::size_t> key;    // position in options
  bool used_record = false;
  bool model_was_wrong = false;
  bool is_padded = false;     // an option stands there twice
  bool is_contained = false;  // the key only contains the final diagnosis or is contained in it
  bool is_ambiguous = false;  // several candidates contain the final diagnosis or are contained in it
};

// Chooses five options as the published script does: exactly five candidates stay as they are, of more the
// key, a model's wrong choice and others at random are kept, of fewer nothing is. Where there are not enough
// others, padding is allowed only on request; without it the options stay empty.
CroppedCase cropped(const CropCase& item, bool may_pad, PythonRandom& random);

// As many A as B, C, D and E, as far as count allows, in random order.
std::vector<std::size_t> balanced_targets(std::size_t count, PythonRandom& random);

// The case with its key at a position and the others around it in random order.
CroppedCase placed_at(const CroppedCase& item, std::size_t target, PythonRandom& random);

}  // namespace fiducial
