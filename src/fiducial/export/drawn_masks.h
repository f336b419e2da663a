#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/progress.h"
#include "fiducial/export/pixel_codes.h"

namespace fiducial {

// A shape that somebody drew on a picture, before its pixels are read.
struct DrawnShape {
  std::string picture;                  // as the file names it: .../CASE/0041.png
  std::optional<std::int64_t> finding;  // of the case; unset: known by its category
  std::string category;
  std::int32_t entity = 1;
  std::int64_t width = 0;  // of the picture
  std::int64_t height = 0;
  const Json* code = nullptr;  // its pixels, in the document
  std::string pointer;         // where that is, for messages
};

// What a file of annotations holds: its pictures, also those on which nothing was drawn, and the shapes in
// the order they were drawn.
struct DrawnShapes {
  std::vector<std::string> pictures;
  std::vector<DrawnShape> shapes;
};

// The file of an annotation tool that drew on exported slices.
struct AnnotationFormat {
  std::string id;
  std::string title;
  Result<DrawnShapes> (*read)(const Json& document) = nullptr;
  Result<PixelMask> (*pixels)(const DrawnShape& shape) = nullptr;
};
const std::vector<AnnotationFormat>& annotation_formats();
const AnnotationFormat* find_annotation_format(const std::string& id);

struct DrawnMasksRequest {
  std::string from;  // id of an AnnotationFormat
  Path file;
  Path dataset;
  Path volumes;  // the CTs whose slices were drawn on
  std::optional<std::string> split;
  Path output;  // a folder
};
struct DrawnMasks {
  std::int64_t cases = 0;
  std::int64_t shapes = 0;
  std::int64_t missing = 0;  // cases of the split without a picture in the file
};

// Makes a mask file of every case that was drawn on, a channel a finding, with the entities as ids. Of shapes
// of a finding that overlap the later one is on top. Refuses pictures of other cases or of another size than
// their slice, and shapes whose finding is not known.
Result<DrawnMasks> write_drawn_masks(const DrawnMasksRequest& request, Progress& progress);

}  // namespace fiducial
