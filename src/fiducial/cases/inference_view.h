#pragma once

#include <array>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/cases/diagnosis_case.h"

namespace fiducial {

// All that a model may see of a case: its history, its options and its images.
//
// A type of its own, so that what is not allowed cannot slip in: it has no place for title, captions,
// findings, discussion, ICD codes, modalities or the key.
struct InferenceView {
  std::string history;
  std::array<std::string, 5> options;
  std::vector<std::string> image_paths;  // for whoever opens the pixels; never part of a prompt

  static InferenceView of(const DiagnosisCase& entry);
  Json json() const;  // CLINICAL_HISTORY, options, image_01_path, image_02_path, ...

  friend bool operator==(const InferenceView&, const InferenceView&) = default;
};

// Fields of a record that no view may have, in its order: rule S14. Besides the fields of the view, an opaque
// "id" is allowed.
std::vector<std::string> fields_outside_view(const Json::Object& record);

}  // namespace fiducial
