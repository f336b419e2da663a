#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// What a segmenter leaves behind, as its own programs write it.
struct SegmenterLayout {
  std::string_view id;
  std::string_view title;
  std::string_view folder_prefix = "";  // before the case's name: seg_CASE/NAME.nii.gz
  bool folders = true;                  // CASE/NAME.nii.gz
  bool prefixed_files = false;          // CASE_NAME.nii.gz
  bool label_maps = false;              // CASE.nii.gz, whose labels have names
  bool loses_place = false;  // reoriented, resampled and cropped before, and stored under the identity
};

// Every layout there is.
std::span<const SegmenterLayout> segmenter_layouts();
Result<const SegmenterLayout*> find_segmenter_layout(std::string_view id);

// A mask of a case, and what its maker called it.
struct NamedOutput {
  std::string name;
  Path file;
  std::optional<std::int32_t> label;  // of a label map; none: all that is not 0
};

struct CaseOutputs {
  std::string stem;  // the case's name without .nii.gz
  std::vector<NamedOutput> masks;
};

// What there is of each case, in the order of the stems. Refuses files of cases that are not asked for, which
// are of other patients or another split, and label maps whose labels have no names.
Result<std::vector<CaseOutputs>> find_segmenter_outputs(const Path& folder, const SegmenterLayout& layout,
                                                        std::span<const std::string> stems);

}  // namespace fiducial
