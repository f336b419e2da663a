#pragma once

#include <cstdint>
#include <vector>

#include "fiducial/image/picture.h"

namespace fiducial {

// Rows of a picture that look as if text were drawn over its border.
struct TextOverlay {
  std::int64_t top = 0;     // first row
  std::int64_t bottom = 0;  // last row
  std::int64_t left = 0;    // columns of the outermost strokes
  std::int64_t right = 0;
};

// Lines of text in the upper and lower fifth of a picture in grey: at least six rows under each other, each
// with eight or more thin strokes that stand out from an even background. It is a hint for a person who looks
// for burned-in names and dates: rulers and hair are found too, and text on a busy background is not.
std::vector<TextOverlay> text_overlays(const Picture& grey_picture);

}  // namespace fiducial
