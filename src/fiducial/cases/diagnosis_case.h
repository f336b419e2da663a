#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

// One picture of a case, in the order of its dataset.
struct CaseImage {
  std::string id;
  std::string path;     // relative to the dataset's folder
  std::string caption;  // what an expert wrote about it; often names the disease
  std::string modality;
  std::string sub_modality;

  friend bool operator==(const CaseImage&, const CaseImage&) = default;
};

// A teaching case: a history, pictures, and five diagnoses of which one is right.
struct DiagnosisCase {
  static constexpr std::string_view letters = "ABCDE";
  static constexpr char no_key = '\0';  // of a blind copy

  std::int64_t number = 0;  // what identifies it in its dataset
  std::string title;
  std::string history;
  std::string findings;    // an expert's summary of all pictures; may be empty
  std::string discussion;  // names the diagnosis; may be empty
  std::array<std::string, 5> options;
  char key = 'A';  // one of letters, or no_key
  std::string icd_chapter;
  std::string icd_block;
  std::string icd_category;
  bool is_longitudinal = false;
  std::int64_t timepoints = 0;
  std::string interval;
  std::vector<CaseImage> images;

  bool has_key() const { return key != no_key; }
  std::string key_text() const { return has_key() ? options[letters.find(key)] : std::string(); }
  // The option that is longer than all others, in characters; nothing where two are.
  std::optional<std::size_t> longest_option() const;
  bool key_is_longest() const { return has_key() && longest_option() == letters.find(key); }
  bool has_equal_options() const;

  friend bool operator==(const DiagnosisCase&, const DiagnosisCase&) = default;
};

}  // namespace fiducial
