#include "fiducial/export/placed_output.h"

#include <cmath>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/image/label_decoder.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/image/lattice_move.h"
#include "fiducial/image/model_input.h"
#include "fiducial/image/resample.h"

namespace fiducial {

namespace {

// The foreground of a file on its own grid, and what its header says.
struct StoredMask {
  NiftiHeader header;
  Mask mask;
};

Result<Mask> above_threshold(NiftiStream stream, double threshold) {
  FIDUCIAL_TRY(const NiftiImage image, read_nifti(std::move(stream)));
  FIDUCIAL_TRY(const FloatVolume volume, float_volume(image));
  std::vector<std::uint8_t> inside;
  inside.reserve(volume.values.size());
  std::int64_t odd = 0;
  for (const float value : volume.values) {
    odd += std::isfinite(value) ? 0 : 1;
    inside.push_back(static_cast<double>(value) > threshold ? 1 : 0);
  }
  if (odd > 0) return invalid_data(decimal(odd) + " voxels are NaN or infinite; expected probabilities");
  return Mask::from_dense(image.header().grid(), inside);
}

Result<StoredMask> read_stored(const NamedOutput& output, std::optional<double> threshold) {
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(output.file));
  NiftiHeader header = stream.header();
  if (header.rank() != 3) {
    return invalid_data("array of shape " + header.shape_text() + "; expected one mask of three axes");
  }
  if (threshold && !output.label) {
    FIDUCIAL_TRY(Mask mask, above_threshold(std::move(stream), *threshold));
    return StoredMask{std::move(header), std::move(mask)};
  }
  FIDUCIAL_TRY(const LabelStack labels, decode_labels(stream, ChannelAxis::none));
  if (labels.values.not_finite > 0) {
    return invalid_data(decimal(labels.values.not_finite) + " voxels are NaN or infinite; expected a mask");
  }
  if (labels.values.fractional > 0) {
    return invalid_data(decimal(labels.values.fractional) +
                        " voxels are no whole numbers: probabilities, of which --threshold T makes masks");
  }
  const LabelMap& map = labels.channels.front();
  return StoredMask{std::move(header), output.label ? map.where(*output.label) : map.foreground()};
}

LabelMap labels_of(const Mask& mask, const Affine& affine) {
  std::vector<LabelRun> runs;
  runs.reserve(mask.runs().size());
  for (const MaskRun& run : mask.runs()) runs.push_back({run.row, run.begin, run.end, 1});
  return {{mask.extent(), affine}, std::move(runs)};
}

Mask mask_on(const Grid& grid, const Mask& mask) {
  return Mask::from_sorted_runs(grid, {mask.runs().begin(), mask.runs().end()});
}

// A mask that lost its place, back onto its CT by the record of what was done to the CT.
Result<PlacedOutput> back_by_record(const StoredMask& stored, const TransformRecord& record) {
  if (stored.mask.extent() != record.to.extent) {
    return invalid_data(
        "the crop cannot be redone: the mask has " + stored.mask.extent().text() +
        " voxels, and the CT has " + record.to.extent.text() +
        " once it is brought to RAS, 1 x 1 x 3 mm and its foreground; it is of another CT, or "
        "of one whose values differ");
  }
  const LabelMap labels = labels_of(stored.mask, record.place.affine);
  FIDUCIAL_TRY(const NiftiImage coarse, encode_labels({&labels, 1}, ChannelAxis::none));
  FIDUCIAL_TRY(const NiftiImage fine, resampled(coarse, record.from, {.threads = 1}));
  const auto* first = reinterpret_cast<const std::uint8_t*>(fine.bytes().data());
  return PlacedOutput{Mask::from_dense(record.from, {first, fine.bytes().size()}),
                      "nearest voxel, back through orientation, spacing and crop"};
}

Result<PlacedOutput> onto_ct(const StoredMask& stored, const OutputPlace& place, const Path& file) {
  const Grid& ct = *place.ct;
  const Grid own{stored.mask.extent(), stored.header.affine};
  if (!stored.header.claims_place()) {
    if (own.extent != ct.extent) {
      return invalid_data("the header names no place in the patient, and " + own.extent.text() +
                          " voxels are not the " + ct.extent.text() + " of the CT");
    }
    return PlacedOutput{mask_on(ct, stored.mask), "taken to lie on the CT's voxels"};
  }
  const auto move = lattice_move(own, ct);
  if (!move) {
    return invalid_data("lies on another grid than its CT; fiducial resample " + file.string() +
                        " OUT.nii.gz --like " + place.ct_path.string() + " --labels brings it there");
  }
  if (move->is_identity() && own.extent == ct.extent)
    return PlacedOutput{mask_on(ct, stored.mask), "as it is"};
  Mask out = moved(stored.mask, *move, ct);
  if (!stored.mask.empty() && out.empty()) {
    return invalid_data("all of it lies outside its CT: it is of another patient or series");
  }
  return PlacedOutput{std::move(out), "by whole voxels: " + move->text()};
}

}  // namespace

Result<PlacedOutput> read_placed_output(const NamedOutput& output, const OutputPlace& place,
                                        std::optional<double> threshold) {
  Result<StoredMask> stored = read_stored(output, threshold).in_file(output.file.string());
  if (!stored.ok()) return std::move(stored).error();
  const bool is_lost = place.record && !stored->header.claims_place();
  if (is_lost) return back_by_record(*stored, *place.record).in_file(output.file.string());
  if (!place.ct) return PlacedOutput{std::move(stored->mask), "as it is; without its CT"};
  return onto_ct(*stored, place, output.file).in_file(output.file.string());
}

}  // namespace fiducial
