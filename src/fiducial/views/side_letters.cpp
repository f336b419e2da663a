#include "fiducial/views/side_letters.h"

#include <algorithm>
#include <array>

namespace fiducial {

namespace {

using Glyph = std::array<const char*, 7>;

constexpr Glyph glyph_of(char letter) {
  switch (letter) {
    case 'R':
      return {"####.", "#...#", "#...#", "####.", "#.#..", "#..#.", "#...#"};
    case 'L':
      return {"#....", "#....", "#....", "#....", "#....", "#....", "#####"};
    case 'A':
      return {".###.", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"};
    default:  // P
      return {"####.", "#...#", "#...#", "####.", "#....", "#....", "#...."};
  }
}

void fill(Picture& picture, std::int64_t left, std::int64_t top, std::int64_t size, std::uint8_t grey) {
  for (std::int64_t y = top; y < top + size; ++y) {
    for (std::int64_t x = left; x < left + size; ++x) {
      for (int c = 0; c < picture.channels; ++c)
        picture.values[static_cast<std::size_t>((y * picture.width + x) * picture.channels + c)] = grey;
    }
  }
}

// A letter in white on black: 7 by 9 squares.
void write_letter(Picture& picture, char letter, std::int64_t left, std::int64_t size) {
  const Glyph glyph = glyph_of(letter);
  const std::int64_t top = (picture.height - 9 * size) / 2;
  for (std::int64_t row = 0; row < 9; ++row) {
    for (std::int64_t column = 0; column < 7; ++column) {
      const bool inside = row > 0 && row < 8 && column > 0 && column < 6;
      const bool ink = inside && glyph[static_cast<std::size_t>(row - 1)][column - 1] == '#';
      fill(picture, left + column * size, top + row * size, size, ink ? 255 : 0);
    }
  }
}

}  // namespace

void write_side_letters(Picture& picture, ViewPlane plane) {
  const std::int64_t size = std::max<std::int64_t>(1, picture.width / 160);
  if (picture.width < 20 * size || picture.height < 12 * size) return;
  const bool is_sagittal = plane == ViewPlane::sagittal;
  write_letter(picture, is_sagittal ? 'A' : 'R', 0, size);
  write_letter(picture, is_sagittal ? 'P' : 'L', picture.width - 7 * size, size);
}

}  // namespace fiducial
