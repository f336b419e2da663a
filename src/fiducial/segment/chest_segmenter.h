#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/image/label_map.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// The labels of what is segmented. The trachea has TotalSegmentator's label; the others are no classes of its
// task `total` and have labels that it does not use, so that a map without its names is never misread.
enum class ChestLabel : std::int32_t {
  trachea = 16,
  body = 201,
  bone = 202,
  lung_left = 203,
  lung_right = 204
};

struct SegmentedStructure {
  ChestLabel label = ChestLabel::body;
  std::string name;  // "lung_left"
  std::int64_t voxels = 0;
  double volume_ml = 0;
  std::string detail;  // how it was found, or why not
};

// A label map on the grid of the CT, and how it was made.
struct ChestSegmentation {
  LabelMap labels;
  std::vector<SegmentedStructure> structures;  // of every ChestLabel, by label
  Notes notes;
  std::array<double, 3> working_spacing_mm{};
  std::string orientation;  // of the CT's file

  Json json() const;  // schema fiducial.anatomy/1
};

// Segments body, bones, trachea with main bronchi, and both lungs of a CT by Hounsfield units, connected
// components and morphology; no weights, no training.
//
// Works on patient axes, so that the file's orientation changes nothing: left is the patient's left. A lung
// is aerated tissue with density in it: gas of stomach and bowel is homogeneous, has no vessels in it and is
// none. Consolidated lung and effusions are not part of a lung beyond what closing its outline by 6 mm takes
// in. What is not in the volume is not found, and said so.
Result<ChestSegmentation> segment_chest(NiftiImage ct);

// The label map as uint8 on the grid of the CT.
Result<NiftiImage> encoded(const ChestSegmentation& segmentation);

}  // namespace fiducial
