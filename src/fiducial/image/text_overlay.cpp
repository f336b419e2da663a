#include "fiducial/image/text_overlay.h"

#include <algorithm>
#include <array>
#include <optional>

namespace fiducial {

namespace {

constexpr std::int64_t least_rows = 6;
constexpr std::int64_t least_strokes = 8;
constexpr int least_contrast = 64;
constexpr int even_background = 12;     // grey levels about the commonest one
constexpr std::int64_t widest_gap = 2;  // rows without strokes inside a line: bars of letters

// The strokes of one row: how many, and where the outermost are.
struct RowStrokes {
  std::int64_t count = 0;
  std::int64_t left = 0;
  std::int64_t right = 0;
};

int commonest_level(const std::uint8_t* row, std::int64_t width) {
  std::array<std::int64_t, 256> counts{};
  for (std::int64_t x = 0; x < width; ++x) ++counts[row[x]];
  return static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

// Thin runs that differ from the background, where half of the row is background.
std::optional<RowStrokes> strokes_of(const std::uint8_t* row, std::int64_t width) {
  const int background = commonest_level(row, width);
  const std::int64_t thickest = std::max<std::int64_t>(3, width / 64);
  RowStrokes out;
  std::int64_t even = 0;
  std::int64_t run = 0;
  for (std::int64_t x = 0; x <= width; ++x) {
    const int difference = x < width ? std::abs(row[x] - background) : 0;
    if (difference <= even_background) even += x < width ? 1 : 0;
    if (difference >= least_contrast) {
      ++run;
      continue;
    }
    if (run > 0 && run <= thickest) {
      if (out.count++ == 0) out.left = x - run;
      out.right = x - 1;
    }
    run = 0;
  }
  if (even * 2 < width || out.count < least_strokes) return std::nullopt;
  return out;
}

void find_in_rows(const Picture& picture, std::int64_t first, std::int64_t end,
                  std::vector<TextOverlay>& found) {
  std::optional<TextOverlay> open;
  for (std::int64_t y = first; y <= end; ++y) {
    const auto strokes =
        y < end ? strokes_of(picture.values.data() + y * picture.width, picture.width) : std::nullopt;
    if (strokes) {
      if (!open) open = TextOverlay{y, y, strokes->left, strokes->right};
      open->bottom = y;
      open->left = std::min(open->left, strokes->left);
      open->right = std::max(open->right, strokes->right);
    } else if (open && (y == end || y - open->bottom > widest_gap)) {
      if (open->bottom - open->top + 1 >= least_rows) found.push_back(*open);
      open.reset();
    }
  }
}

}  // namespace

std::vector<TextOverlay> text_overlays(const Picture& grey_picture) {
  std::vector<TextOverlay> out;
  const std::int64_t band = std::min(grey_picture.height / 2, std::max(least_rows, grey_picture.height / 5));
  find_in_rows(grey_picture, 0, band, out);
  find_in_rows(grey_picture, grey_picture.height - band, grey_picture.height, out);
  return out;
}

}  // namespace fiducial
