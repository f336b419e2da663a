#pragma once

#include <string>

#include "fiducial/synth/finding_facts.h"

namespace fiducial {

// The words for a finding, made from its voxels.
struct FindingText {
  std::string phrase;      // as in dataset.json
  std::string sentence;    // as in the report's findings
  std::string impression;  // as in the report's impressions
};

FindingText finding_text(const FindingFacts& facts);

// "right lower lobe", "left upper lobe", ...
std::string lobe_text(std::uint8_t lobe);

// "the right lung", "the left lung" or "both lungs".
std::string lungs_text(const FindingFacts& facts);

}  // namespace fiducial
