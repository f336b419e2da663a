#include "fiducial/datasets/finding_measures.h"

#include <cmath>
#include <numbers>
#include <set>

#include "fiducial/datasets/volume_file.h"
#include "fiducial/image/volume_slice.h"

namespace fiducial {

namespace {

double ball_diameter_mm(double ml) { return std::cbrt(6000 * ml / std::numbers::pi); }

// The sum of the values under one finding, as far as slices have been read.
struct ValueSum {
  Mask mask;
  std::size_t next = 0;  // run
  double sum = 0;
};

void add_slice(ValueSum& finding, std::int64_t z, std::span<const float> values) {
  const Extent& extent = finding.mask.extent();
  const auto runs = finding.mask.runs();
  for (; finding.next < runs.size() && runs[finding.next].row < (z + 1) * extent.y; ++finding.next) {
    const MaskRun& run = runs[finding.next];
    const std::int64_t row = (run.row - z * extent.y) * extent.x;
    for (std::int64_t x = run.begin; x < run.end; ++x)
      finding.sum += static_cast<double>(values[static_cast<std::size_t>(row + x)]);
  }
}

Outcome add_hounsfield(NiftiStream& volume, std::vector<ValueSum>& findings) {
  std::set<std::int64_t> slices;
  for (const ValueSum& finding : findings) {
    for (const MaskRun& run : finding.mask.runs()) slices.insert(run.row / finding.mask.extent().y);
  }
  const std::vector<std::int64_t> wanted(slices.begin(), slices.end());
  return visit_volume_slices(volume, wanted, [&findings](std::int64_t z, std::span<const float> values) {
    for (ValueSum& finding : findings) add_slice(finding, z, values);
  });
}

}  // namespace

Result<std::vector<FindingMeasures>> measure_findings(const MaskFile& mask,
                                                      const std::optional<Path>& volume) {
  std::vector<FindingMeasures> out(mask.channels.size());
  std::vector<ValueSum> findings;
  findings.reserve(mask.channels.size());
  for (const LabelMap& channel : mask.channels) findings.push_back({.mask = channel.foreground()});
  std::optional<Affine> affine;
  if (mask.claims_place) affine = mask.affine;
  if (volume) {
    FIDUCIAL_TRY(NiftiStream stream, open_volume(*volume));
    const Grid grid = stream.header().grid();
    if (!findings.empty() && findings.front().mask.extent() != grid.extent) {
      return Error(
          ErrorCode::invalid_data,
          "CT has " + grid.extent.text() + " voxels, its mask " + findings.front().mask.extent().text(),
          Place{.path = volume->string()});
    }
    affine = grid.affine;
    FIDUCIAL_TRY_DONE(add_hounsfield(stream, findings).in_file(volume->string()));
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto voxels = static_cast<double>(findings[i].mask.count());
    if (voxels == 0 || !affine) continue;
    out[i].ml = voxels * std::abs(affine->determinant()) / 1000;
    out[i].mm = ball_diameter_mm(*out[i].ml);
    if (volume) out[i].hu = findings[i].sum / voxels;
  }
  return out;
}

}  // namespace fiducial
