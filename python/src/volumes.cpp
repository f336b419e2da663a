#include "volumes.h"

#include <memory>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include "fiducial/geometry/orientation.h"
#include "fiducial/image/hounsfield.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/image/volume_slice.h"

#include "errors.h"
#include "long_call.h"
#include "masks.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

nb::dlpack::dtype dtype_of(VoxelType type) {
  const auto code = is_real(type)                      ? nb::dlpack::dtype_code::Float
                    : to_string(type).starts_with("u") ? nb::dlpack::dtype_code::UInt
                                                       : nb::dlpack::dtype_code::Int;
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * size_bytes(type)), 1};
}

// The voxels as an array whose first axis varies fastest; the array owns the image.
nb::object array_of(NiftiImage image) {
  auto* const kept = new NiftiImage(std::move(image));
  const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<NiftiImage*>(pointer); });
  const NiftiHeader& header = kept->header();
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> strides;
  std::int64_t stride = 1;
  for (int i = 1; i <= header.rank(); ++i) {
    const std::int64_t length = header.dim[static_cast<std::size_t>(i)];
    shape.push_back(static_cast<std::size_t>(length));
    strides.push_back(stride);
    stride *= length;
  }
  return nb::cast(nb::ndarray<nb::numpy>(kept->bytes().data(), shape.size(), shape.data(), owner,
                                         strides.data(), dtype_of(header.type)));
}

nb::any read_volume(const Path& path) {
  return nb::borrow<nb::any>(array_of(long_call(nb::none(), [path](Progress&) -> Result<NiftiImage> {
    FIDUCIAL_TRY(NiftiImage image, read_nifti(path));
    return with_scaling_applied(std::move(image)).in_file(path.string());
  })));
}

// One slice of the third axis, x fastest, scaled; with an index beside the file nothing before it is
// inflated.
nb::any read_slice(const Path& path, std::int64_t index) {
  VolumePlane plane = long_call(nb::none(), [path, index](Progress&) -> Result<VolumePlane> {
    FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(path));
    const PlanePlace place{.axis = 2, .index = index};
    FIDUCIAL_TRY(std::vector<VolumePlane> planes,
                 read_volume_planes(stream, {&place, 1}).in_file(path.string()));
    return std::move(planes.front());
  });
  auto* const kept = new std::vector<float>(std::move(plane.values));
  const nb::capsule owner(kept,
                          [](void* pointer) noexcept { delete static_cast<std::vector<float>*>(pointer); });
  const std::size_t shape[] = {static_cast<std::size_t>(plane.width), static_cast<std::size_t>(plane.height)};
  const std::int64_t strides[] = {1, plane.width};
  return nb::borrow<nb::any>(nb::cast(nb::ndarray<nb::numpy, float>(kept->data(), 2, shape, owner, strides)));
}

struct VolumeHeader {
  NiftiHeader header;
};

VolumeHeader read_header(const Path& path) {
  const nb::gil_scoped_release release;
  return {unwrapped(NiftiStream::open(path)).header()};
}

nb::tuple shape_of(const VolumeHeader& volume) {
  nb::list out;
  for (int i = 1; i <= volume.header.rank(); ++i) out.append(volume.header.dim[static_cast<std::size_t>(i)]);
  return nb::tuple(out);
}

}  // namespace

void define_volumes(nb::module_& module) {
  nb::class_<VolumeHeader>(module, "VolumeHeader", "What an image file says before its voxels.")
      .def_prop_ro("shape", shape_of)
      .def_prop_ro("affine", [](const VolumeHeader& volume) { return affine_array(volume.header.affine); })
      .def_prop_ro("spacing_mm",
                   [](const VolumeHeader& volume) {
                     const Vec3 spacing = volume.header.affine.spacing_mm();
                     return nb::make_tuple(spacing[0], spacing[1], spacing[2]);
                   })
      .def_prop_ro(
          "orientation",
          [](const VolumeHeader& volume) { return OrientationCode::of(volume.header.affine).text(); })
      .def_prop_ro("notes", [](const VolumeHeader& volume) {
        nb::list out;
        for (const Note& note : volume.header.notes) out.append(text(note.text));
        return out;
      });
  module.def("read_slice", read_slice, nb::arg("path"), nb::arg("index"));
  module.def("read_volume_header", read_header, nb::arg("path"));
  module.def(
      "read_volume", read_volume, nb::arg("path"),
      "The voxels of an image with scaling applied: a NumPy array that owns the memory they were read to.");
}

}  // namespace fiducial::python
