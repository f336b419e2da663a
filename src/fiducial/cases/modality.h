#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace fiducial {

// The modalities that images of diagnostic cases are labelled with; finer ones are an open vocabulary.
inline constexpr std::array<std::string_view, 9> known_modalities = {
    "CT",
    "MRI",
    "X-ray",
    "Ultrasound",
    "Pathology",
    "Clinical photography",
    "Nuclear medicine & Molecular imaging",
    "Endoscopy",
    "Non-modality / Workflow / Post-processing"};

inline bool is_known_modality(std::string_view name) {
  return std::find(known_modalities.begin(), known_modalities.end(), name) != known_modalities.end();
}

}  // namespace fiducial
