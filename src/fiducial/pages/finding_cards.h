#pragma once

#include <string>
#include <vector>

#include "fiducial/pages/finding_pictures.h"
#include "fiducial/pages/page_frame.h"

namespace fiducial {

// "nodule or mass (2d)"; codes that the benchmark's ontology does not know stay codes.
std::string category_text(const std::string& code);

// How large a finding is: "1.24 ml (14,877 voxels), 13 mm equivalent diameter"; voxels alone without a CT.
std::string size_text(const ScoreRun& run, std::size_t unit, std::int64_t voxels);

// The voxels of every unit's reference.
Result<std::vector<std::int64_t>> reference_voxels(const ScoreRun& run);

// Cards of findings; ids in the document begin with the prefix.
Html finding_cards(const ScoreRun& run, const std::vector<ShownFinding>& shown,
                   const std::vector<std::int64_t>& voxels, const std::string& prefix);

// A row for every finding, lowest value first.
Html finding_list(const PictureSource& source, const std::vector<std::int64_t>& voxels);

}  // namespace fiducial
