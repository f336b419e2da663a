#include "fiducial/geometry/orientation.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

constexpr std::string_view positive_letters = "RAS";
constexpr std::string_view negative_letters = "LPI";
constexpr std::string_view axis_names = "xyz";

std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

std::vector<Reorientation> make_all() {
  std::vector<Reorientation> out;
  std::array<int, 3> source{0, 1, 2};
  do {
    for (unsigned flips = 0; flips < 8; ++flips) {
      out.push_back({source, {(flips & 1U) != 0, (flips & 2U) != 0, (flips & 4U) != 0}});
    }
  } while (std::next_permutation(source.begin(), source.end()));
  return out;
}

std::string permutation_name(const std::array<int, 3>& source) {
  int moved = 0;
  for (int i = 0; i < 3; ++i) moved += source[at(i)] != i ? 1 : 0;
  if (moved == 0) return "";
  if (moved == 2) {
    std::string names;
    for (int i = 0; i < 3; ++i) {
      if (source[at(i)] == i) continue;
      append_joined(names, axis_names.substr(at(i), 1), " and ");
    }
    return "swap " + names;
  }
  std::string order = "axes ";
  for (const int axis : source) order += axis_names[at(axis)];
  return order;
}

}  // namespace

const std::vector<Reorientation>& Reorientation::all() {
  static const std::vector<Reorientation> every = make_all();
  return every;
}

Reorientation Reorientation::inverse() const {
  Reorientation out;
  for (int i = 0; i < 3; ++i) {
    out.source[at(source[at(i)])] = i;
    out.reversed[at(source[at(i)])] = reversed[at(i)];
  }
  return out;
}

Extent Reorientation::apply(const Extent& extent) const {
  return {extent[source[0]], extent[source[1]], extent[source[2]]};
}

Grid Reorientation::apply(const Grid& grid) const {
  Grid out{apply(grid.extent), {}};
  for (std::size_t row = 0; row < 3; ++row) {
    const auto& from = grid.affine.m[row];
    auto& to = out.affine.m[row];
    to[3] = from[3];
    for (int i = 0; i < 3; ++i) {
      const double step = from[at(source[at(i)])];
      to[at(i)] = reversed[at(i)] ? 0.0 - step : step;  // never a negative zero
      if (reversed[at(i)]) to[3] += step * static_cast<double>(out.extent[i] - 1);
    }
  }
  return out;
}

std::array<std::int64_t, 3> Reorientation::source_voxel(const Extent& input,
                                                        std::array<std::int64_t, 3> output) const {
  std::array<std::int64_t, 3> out{};
  for (int i = 0; i < 3; ++i) {
    const int axis = source[at(i)];
    out[at(axis)] = reversed[at(i)] ? input[axis] - 1 - output[at(i)] : output[at(i)];
  }
  return out;
}

std::string Reorientation::name() const {
  std::string out = permutation_name(source);
  std::string flips;
  for (int i = 0; i < 3; ++i) {
    if (!reversed[at(i)]) continue;
    flips += flips.empty() ? "flip " : " and ";
    flips += axis_names[at(i)];
  }
  if (!flips.empty()) append_joined(out, flips);
  return out.empty() ? "none" : out;
}

Result<OrientationCode> OrientationCode::parse(std::string_view text) {
  const auto failure = [&text] {
    return bad_usage("'" + std::string(text) +
                     "' is no orientation: three letters, one each of R/L, A/P, S/I");
  };
  if (text.size() != 3) return failure();
  OrientationCode out;
  std::array<bool, 3> seen{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t positive = positive_letters.find(text[i]);
    const std::size_t negative = negative_letters.find(text[i]);
    const std::size_t axis = std::min(positive, negative);
    if (axis == std::string_view::npos || seen[axis]) return failure();
    seen[axis] = true;
    out.world_axis_[i] = static_cast<int>(axis);
    out.negative_[i] = negative != std::string_view::npos;
  }
  return out;
}

OrientationCode OrientationCode::of(const Affine& affine) {
  const Vec3 spacing = affine.spacing_mm();
  const auto cosine = [&](int world, int axis) {
    return spacing[at(axis)] > 0 ? affine.m[at(world)][at(axis)] / spacing[at(axis)] : 0.0;
  };
  OrientationCode best;
  double best_fit = -1;
  std::array<int, 3> world{0, 1, 2};
  do {
    double fit = 0;
    for (int i = 0; i < 3; ++i) fit += cosine(world[at(i)], i) * cosine(world[at(i)], i);
    if (fit > best_fit) {
      best_fit = fit;
      best.world_axis_ = world;
    }
  } while (std::next_permutation(world.begin(), world.end()));
  for (int i = 0; i < 3; ++i) best.negative_[at(i)] = cosine(best.world_axis_[at(i)], i) < 0;
  return best;
}

std::string OrientationCode::text() const {
  std::string out;
  for (std::size_t i = 0; i < 3; ++i) {
    out += (negative_[i] ? negative_letters : positive_letters)[at(world_axis_[i])];
  }
  return out;
}

Reorientation reorientation(const OrientationCode& from, const OrientationCode& to) {
  Reorientation out;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (from.world_axis_[j] != to.world_axis_[i]) continue;
      out.source[i] = static_cast<int>(j);
      out.reversed[i] = from.negative_[j] != to.negative_[i];
    }
  }
  return out;
}

}  // namespace fiducial
