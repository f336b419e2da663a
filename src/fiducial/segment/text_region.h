#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/anatomy/case_masks.h"
#include "fiducial/findings/report_grounding.h"
#include "fiducial/image/model_input.h"

namespace fiducial {

// What a sentence was turned into.
struct TextRegion {
  Mask mask;                        // empty where nothing could be guessed
  std::vector<std::string> places;  // paths the sentence names
  std::string finding;              // whose attenuation was looked for; "" for none
  std::string reason;               // why the mask is empty, or the whole place
};

// Guesses the voxels of a finding from its sentence: the place it names, and there what has the finding's
// attenuation. No training and no weights: a floor that a model has to beat. One thread at a time.
class TextRegionPredictor {
 public:
  // Volume and masks lie on the same grid; hu are its values.
  TextRegion predict(std::string_view sentence, const FloatVolume& hu, const CaseMasks& masks);

 private:
  ReportGrounder grounder_;
};

}  // namespace fiducial
