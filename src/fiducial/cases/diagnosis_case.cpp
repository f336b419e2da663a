#include "fiducial/cases/diagnosis_case.h"

#include <algorithm>

namespace fiducial {

namespace {

// Characters of a UTF-8 text: every byte that does not continue one.
std::ptrdiff_t character_count(const std::string& text) {
  return std::count_if(text.begin(), text.end(),
                       [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; });
}

}  // namespace

std::optional<std::size_t> DiagnosisCase::longest_option() const {
  std::array<std::ptrdiff_t, 5> lengths{};
  std::transform(options.begin(), options.end(), lengths.begin(), character_count);
  const auto longest = std::max_element(lengths.begin(), lengths.end());
  if (std::count(lengths.begin(), lengths.end(), *longest) > 1) return std::nullopt;
  return static_cast<std::size_t>(longest - lengths.begin());
}

bool DiagnosisCase::has_equal_options() const {
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (std::find(options.begin(), options.begin() + static_cast<std::ptrdiff_t>(i), options[i]) !=
        options.begin() + static_cast<std::ptrdiff_t>(i)) {
      return true;
    }
  }
  return false;
}

}  // namespace fiducial
