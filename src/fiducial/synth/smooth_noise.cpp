#include "fiducial/synth/smooth_noise.h"

#include <cmath>

namespace fiducial {

namespace {

constexpr std::size_t lattice_side = 32;
constexpr std::size_t lattice_mask = lattice_side - 1;

double eased(double t) { return t * t * (3 - 2 * t); }

double mix(double a, double b, double t) { return a + (b - a) * t; }

}  // namespace

SmoothNoise::SmoothNoise(Random& random) : lattice_(lattice_side * lattice_side * lattice_side) {
  for (std::size_t i = 0; i < lattice_.size(); i += 4) {
    const std::uint64_t bits = random.next();
    for (std::size_t j = 0; j < 4; ++j) {
      const auto part = static_cast<std::int32_t>((bits >> (16 * j)) & 0xffff) - 32768;
      lattice_[i + j] = static_cast<float>(part) / 32768.0F;
    }
  }
}

double SmoothNoise::at(double x, double y, double z) const {
  const double floor_x = std::floor(x);
  const double floor_y = std::floor(y);
  const double floor_z = std::floor(z);
  const auto wrapped = [](double value) {
    return static_cast<std::size_t>(static_cast<std::int64_t>(value));
  };
  const std::size_t x0 = wrapped(floor_x) & lattice_mask;
  const std::size_t x1 = (x0 + 1) & lattice_mask;
  const double tx = eased(x - floor_x);
  const double ty = eased(y - floor_y);
  const auto row = [&](std::size_t iy, std::size_t iz) {
    const float* line =
        lattice_.data() + ((iz & lattice_mask) * lattice_side + (iy & lattice_mask)) * lattice_side;
    return mix(static_cast<double>(line[x0]), static_cast<double>(line[x1]), tx);
  };
  const std::size_t y0 = wrapped(floor_y);
  const std::size_t z0 = wrapped(floor_z);
  const double low = mix(row(y0, z0), row(y0 + 1, z0), ty);
  const double high = mix(row(y0, z0 + 1), row(y0 + 1, z0 + 1), ty);
  return mix(low, high, eased(z - floor_z));
}

void blur_slices(const Extent& extent, std::vector<std::int16_t>& voxels) {
  const auto width = static_cast<std::size_t>(extent.x);
  const auto height = static_cast<std::size_t>(extent.y);
  std::vector<std::int32_t> slice(width * height);
  for (std::size_t z = 0; z < static_cast<std::size_t>(extent.z); ++z) {
    std::int16_t* out = voxels.data() + z * width * height;
    for (std::size_t y = 0; y < height; ++y) {
      const std::int16_t* row = out + y * width;
      for (std::size_t x = 0; x < width; ++x) {
        slice[y * width + x] = row[x > 0 ? x - 1 : x] + 6 * row[x] + row[x + 1 < width ? x + 1 : x];
      }
    }
    for (std::size_t i = 0; i < slice.size(); ++i) {
      const std::int32_t above = i >= width ? slice[i - width] : slice[i];
      const std::int32_t below = i + width < slice.size() ? slice[i + width] : slice[i];
      out[i] = static_cast<std::int16_t>((above + 6 * slice[i] + below + 32) >> 6);
    }
  }
}

std::vector<std::int16_t> noise_slice(const Extent& extent, double sigma, Random& random) {
  const auto width = static_cast<std::size_t>(extent.x);
  const auto height = static_cast<std::size_t>(extent.y);
  // One more voxel on every side, so that the blur has the same spread at the edge.
  std::vector<std::int32_t> white((width + 2) * (height + 2) + 2);
  for (std::size_t i = 0; i + 1 < white.size(); i += 2) {
    const std::uint64_t bits = random.next();
    for (std::size_t j = 0; j < 2; ++j) {
      // The sum of two 16-bit numbers: a triangle of standard deviation 65536 / sqrt(6).
      const std::uint64_t half = bits >> (32 * j);
      white[i + j] = static_cast<std::int32_t>((half & 0xffff) + ((half >> 16) & 0xffff)) - 65535;
    }
  }
  // (1 2 1) x (1 2 1) / 16 leaves 6/16 of the standard deviation.
  const double scale = sigma / (26754.0 * 6.0);
  std::vector<std::int16_t> out(width * height);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const std::int32_t* a = white.data() + y * (width + 2) + x;
      const std::int32_t* b = a + width + 2;
      const std::int32_t* c = b + width + 2;
      const std::int32_t sum = a[0] + 2 * a[1] + a[2] + 2 * (b[0] + 2 * b[1] + b[2]) + c[0] + 2 * c[1] + c[2];
      out[y * width + x] = static_cast<std::int16_t>(std::floor(sum * scale + 0.5));
    }
  }
  return out;
}

}  // namespace fiducial
