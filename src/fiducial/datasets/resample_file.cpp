#include "fiducial/datasets/resample_file.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/image/channel_order.h"
#include "fiducial/image/label_extension.h"
#include "fiducial/image/voxel_visit.h"

namespace fiducial {

namespace {

constexpr double most_label = 65535;  // of values that look like labels

// From the grid that the image must have to the one it goes onto.
struct GridPair {
  std::optional<Grid> source;  // none: what its header says
  Grid target;
  Affine header;  // of the result: where its own world has it
  TransformRecord record;
};

Result<GridPair> recorded_grids(const ResampleRequest& request) {
  FIDUCIAL_TRY(const std::string text, read_text_file(*request.transform));
  FIDUCIAL_TRY(TransformRecord record, parse_transform_record(text).in_file(request.transform->string()));
  if (request.inverse) return GridPair{record.to, record.from, record.from.affine, std::move(record)};
  return GridPair{record.from, record.place, record.to.affine, std::move(record)};
}

Result<GridPair> reference_grids(const ResampleRequest& request) {
  FIDUCIAL_TRY(const NiftiHeader header, read_volume_header(*request.like).in_file(request.like->string()));
  if (header.affine.determinant() == 0) {
    return Error(ErrorCode::invalid_data,
                 "the affine is singular, so its voxels have no place in the patient",
                 Place{.path = request.like->string()});
  }
  Grid grid = header.grid();
  // Of a stack of masks (F,H,W,D) the reference is what its channels lie on.
  if (header.rank() > 3 && !header.claims_place() && header.dim[1] < header.dim[4]) {
    grid.extent = {header.dim[2], header.dim[3], header.dim[4]};
  }
  return GridPair{std::nullopt, grid, grid.affine, {}};
}

Result<GridPair> grids_of(const ResampleRequest& request) {
  if (request.like.has_value() == request.transform.has_value()) {
    return bad_usage("say onto which grid: that of an image (like), or by a recorded transform (transform)");
  }
  if (request.like && request.inverse) return bad_usage("inverse goes with a recorded transform");
  return request.like ? reference_grids(request) : recorded_grids(request);
}

Extent spatial_extent(const NiftiHeader& header, bool channels_first) {
  if (channels_first) return {header.dim[2], header.dim[3], header.dim[4]};
  return header.extent();
}

// Where the channels of a 4D image are, by what its shape must be.
Result<bool> channels_are_first(const NiftiHeader& header, const std::string& said, const Extent& expected) {
  if (!said.empty() && said != "first" && said != "last") {
    return bad_usage("channels \"" + said + "\"; expected first or last");
  }
  if (header.rank() != 4) return false;
  if (!said.empty()) return said == "first";
  const bool first = spatial_extent(header, true) == expected;
  const bool last = spatial_extent(header, false) == expected;
  if (first != last) return first;
  if (header.claims_place() && !first) return false;
  return bad_usage("array of shape " + header.shape_text() +
                   ": say whether its channels are first, (F,H,W,D), or last, (H,W,D,F)");
}

std::string unplaced_text(const Extent& found, const Extent& expected) {
  return "the header names no place in the patient, and " + found.text() + " voxels are not the " +
         expected.text() +
         " of the grid it would have to lie on; a record of what was done to it (transform) says where it is";
}

// The image on the grid that it is known to have; channels are last from here on.
Result<NiftiImage> placed(NiftiImage image, const GridPair& grids, Notes& notes) {
  NiftiHeader& header = image.header();
  const Grid own = header.grid();
  const Grid& known = grids.source ? *grids.source : grids.target;
  if (header.claims_place()) {
    if (!grids.source || same_grid(own, *grids.source)) return image;
    return invalid_data(own.extent != grids.source->extent
                            ? own.extent.text() + " voxels; the transform takes " +
                                  grids.source->extent.text()
                            : "lies " + shortest(largest_corner_distance_mm(own, *grids.source)) +
                                  " mm from where the transform has it; it is of another patient or series");
  }
  if (own.extent != known.extent) return invalid_data(unplaced_text(own.extent, known.extent));
  header.set_affine(known.affine);
  notes.push_back(
      {"grid_taken", std::string("the header names no place in the patient; its voxels are taken ") +
                         (grids.source ? "to be those of the record" : "to be those of the reference")});
  return image;
}

struct ValueLook {
  double least = 0;   // as stored
  bool whole = true;  // all are whole numbers that labels can be
};

template <typename T>
ValueLook look_at_values(const NiftiImage& image) {
  const auto* values = reinterpret_cast<const T*>(image.bytes().data());
  const std::int64_t count = image.header().voxel_count();
  bool whole = true;
  T low = count > 0 ? values[0] : T{};
  T high = low;
  for (std::int64_t i = 0; i < count; ++i) {
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
    if constexpr (std::is_floating_point_v<T>) whole = whole && values[i] == std::floor(values[i]);
  }
  return {static_cast<double>(low), whole && low >= 0 && static_cast<double>(high) <= most_label};
}

Result<ValueLook> look_at(const NiftiImage& image) {
  ValueLook out;
  FIDUCIAL_TRY_DONE(visit_voxel_type(image.header().type, [&](auto type) {
    out = look_at_values<decltype(type)>(image);
    return done();
  }));
  return out;
}

// Nearest for labels, linear for the rest; labels that are fractions or NaN are no labels.
Result<Resampling> chosen(const NiftiImage& image, const ResampleRequest& request, Notes& notes) {
  FIDUCIAL_TRY(const ValueLook look, look_at(image));
  const bool labels = look.whole && !image.header().scales();
  Resampling how{.interpolation =
                     request.interpolation.value_or(labels ? Interpolation::nearest : Interpolation::linear),
                 .threads = request.threads};
  const bool real = is_real(image.header().type);
  if (how.interpolation == Interpolation::nearest && real && !look.whole) {
    return invalid_data(
        "values that are no whole numbers of 0 to 65535, such as probabilities or NaN, are no labels; take "
        "linear, or apply a threshold first");
  }
  if (!request.interpolation) {
    notes.push_back({"interpolation", how.interpolation == Interpolation::nearest
                                          ? "whole numbers: taken as labels (nearest)"
                                          : "no labels: taken as a volume (linear)"});
  }
  const NiftiHeader& header = image.header();
  const double least = header.scales() ? look.least * header.slope + header.intercept : look.least;
  how.outside = request.outside.value_or(how.interpolation == Interpolation::nearest ? 0 : least);
  return how;
}

Outcome check_overlap(const NiftiImage& image, const GridPair& grids, bool labels, Notes& notes) {
  FIDUCIAL_TRY(const std::int64_t within, voxels_within(image.header().grid(), grids.target));
  if (within == 0) {
    return invalid_data(
        "no voxel of the grid to resample onto lies within the image; they are of different "
        "patients or series");
  }
  const std::int64_t all = grids.target.extent.count();
  if (within < all) {
    notes.push_back({"beyond_source", decimal(all - within) + " of " + decimal(all) +
                                          " voxels lie beyond the image and say nothing about it"});
  }
  if (!labels) return done();
  FIDUCIAL_TRY(const ForegroundCount count, foreground_beyond(image, grids.target));
  if (count.all > 0 && count.beyond == count.all) {
    return invalid_data(
        "all " + decimal(count.all) +
        " labelled voxels lie beyond the grid to resample onto; they are of another patient or "
        "series");
  }
  if (count.beyond > 0) {
    notes.push_back({"foreground_lost", decimal(count.beyond) + " of " + decimal(count.all) +
                                            " labelled voxels lie beyond the grid and are lost"});
  }
  return done();
}

struct SourceImage {
  NiftiImage image;  // channels last
  bool channels_first = false;
};

Result<SourceImage> read_source(const ResampleRequest& request, const GridPair& grids) {
  FIDUCIAL_TRY(NiftiStream stream, open_volume(request.source));
  FIDUCIAL_TRY(NiftiImage image, read_nifti(std::move(stream)));
  if (image.header().rank() > 4) {
    return invalid_data("array of shape " + image.header().shape_text() + "; expected 3 or 4 axes");
  }
  const Extent expected = grids.source ? grids.source->extent : grids.target.extent;
  FIDUCIAL_TRY(const bool first, channels_are_first(image.header(), request.channels, expected));
  if (first) {
    FIDUCIAL_TRY(image, channels_moved_last(image));
  }
  return SourceImage{std::move(image), first};
}

Result<ResampledFile> resampled_image(const ResampleRequest& request, GridPair grids) {
  FIDUCIAL_TRY(SourceImage read, read_source(request, grids));
  Notes notes = read.image.header().notes;
  FIDUCIAL_TRY(NiftiImage source, placed(std::move(read.image), grids, notes));
  if (!grids.source) {
    FIDUCIAL_TRY(grids.record,
                 make_transform_record(source.header().grid(), {transform_steps::Onto{grids.target}}));
  }
  FIDUCIAL_TRY(const Resampling how, chosen(source, request, notes));
  if (request.inverse) source.header().set_affine(grids.record.place.affine);
  FIDUCIAL_TRY_DONE(check_overlap(source, grids, how.interpolation == Interpolation::nearest, notes));
  FIDUCIAL_TRY(NiftiImage image, resampled(source, grids.target, how));
  image.header().set_affine(grids.header, image.header().sform_code);
  if (read.channels_first) {
    FIDUCIAL_TRY(image, channels_moved_first(image));
  }
  return ResampledFile{std::move(image), how.interpolation, std::move(grids.record), std::move(notes)};
}

}  // namespace

Result<ResampledFile> resample_file(const ResampleRequest& request) {
  FIDUCIAL_TRY(GridPair grids, grids_of(request));
  FIDUCIAL_TRY(ResampledFile out,
               resampled_image(request, std::move(grids)).in_file(request.source.string()));
  if (is_folder(request.source)) return out;
  FIDUCIAL_TRY(std::unique_ptr<FileStream> stored, FileStream::open(request.source));
  const auto names = read_label_extension(std::move(stored));
  if (names.ok() && !names->empty()) {
    out.notes.push_back({"names_left", "its header names " + decimal(names->size()) +
                                           " labels; the names are not carried along"});
  }
  return out;
}

}  // namespace fiducial
