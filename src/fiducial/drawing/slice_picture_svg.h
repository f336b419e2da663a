#pragma once

#include <string>

#include "fiducial/drawing/slice_picture.h"

namespace fiducial {

// The edges of what is inside, as the data of an SVG path in pixels of the box.
std::string outline_path(const Raster& inside, const PixelBox& box);

// What is inside, as the data of a filled SVG path in pixels of the box.
std::string filled_path(const Raster& inside, const PixelBox& box);

// Five drawings side by side: the whole slice, then its crop plain, with the reference, with the prediction
// and with what they share and do not. id is unique in the document.
std::string slice_panels(const SlicePicture& picture, const std::string& id);

// The slices of the strip side by side, enlarged, each with both outlines, in a box that scrolls. Empty where
// the picture has none.
std::string slice_strip(const SlicePicture& picture, const std::string& id);

}  // namespace fiducial
