#include "pictures.h"

#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/drawing/slice_picture.h"
#include "fiducial/drawing/slice_picture_svg.h"

#include "errors.h"
#include "long_call.h"
#include "masks.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

// One axial slice: the CT as a PNG to put below, and the outline of every mask as an SVG path.
struct Picture {
  std::int64_t slice = 0;
  std::int64_t slices = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;
  double pixel_aspect = 1;  // height of a pixel over its width
  std::string image;        // data URI; empty without a CT
  std::vector<std::string> outlines;
};

// Every voxel of any of the masks.
LabelMap all_voxels(const std::vector<LabelMap>& masks) {
  Mask all(masks.front().grid());
  for (const LabelMap& mask : masks) all = united(all, mask.foreground());
  std::vector<LabelRun> runs;
  for (const MaskRun& run : all.runs()) runs.push_back({run.row, run.begin, run.end, 1});
  return {all.grid(), std::move(runs)};
}

Result<std::string> slice_image(const Path& volume, const AxialView& view, std::int64_t slice,
                                const std::string& category) {
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(volume));
  const PlanePlace place{view.slice_axis, slice};
  FIDUCIAL_TRY(const std::vector<VolumePlane> planes,
               read_volume_planes(stream, std::span(&place, 1)).in_file(volume.string()));
  return png_data_uri(windowed_slice(planes.front(), view, window_of(category)));
}

Result<Picture> draw(const std::vector<LabelMap>& masks, const std::optional<Path>& volume,
                     const std::string& category) {
  const LabelMap all = all_voxels(masks);
  AxialView view = AxialView::as_stored(all.extent());
  if (volume) {
    FIDUCIAL_TRY(const NiftiStream stream, NiftiStream::open(*volume));
    if (stream.header().rank() != 3 || stream.header().extent() != all.extent()) {
      return Error(ErrorCode::invalid_data,
                   "volume of " + stream.header().shape_text() + " voxels, expected " + all.extent().text(),
                   Place{.path = volume->string()});
    }
    view = AxialView::of(stream.header().grid());
  }
  Picture out{.slice = fullest_slice(all, LabelMap(all.grid()), view),
              .slices = view.extent[view.slice_axis],
              .width = view.columns(),
              .height = view.rows(),
              .pixel_aspect = view.row_mm / view.column_mm};
  const PixelBox whole{0, 0, out.width, out.height};
  for (const LabelMap& mask : masks)
    out.outlines.push_back(outline_path(mask_slice(mask, view, out.slice), whole));
  if (volume) {
    FIDUCIAL_TRY(out.image, slice_image(*volume, view, out.slice, category));
  }
  return out;
}

Picture slice_picture(const std::vector<const LabelMask*>& masks, const std::optional<Path>& volume,
                      const std::string& category) {
  if (masks.empty()) throw RaisedError(bad_usage("a picture needs a mask"));
  std::vector<LabelMap> labels;
  labels.reserve(masks.size());
  for (const LabelMask* mask : masks) labels.push_back(mask->labels);
  for (const LabelMap& each : labels) {
    if (each.extent() != labels.front().extent()) throw RaisedError(bad_usage("masks differ in shape"));
  }
  return long_call(nb::none(),
                   [labels, volume, category](Progress&) { return draw(labels, volume, category); });
}

}  // namespace

void define_pictures(nb::module_& module) {
  nb::class_<Picture>(module, "Picture", "One axial slice with the outlines of masks.")
      .def_ro("slice", &Picture::slice)
      .def_ro("slices", &Picture::slices)
      .def_ro("width", &Picture::width)
      .def_ro("height", &Picture::height)
      .def_ro("pixel_aspect", &Picture::pixel_aspect)
      .def_ro("image", &Picture::image)
      .def_ro("outlines", &Picture::outlines);
  module.def("slice_picture", slice_picture, nb::arg("masks"), nb::arg("volume").none(), nb::arg("category"));
}

}  // namespace fiducial::python
