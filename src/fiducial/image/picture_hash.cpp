#include "fiducial/image/picture_hash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace fiducial {

namespace {

constexpr std::size_t cells = 32;       // a side of the reduced picture
constexpr std::size_t frequencies = 8;  // a side of the block of coefficients
constexpr int scale_bits = 12;          // of the cosines, which become integers

using Cells = std::array<std::array<std::int64_t, cells>, cells>;
using Coefficients = std::array<std::int64_t, frequencies * frequencies>;

// Where cell i of a side begins, so that every pixel lies in one cell and every cell has one.
std::int64_t cell_begin(std::size_t i, std::int64_t size) {
  return static_cast<std::int64_t>(i) * size / static_cast<std::int64_t>(cells);
}

// Means of the cells, times 16. A picture of less than 32 pixels a side has cells that share one.
Cells cell_means(const Picture& picture) {
  Cells out{};
  for (std::size_t row = 0; row < cells; ++row) {
    const std::int64_t top = cell_begin(row, picture.height);
    const std::int64_t bottom = std::max(top + 1, cell_begin(row + 1, picture.height));
    for (std::size_t column = 0; column < cells; ++column) {
      const std::int64_t left = cell_begin(column, picture.width);
      const std::int64_t right = std::max(left + 1, cell_begin(column + 1, picture.width));
      std::int64_t sum = 0;
      for (std::int64_t y = top; y < bottom; ++y) {
        const std::uint8_t* values = picture.values.data() + y * picture.width;
        for (std::int64_t x = left; x < right; ++x) sum += values[x];
      }
      out[row][column] = sum * 16 / ((bottom - top) * (right - left));
    }
  }
  return out;
}

// Cosines of the DCT-II as integers; rounding leaves no room for differences between machines.
const std::array<std::array<std::int64_t, cells>, frequencies>& cosines() {
  static const auto table = [] {
    std::array<std::array<std::int64_t, cells>, frequencies> out{};
    for (std::size_t k = 0; k < frequencies; ++k) {
      for (std::size_t n = 0; n < cells; ++n) {
        const double angle = std::numbers::pi * (2.0 * static_cast<double>(n) + 1.0) *
                             static_cast<double>(k) / (2.0 * static_cast<double>(cells));
        out[k][n] = std::llround(std::cos(angle) * (1 << scale_bits));
      }
    }
    return out;
  }();
  return table;
}

Coefficients low_frequencies(const Cells& means) {
  std::array<std::array<std::int64_t, cells>, frequencies> by_rows{};  // [frequency along x][row]
  for (std::size_t k = 0; k < frequencies; ++k) {
    for (std::size_t row = 0; row < cells; ++row) {
      for (std::size_t n = 0; n < cells; ++n) by_rows[k][row] += cosines()[k][n] * means[row][n];
    }
  }
  Coefficients out{};
  for (std::size_t v = 0; v < frequencies; ++v) {
    for (std::size_t u = 0; u < frequencies; ++u) {
      for (std::size_t row = 0; row < cells; ++row) {
        out[v * frequencies + u] += cosines()[v][row] * by_rows[u][row];
      }
    }
  }
  return out;
}

// Below a mean contrast of about half a grey level the signs say nothing.
bool is_flat(const Cells& means) {
  std::int64_t sum = 0;
  for (const auto& row : means) {
    for (const std::int64_t value : row) sum += value;
  }
  const std::int64_t mean = sum / static_cast<std::int64_t>(cells * cells);
  std::int64_t deviation = 0;
  for (const auto& row : means) {
    for (const std::int64_t value : row) deviation += std::abs(value - mean);
  }
  return deviation < static_cast<std::int64_t>(cells * cells) * 8;
}

std::array<std::uint8_t, 4> rgba(const Picture& picture, std::size_t pixel) {
  const std::uint8_t* at = picture.values.data() + pixel * static_cast<std::size_t>(picture.channels);
  if (picture.channels == 1) return {at[0], at[0], at[0], 255};
  return {at[0], at[1], at[2], picture.channels == 4 ? at[3] : std::uint8_t{255}};
}

}  // namespace

Picture grey(const Picture& picture) {
  if (picture.channels == 1) return picture;
  Picture out{.width = picture.width, .height = picture.height, .channels = 1};
  out.values.resize(static_cast<std::size_t>(out.width * out.height));
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const auto [red, green, blue, alpha] = rgba(picture, i);
    const unsigned luma = (red * 299U + green * 587U + blue * 114U + 500U) / 1000U;
    out.values[i] = static_cast<std::uint8_t>((luma * alpha + 127U) / 255U);
  }
  return out;
}

Digest pixel_digest(const Picture& picture) {
  Sha256 hash;
  std::array<std::byte, 16> size{};
  store(size, 0, picture.width);
  store(size, 8, picture.height);
  hash.update(size);
  Bytes row(static_cast<std::size_t>(picture.width) * 4);
  for (std::int64_t y = 0; y < picture.height; ++y) {
    for (std::int64_t x = 0; x < picture.width; ++x) {
      store(row, static_cast<std::size_t>(x) * 4,
            rgba(picture, static_cast<std::size_t>(y * picture.width + x)));
    }
    hash.update(row);
  }
  return hash.digest();
}

std::optional<std::uint64_t> perceptual_hash(const Picture& grey_picture) {
  const Cells means = cell_means(grey_picture);
  if (is_flat(means)) return std::nullopt;
  const Coefficients coefficients = low_frequencies(means);
  // The first coefficient is the mean brightness, which says nothing about what is seen.
  std::array<std::int64_t, frequencies * frequencies - 1> sorted{};
  std::copy(coefficients.begin() + 1, coefficients.end(), sorted.begin());
  std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
  const std::int64_t median = sorted[sorted.size() / 2];
  std::uint64_t out = 0;
  for (std::size_t i = 1; i < coefficients.size(); ++i) {
    if (coefficients[i] > median) out |= std::uint64_t{1} << i;
  }
  return out;
}

}  // namespace fiducial
