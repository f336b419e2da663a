#include "fiducial/image/resample.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/number_text.h"
#include "fiducial/image/axis_map.h"
#include "fiducial/image/voxel_visit.h"

namespace fiducial {

namespace {

using Strides3 = std::array<std::int64_t, 3>;

Strides3 voxel_strides(const Extent& extent) { return {1, extent.x, extent.x * extent.y}; }

// One volume of the source and the volume of the result it becomes, in voxels of their types.
template <typename From, typename To>
struct VolumePair {
  const From* from = nullptr;
  To* to = nullptr;
};

// Where on the source the voxels of each target axis are, as offsets; -1: outside.
struct NearestOffsets {
  std::array<std::vector<std::int64_t>, 3> of_axis;
};

NearestOffsets nearest_offsets(const GridMap& map) {
  NearestOffsets out;
  for (int axis = 0; axis < 3; ++axis) {
    const int source_axis = (*map.source_axis_of)[static_cast<std::size_t>(axis)];
    const std::int64_t stride = voxel_strides(map.source)[static_cast<std::size_t>(source_axis)];
    std::vector<std::int64_t>& offsets = out.of_axis[static_cast<std::size_t>(axis)];
    offsets.reserve(static_cast<std::size_t>(map.target[axis]));
    for (const double place : axis_places(map, axis)) {
      offsets.push_back(within_axis(place, map.source[source_axis]) ? nearest_voxel(place) * stride : -1);
    }
  }
  return out;
}

template <typename T>
void gather_slice(const NearestOffsets& offsets, std::int64_t z_offset, const T* from, T* to) {
  const std::vector<std::int64_t>& x = offsets.of_axis[0];
  const auto first = std::find_if(x.begin(), x.end(), [](std::int64_t each) { return each >= 0; });
  const auto last = std::find_if(x.rbegin(), x.rend(), [](std::int64_t each) { return each >= 0; }).base();
  std::int64_t made = -2;  // the row above lies on this row of the source
  for (const std::int64_t y_offset : offsets.of_axis[1]) {
    if (y_offset >= 0 && y_offset == made) {
      std::copy_n(to - x.size(), x.size(), to);
    } else if (y_offset >= 0 && first < last) {
      const T* const row = from + z_offset + y_offset;
      T* voxel = to + (first - x.begin());
      for (auto at = first; at != last; ++at) *voxel++ = row[*at];
    }
    made = y_offset;
    to += x.size();
  }
}

// Slices that lie on one slice of the source are made once and copied.
template <typename T>
Outcome nearest_apart(const GridMap& map, const VolumePair<T, T>& volume, const Executor& executor) {
  const NearestOffsets offsets = nearest_offsets(map);
  const std::vector<std::int64_t>& z = offsets.of_axis[2];
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (z[i] >= 0 && (i == 0 || z[i] != z[i - 1])) starts.push_back(i);
  }
  const auto slice = static_cast<std::size_t>(map.target.x * map.target.y);
  return executor.for_each(static_cast<std::int64_t>(starts.size()), [&](std::int64_t index) {
    const std::size_t first = starts[static_cast<std::size_t>(index)];
    T* const to = volume.to + first * slice;
    gather_slice(offsets, z[first], volume.from, to);
    for (std::size_t i = first + 1; i < z.size() && z[i] == z[first]; ++i) {
      std::copy_n(to, slice, volume.to + i * slice);
    }
    return done();
  });
}

template <typename T>
Outcome nearest_turned(const GridMap& map, const VolumePair<T, T>& volume, const Executor& executor) {
  const Extent& source = map.source;
  return executor.for_each(map.target.z, [&](std::int64_t z) {
    T* to = volume.to + z * map.target.x * map.target.y;
    for (std::int64_t y = 0; y < map.target.y; ++y) {
      for (std::int64_t x = 0; x < map.target.x; ++x, ++to) {
        const Vec3 at = map.place(x, y, z);
        if (!within_axis(at[0], source.x) || !within_axis(at[1], source.y) || !within_axis(at[2], source.z)) {
          continue;
        }
        *to = volume.from[nearest_voxel(at[0]) +
                          source.x * (nearest_voxel(at[1]) + source.y * nearest_voxel(at[2]))];
      }
    }
    return done();
  });
}

struct Scaling {
  double slope = 1;
  double intercept = 0;

  float apply(double stored) const { return static_cast<float>(stored * slope + intercept); }
};

std::vector<LinearTap> taps_of(const GridMap& map, int axis) {
  const int source_axis = (*map.source_axis_of)[static_cast<std::size_t>(axis)];
  std::vector<LinearTap> out;
  out.reserve(static_cast<std::size_t>(map.target[axis]));
  for (const double place : axis_places(map, axis)) {
    out.push_back(linear_tap(place, map.source[source_axis]));
  }
  return out;
}

// The line of the source that a row of the target lies on, between the four lines around it.
template <typename T>
void blend_line(const std::array<const T*, 4>& lines, std::array<double, 2> shares, std::int64_t stride,
                std::vector<double>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i) * stride;
    const double low = static_cast<double>(lines[0][at]) +
                       shares[0] * (static_cast<double>(lines[1][at]) - static_cast<double>(lines[0][at]));
    const double high = static_cast<double>(lines[2][at]) +
                        shares[0] * (static_cast<double>(lines[3][at]) - static_cast<double>(lines[2][at]));
    out[i] = low + shares[1] * (high - low);
  }
}

template <typename T>
Outcome linear_apart(const GridMap& map, const VolumePair<T, float>& volume, Scaling scaling,
                     const Executor& executor) {
  const std::array<std::vector<LinearTap>, 3> taps{taps_of(map, 0), taps_of(map, 1), taps_of(map, 2)};
  const Strides3 natural = voxel_strides(map.source);
  Strides3 stride{};
  for (std::size_t i = 0; i < 3; ++i) stride[i] = natural[static_cast<std::size_t>((*map.source_axis_of)[i])];
  const auto line_size = static_cast<std::size_t>(map.source[(*map.source_axis_of)[0]]);
  return executor.for_each(map.target.z, [&](std::int64_t z) {
    const LinearTap& tz = taps[2][static_cast<std::size_t>(z)];
    if (tz.low < 0) return done();
    std::vector<double> line(line_size);
    float* to = volume.to + z * map.target.x * map.target.y;
    for (const LinearTap& ty : taps[1]) {
      if (ty.low >= 0) {
        const T* const low = volume.from + tz.low * stride[2];
        const T* const high = volume.from + tz.high * stride[2];
        blend_line<T>({low + ty.low * stride[1], low + ty.high * stride[1], high + ty.low * stride[1],
                       high + ty.high * stride[1]},
                      {ty.share, tz.share}, stride[0], line);
        for (std::size_t x = 0; x < taps[0].size(); ++x) {
          const LinearTap& tx = taps[0][x];
          if (tx.low < 0) continue;
          const double from = line[static_cast<std::size_t>(tx.low)];
          to[x] = scaling.apply(from + tx.share * (line[static_cast<std::size_t>(tx.high)] - from));
        }
      }
      to += taps[0].size();
    }
    return done();
  });
}

// Between the eight voxels around a place inside the source.
template <typename T>
double linear_at(const T* from, const Extent& source, const std::array<LinearTap, 3>& taps) {
  double sum = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    double weight = 1;
    Strides3 at{};
    for (std::size_t i = 0; i < 3; ++i) {
      const bool high = (corner >> i & 1U) != 0;
      weight *= high ? taps[i].share : 1 - taps[i].share;
      at[i] = high ? taps[i].high : taps[i].low;
    }
    if (weight != 0) sum += weight * static_cast<double>(from[at[0] + source.x * (at[1] + source.y * at[2])]);
  }
  return sum;
}

template <typename T>
Outcome linear_turned(const GridMap& map, const VolumePair<T, float>& volume, Scaling scaling,
                      const Executor& executor) {
  return executor.for_each(map.target.z, [&](std::int64_t z) {
    float* to = volume.to + z * map.target.x * map.target.y;
    for (std::int64_t y = 0; y < map.target.y; ++y) {
      for (std::int64_t x = 0; x < map.target.x; ++x, ++to) {
        const Vec3 at = map.place(x, y, z);
        const std::array<LinearTap, 3> taps{linear_tap(at[0], map.source.x), linear_tap(at[1], map.source.y),
                                            linear_tap(at[2], map.source.z)};
        if (taps[0].low < 0 || taps[1].low < 0 || taps[2].low < 0) continue;
        *to = scaling.apply(linear_at(volume.from, map.source, taps));
      }
    }
    return done();
  });
}

template <typename T>
Outcome check_finite(const T* values, std::int64_t count) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto odd =
        std::count_if(values, values + count, [](const T value) { return !std::isfinite(value); });
    if (odd > 0) {
      return invalid_data(decimal(std::int64_t{odd}) +
                          " voxels are NaN or infinite, which has no value between it and its neighbours");
    }
  }
  return done();
}

template <typename T>
bool type_holds(double value) {
  if constexpr (std::is_integral_v<T>) {
    return value == std::floor(value) && value >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
           value <= static_cast<double>(std::numeric_limits<T>::max());
  }
  return std::isfinite(value);
}

template <typename T>
Outcome fill_nearest(const NiftiImage& source, const GridMap& map, const Resampling& how, NiftiImage& out) {
  if (!type_holds<T>(how.outside)) {
    return bad_usage("voxels of type " + std::string(to_string(source.header().type)) + " cannot be " +
                     shortest(how.outside));
  }
  const Executor executor(how.threads);
  const std::int64_t volumes = source.header().voxel_count() / map.source.count();
  const auto* from = reinterpret_cast<const T*>(source.bytes().data());
  auto* to = reinterpret_cast<T*>(out.bytes().data());
  std::fill_n(to, map.target.count() * volumes, static_cast<T>(how.outside));
  for (std::int64_t i = 0; i < volumes; ++i, from += map.source.count(), to += map.target.count()) {
    FIDUCIAL_TRY_DONE(map.source_axis_of ? nearest_apart<T>(map, {from, to}, executor)
                                         : nearest_turned<T>(map, {from, to}, executor));
  }
  return done();
}

template <typename T>
Outcome fill_linear(const NiftiImage& source, const GridMap& map, const Resampling& how, NiftiImage& out) {
  if (!std::isfinite(how.outside)) return bad_usage("voxels outside cannot be " + shortest(how.outside));
  const Executor executor(how.threads);
  const NiftiHeader& header = source.header();
  const std::int64_t volumes = header.voxel_count() / map.source.count();
  const Scaling scaling = header.scales() ? Scaling{header.slope, header.intercept} : Scaling{};
  const auto* from = reinterpret_cast<const T*>(source.bytes().data());
  FIDUCIAL_TRY_DONE(check_finite(from, header.voxel_count()));
  auto* to = reinterpret_cast<float*>(out.bytes().data());
  std::fill_n(to, map.target.count() * volumes, static_cast<float>(how.outside));
  for (std::int64_t i = 0; i < volumes; ++i, from += map.source.count(), to += map.target.count()) {
    FIDUCIAL_TRY_DONE(map.source_axis_of ? linear_apart<T>(map, {from, to}, scaling, executor)
                                         : linear_turned<T>(map, {from, to}, scaling, executor));
  }
  return done();
}

Result<NiftiHeader> resampled_header(const NiftiHeader& source, const Grid& target, Interpolation how) {
  NiftiHeader header = source;
  header.dim[0] = std::max<std::int64_t>(3, source.dim[0]);
  double voxels = 1;
  for (int i = 0; i < 3; ++i) {
    header.dim[static_cast<std::size_t>(i) + 1] = target.extent[i];
    voxels *= static_cast<double>(target.extent[i]);
  }
  for (std::size_t i = 4; i <= 7; ++i) {
    voxels *= static_cast<double>(
        std::max<std::int64_t>(1, static_cast<int>(i) <= source.rank() ? source.dim[i] : 1));
  }
  if (how == Interpolation::linear) {
    header.type = VoxelType::float32;
    header.slope = 0;
    header.intercept = 0;
  }
  if (std::min({target.extent.x, target.extent.y, target.extent.z}) < 1 ||
      voxels * static_cast<double>(size_bytes(header.type)) > static_cast<double>(max_image_bytes)) {
    return bad_usage("an image cannot be resampled to " + target.extent.text() + " voxels");
  }
  const int code = source.sform_code > 0 ? source.sform_code : source.qform_code > 0 ? source.qform_code : 1;
  header.set_affine(target.affine, code);
  header.notes.clear();
  return header;
}

template <typename T>
ForegroundCount count_beyond(const NiftiImage& image, const GridMap& to_target) {
  ForegroundCount out;
  const auto* voxel = reinterpret_cast<const T*>(image.bytes().data());
  const Extent& extent = to_target.target;
  for (std::int64_t left = image.header().voxel_count(); left > 0; left -= extent.count()) {
    for (std::int64_t z = 0; z < extent.z; ++z) {
      for (std::int64_t y = 0; y < extent.y; ++y) {
        for (std::int64_t x = 0; x < extent.x; ++x, ++voxel) {
          if (*voxel == 0) continue;
          ++out.all;
          const Vec3 at = to_target.place(x, y, z);
          const bool within = within_axis(at[0], to_target.source.x) &&
                              within_axis(at[1], to_target.source.y) &&
                              within_axis(at[2], to_target.source.z);
          out.beyond += within ? 0 : 1;
        }
      }
    }
  }
  return out;
}

}  // namespace

std::string_view to_string(Interpolation interpolation) {
  return interpolation == Interpolation::nearest ? "nearest" : "linear";
}

Result<NiftiImage> resampled(const NiftiImage& source, const Grid& target, const Resampling& how) {
  FIDUCIAL_TRY(const GridMap map, grid_map(source.header().grid(), target));
  FIDUCIAL_TRY(NiftiHeader header, resampled_header(source.header(), target, how.interpolation));
  auto voxels = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(header.voxel_bytes()));
  NiftiImage out(std::move(header), std::move(voxels));
  FIDUCIAL_TRY_DONE(visit_voxel_type(source.header().type, [&](auto type) {
    using T = decltype(type);
    return how.interpolation == Interpolation::nearest ? fill_nearest<T>(source, map, how, out)
                                                       : fill_linear<T>(source, map, how, out);
  }));
  return out;
}

Result<std::int64_t> voxels_within(const Grid& source, const Grid& target) {
  FIDUCIAL_TRY(const GridMap map, grid_map(source, target));
  std::int64_t count = 0;
  if (map.source_axis_of) {
    count = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t size = map.source[(*map.source_axis_of)[static_cast<std::size_t>(axis)]];
      const std::vector<double> places = axis_places(map, axis);
      count *= std::count_if(places.begin(), places.end(),
                             [size](const double place) { return within_axis(place, size); });
    }
    return count;
  }
  for (std::int64_t z = 0; z < target.extent.z; ++z) {
    for (std::int64_t y = 0; y < target.extent.y; ++y) {
      for (std::int64_t x = 0; x < target.extent.x; ++x) {
        const Vec3 at = map.place(x, y, z);
        count += within_axis(at[0], map.source.x) && within_axis(at[1], map.source.y) &&
                         within_axis(at[2], map.source.z)
                     ? 1
                     : 0;
      }
    }
  }
  return count;
}

Result<ForegroundCount> foreground_beyond(const NiftiImage& image, const Grid& target) {
  FIDUCIAL_TRY(const GridMap to_target, grid_map(target, image.header().grid()));
  ForegroundCount out;
  FIDUCIAL_TRY_DONE(visit_voxel_type(image.header().type, [&](auto type) {
    out = count_beyond<decltype(type)>(image, to_target);
    return done();
  }));
  return out;
}

}  // namespace fiducial
