#include "fiducial/segment/hounsfield_grid.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/image/hounsfield.h"
#include "fiducial/image/reorient.h"
#include "fiducial/image/rescale_state.h"

namespace fiducial {

namespace {

constexpr double air_hu = -1024;
constexpr double densest_hu = 3071;

// The values of an image in this machine's byte order, from first to end, every step-th of them.
template <typename T>
void append_values(ByteView bytes, std::size_t step, std::vector<float>& out) {
  for (std::size_t i = 0; i * sizeof(T) < bytes.size(); i += step) {
    out.push_back(static_cast<float>(load<T>(bytes, i * sizeof(T))));
  }
}

template <typename T>
void clamp_values(ByteView bytes, const Rescale& rescale, std::vector<std::int16_t>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double value =
        rescale.slope * static_cast<double>(load<T>(bytes, i * sizeof(T))) + rescale.intercept;
    const double hu = std::isfinite(value) ? std::clamp(value, air_hu, densest_hu) : air_hu;
    out[i] = static_cast<std::int16_t>(std::lround(hu));
  }
}

// Calls a generic function with a zero of the type of the voxels.
template <typename Function>
Outcome with_type(VoxelType type, Function function) {
  switch (type) {
    case VoxelType::uint8:
      return function(std::uint8_t{}), done();
    case VoxelType::int8:
      return function(std::int8_t{}), done();
    case VoxelType::uint16:
      return function(std::uint16_t{}), done();
    case VoxelType::int16:
      return function(std::int16_t{}), done();
    case VoxelType::uint32:
      return function(std::uint32_t{}), done();
    case VoxelType::int32:
      return function(std::int32_t{}), done();
    case VoxelType::uint64:
      return function(std::uint64_t{}), done();
    case VoxelType::int64:
      return function(std::int64_t{}), done();
    case VoxelType::float32:
      return function(float{}), done();
    case VoxelType::float64:
      return function(double{}), done();
    default:
      return invalid_data("voxels of type " + std::string(to_string(type)) + " are no Hounsfield units");
  }
}

// Whole numbers from 0 on, most of them 0 and few different: names of structures, or grey values of a
// picture.
bool are_labels(std::vector<float> sample) {
  constexpr std::size_t most_labels = 256;
  std::sort(sample.begin(), sample.end());
  if (sample.empty() || sample.front() != 0 || sample.back() == 0) return false;
  const auto background = std::upper_bound(sample.begin(), sample.end(), 0.0F) - sample.begin();
  if (background * 3 < std::ssize(sample)) return false;
  const bool are_whole =
      std::all_of(sample.begin(), sample.end(), [](float value) { return value == std::floor(value); });
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  return are_whole && sample.size() <= most_labels;
}

// The rescale that is still to be applied to values that should be in HU.
Result<Rescale> missing_rescale(const NiftiImage& image, Notes& notes) {
  constexpr std::size_t most_samples = 2'000'000;
  const auto count = static_cast<std::size_t>(image.header().voxel_count());
  std::vector<float> sample;
  const Outcome sampled = with_type(image.header().type, [&](auto zero) {
    append_values<decltype(zero)>(image.bytes(), count / most_samples + 1, sample);
  });
  if (!sampled.ok()) return Rescale{1, 0};
  ValueHistogram histogram;
  histogram.add(sample);
  const RescaleVerdict verdict = recognise_rescale(histogram, usual_rescales);
  if (verdict.state == RescaleState::never) {
    notes.push_back({"rescaled", "the values are as a scanner stores them; " +
                                     shortest(verdict.rescale.slope) + " x value + " +
                                     shortest(verdict.rescale.intercept) + " was applied (" +
                                     verdict.evidence() + ")"});
    return verdict.rescale;
  }
  if (verdict.state == RescaleState::twice) {
    notes.push_back({"rescaled_twice",
                     "the values were rescaled twice; this was undone once (" + verdict.evidence() + ")"});
    return Rescale{1 / verdict.rescale.slope, -verdict.rescale.intercept / verdict.rescale.slope};
  }
  if (are_labels(std::move(sample)))
    return invalid_data("looks like a label map: few whole numbers, none below 0; expected a CT in HU");
  return Rescale{1, 0};
}

}  // namespace

Result<OrientedCt> oriented_ct(NiftiImage image) {
  const NiftiHeader& header = image.header();
  const bool is_volume =
      header.rank() == 3 || (header.rank() > 3 && header.voxel_count() == header.extent().count());
  if (!is_volume)
    return invalid_data("array of shape " + header.shape_text() + "; expected a CT of three axes");
  if (header.affine.determinant() == 0) return invalid_data("the affine gives the axes no direction");
  OrientedCt out{.file_grid = header.grid(), .notes = header.notes};
  if (!header.claims_place()) {
    out.notes.push_back({"no_orientation",
                         "the header does not say how the volume lies in the patient; its axes "
                         "are taken as " +
                             OrientationCode::of(header.affine).text()});
  }
  FIDUCIAL_TRY(const OrientationCode work, OrientationCode::parse("LPS"));
  out.from_file = reorientation(OrientationCode::of(header.affine), work);
  FIDUCIAL_TRY(image, with_scaling_applied(std::move(image)));
  image = reoriented(image, out.from_file);
  out.grid.extent = image.header().extent();
  out.grid.spacing_mm = image.header().affine.spacing_mm();
  FIDUCIAL_TRY(const Rescale rescale, missing_rescale(image, out.notes));
  out.grid.hu.resize(static_cast<std::size_t>(out.grid.extent.count()));
  FIDUCIAL_TRY_DONE(with_type(image.header().type, [&](auto zero) {
    clamp_values<decltype(zero)>(image.bytes(), rescale, out.grid.hu);
  }));
  return out;
}

std::array<std::int64_t, 3> coarsening(const HounsfieldGrid& fine, double least_mm) {
  std::array<std::int64_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double ratio = least_mm / fine.spacing_mm[i];
    const std::int64_t most = fine.extent[static_cast<int>(i)];
    out[i] = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(ratio + 0.5, 1e6)), 1, most);
  }
  return out;
}

HounsfieldGrid coarser(const HounsfieldGrid& fine, double least_mm) {
  const auto block = coarsening(fine, least_mm);
  if (block == std::array<std::int64_t, 3>{1, 1, 1}) return fine;
  HounsfieldGrid out;
  out.extent = {(fine.extent.x + block[0] - 1) / block[0], (fine.extent.y + block[1] - 1) / block[1],
                (fine.extent.z + block[2] - 1) / block[2]};
  for (std::size_t i = 0; i < 3; ++i) out.spacing_mm[i] = fine.spacing_mm[i] * static_cast<double>(block[i]);
  out.hu.resize(static_cast<std::size_t>(out.extent.count()));
  std::vector<std::int32_t> sums(static_cast<std::size_t>(out.extent.x));
  std::vector<std::int32_t> counts(sums.size());
  std::size_t next = 0;
  for (std::int64_t z = 0; z < out.extent.z; ++z) {
    for (std::int64_t y = 0; y < out.extent.y; ++y) {
      std::fill(sums.begin(), sums.end(), 0);
      std::fill(counts.begin(), counts.end(), 0);
      for (std::int64_t fz = z * block[2]; fz < std::min((z + 1) * block[2], fine.extent.z); ++fz) {
        for (std::int64_t fy = y * block[1]; fy < std::min((y + 1) * block[1], fine.extent.y); ++fy) {
          const std::int16_t* row = fine.hu.data() + fine.extent.x * (fy + fine.extent.y * fz);
          for (std::int64_t x = 0; x < fine.extent.x; ++x) {
            sums[static_cast<std::size_t>(x / block[0])] += row[x];
            ++counts[static_cast<std::size_t>(x / block[0])];
          }
        }
      }
      for (std::size_t x = 0; x < sums.size(); ++x) {
        out.hu[next++] = static_cast<std::int16_t>(sums[x] / counts[x]);
      }
    }
  }
  return out;
}

}  // namespace fiducial
