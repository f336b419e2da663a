#include "fiducial/masks/masks_on_grid.h"

#include "fiducial/base/number_text.h"
#include "fiducial/image/lattice_move.h"
#include "fiducial/masks/segment_plan.h"

namespace fiducial {

namespace {

Result<LabelMap> labels_on_grid(const MaskCollection::Member& member, const LatticeMove& move,
                                const Grid& grid) {
  std::vector<LabelRun> runs;
  for (const std::int32_t label : member.labels.labels()) {
    const Mask before = member.labels.where(label);
    const Mask after = moved(before, move, grid);
    if (after.count() != before.count()) {
      return invalid_data(decimal(before.count() - after.count()) + " voxels of \"" + member.about.name +
                          "\" lie outside of the images");
    }
    for (const MaskRun& run : after.runs()) runs.push_back({run.row, run.begin, run.end, label});
  }
  return labels_of_runs(std::move(runs), grid, member.about);
}

}  // namespace

Result<MaskCollection> masks_on_grid(const MaskCollection& masks, const Grid& grid) {
  MaskCollection out{.arrangement = masks.arrangement,
                     .grid = grid,
                     .claims_place = true,
                     .masks = {},
                     .origins = masks.origins};
  if (!masks.claims_place) {
    if (masks.grid.extent != grid.extent) {
      return invalid_data("masks of " + masks.grid.extent.text() +
                          " voxels say no place in the patient; images of " + grid.extent.text() +
                          " voxels cannot lend them theirs");
    }
    for (const MaskCollection::Member& member : masks.masks)
      out.masks.push_back({member.about, member.labels.on_grid(grid.affine)});
    return out;
  }
  const auto move = lattice_move(masks.grid, grid);
  if (!move) {
    return invalid_data(
        "masks lie on another grid than the images: " + masks.grid.extent.text() + " and " +
        grid.extent.text() +
        " voxels that do not coincide; \"fiducial resample MASK OUT --like CT --labels\" brings "
        "them onto it");
  }
  for (const MaskCollection::Member& member : masks.masks) {
    FIDUCIAL_TRY(LabelMap labels, labels_on_grid(member, *move, grid));
    out.masks.push_back({member.about, std::move(labels)});
  }
  return out;
}

}  // namespace fiducial
