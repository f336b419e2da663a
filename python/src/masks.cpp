#include "masks.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/base/interruption.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/image/nifti_file.h"

#include "array_buffer.h"
#include "errors.h"
#include "long_call.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

static_assert(sizeof(LabelRun) == 4 * sizeof(std::int32_t), "runs are shown as rows of four integers");

nb::tuple shape_of(const Extent& extent) { return nb::make_tuple(extent.x, extent.y, extent.z); }

template <typename T>
nb::object dense_array(const LabelMask& mask) {
  const Extent& extent = mask.labels.extent();
  // calloc: pages without a voxel of the mask are never touched.
  auto* voxels = static_cast<T*>(std::calloc(static_cast<std::size_t>(extent.count()), sizeof(T)));
  if (voxels == nullptr) throw std::bad_alloc();
  const nb::capsule owner(voxels, [](void* pointer) noexcept { std::free(pointer); });
  for (const LabelRun& run : mask.labels.runs()) {
    T* const row = voxels + static_cast<std::int64_t>(run.row) * extent.x;
    std::fill(row + run.begin, row + run.end, static_cast<T>(run.label));
  }
  const std::size_t shape[] = {static_cast<std::size_t>(extent.x), static_cast<std::size_t>(extent.y),
                               static_cast<std::size_t>(extent.z)};
  const std::int64_t strides[] = {1, extent.x, extent.x * extent.y};
  return nb::cast(nb::ndarray<nb::numpy, T>(voxels, 3, shape, owner, strides));
}

nb::any dense(const LabelMask& mask) {
  bool small = true;
  for (const LabelRun& run : mask.labels.runs()) small = small && run.label >= 0 && run.label <= 255;
  return nb::borrow<nb::any>(small ? dense_array<std::uint8_t>(mask) : dense_array<std::int32_t>(mask));
}

nb::any runs_array(const nb::object& self) {
  const auto runs = nb::cast<const LabelMask&>(self).labels.runs();
  const std::size_t shape[] = {runs.size(), 4};
  const auto* numbers = reinterpret_cast<const std::int32_t*>(runs.data());
  return nb::borrow<nb::any>(nb::cast(nb::ndarray<nb::numpy, const std::int32_t>(numbers, 2, shape, self)));
}

nb::tuple bounds_of(const LabelMask& mask) {
  const VoxelBox box = mask.labels.foreground().bounds();
  nb::list slices;
  for (std::size_t i = 0; i < 3; ++i) {
    slices.append(nb::steal(PySlice_New(nb::int_(box.low[i]).ptr(), nb::int_(box.high[i]).ptr(), nullptr)));
  }
  return nb::tuple(slices);
}

// Pickles come from anywhere: what the invariant of a LabelMap asks for is looked at again.
bool valid(const std::vector<LabelRun>& runs, const Extent& extent) {
  const LabelRun* last = nullptr;
  for (const LabelRun& run : runs) {
    if (run.row < 0 || run.row >= extent.rows() || run.begin < 0 || run.begin >= run.end ||
        run.end > extent.x || run.label == 0) {
      return false;
    }
    if (last != nullptr && (run.row < last->row || (run.row == last->row && run.begin < last->end)))
      return false;
    last = &run;
  }
  return true;
}

nb::tuple state_of(const LabelMask& mask) {
  const Extent& extent = mask.labels.extent();
  nb::list affine;
  for (const auto& row : mask.labels.grid().affine.m) {
    for (const double value : row) affine.append(value);
  }
  const auto runs = mask.labels.runs();
  return nb::make_tuple(std::array{extent.x, extent.y, extent.z}, affine, mask.placed,
                        nb::bytes(reinterpret_cast<const char*>(runs.data()), runs.size_bytes()));
}

void set_state(LabelMask& mask, const nb::tuple& state) {
  const auto shape = nb::cast<std::array<std::int64_t, 3>>(state[0]);
  const auto numbers = nb::cast<std::vector<double>>(state[1]);
  const auto bytes = nb::cast<nb::bytes>(state[3]);
  if (numbers.size() != 12 || bytes.size() % sizeof(LabelRun) != 0)
    throw nb::value_error("not a pickled mask");
  Grid grid{{shape[0], shape[1], shape[2]}, {}};
  for (std::size_t i = 0; i < 12; ++i) grid.affine.m[i / 4][i % 4] = numbers[i];
  std::vector<LabelRun> runs(bytes.size() / sizeof(LabelRun));
  std::memcpy(runs.data(), bytes.data(), bytes.size());
  if (!check_mask_extent(grid.extent).ok() || !valid(runs, grid.extent))
    throw nb::value_error("not a pickled mask");
  new (&mask) LabelMask{LabelMap(grid, std::move(runs)), nb::cast<bool>(state[2])};
}

LabelMask from_array(const nb::object& array, const std::string& name, const nb::object& affine) {
  const ArrayBuffer buffer(array, name);
  const bool placed = !affine.is_none();
  const Affine place = placed ? affine_from(affine) : Affine{};
  const VoxelArray voxels = buffer.voxels();
  Result<LabelMap> labels = given_up();
  short_call([&] { labels = labels_from_array(voxels, place); });
  return {unwrapped(std::move(labels).context("reading " + name)), placed};
}

// A file of predictions: one mask a finding, findings first.
void write_masks(const Path& path, const std::vector<LabelMask>& findings) {
  long_call(nb::none(), [path, findings](Progress&) -> Outcome {
    std::vector<LabelMap> channels;
    channels.reserve(findings.size());
    for (const LabelMask& each : findings) channels.push_back(each.labels);
    FIDUCIAL_TRY(const NiftiImage image, encode_labels(channels, ChannelAxis::first));
    return write_nifti(path, image, 1);
  });
}

}  // namespace

std::optional<Vec3> LabelMask::spacing_mm() const {
  if (!placed) return std::nullopt;
  const Vec3 spacing = labels.grid().affine.spacing_mm();
  for (const double mm : spacing) {
    if (!std::isfinite(mm) || mm <= 0) return std::nullopt;
  }
  return spacing;
}

nb::any affine_array(const Affine& affine) {
  auto* values = new double[16]{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  const nb::capsule owner(values, [](void* pointer) noexcept { delete[] static_cast<double*>(pointer); });
  for (std::size_t i = 0; i < 12; ++i) values[i] = affine.m[i / 4][i % 4];
  const std::size_t shape[] = {4, 4};
  return nb::borrow<nb::any>(nb::cast(nb::ndarray<nb::numpy, double>(values, 2, shape, owner)));
}

Affine affine_from(const nb::object& rows) {
  const nb::object numbers = nb::module_::import_("numpy").attr("asarray")(rows, "float64").attr("tolist")();
  std::vector<std::vector<double>> table;
  if (!nb::try_cast(numbers, table) || table.size() != 4 || table[0].size() != 4) {
    throw RaisedError(bad_usage("affine is no 4 x 4 matrix"));
  }
  Affine out;
  for (std::size_t i = 0; i < 12; ++i) out.m[i / 4][i % 4] = table[i / 4][i % 4];
  if (!out.finite()) throw RaisedError(bad_usage("affine has values that are not finite"));
  return out;
}

void define_masks(nb::module_& module) {
  nb::class_<LabelMask>(module, "LabelMask", "Integer labels on a grid, stored as runs.")
      .def_prop_ro("shape", [](const LabelMask& mask) { return shape_of(mask.labels.extent()); })
      .def_prop_ro("affine", [](const LabelMask& mask) { return affine_array(mask.labels.grid().affine); })
      .def_ro("placed", &LabelMask::placed)
      .def_prop_ro("spacing_mm", &LabelMask::spacing_mm)
      .def_prop_ro("voxels", [](const LabelMask& mask) { return mask.labels.count(); })
      .def_prop_ro("labels", [](const LabelMask& mask) { return mask.labels.labels(); })
      .def_prop_ro("runs", [](const nb::object& self) { return runs_array(self); })
      .def_prop_ro("bounds", bounds_of)
      .def("dense", dense)
      .def(
          "where",
          [](const LabelMask& mask, std::int32_t label) {
            return LabelMask{
                mask.labels.relabelled([label](std::int32_t each) { return each == label ? label : 0; }),
                mask.placed};
          },
          nb::arg("label"))
      .def("__eq__",
           [](const LabelMask& a, const nb::object& b) {
             return nb::isinstance<LabelMask>(b) && a.labels == nb::cast<const LabelMask&>(b).labels;
           })
      .def("__getstate__", state_of)
      .def("__setstate__", set_state);
  module.def("mask_from_array", from_array, nb::arg("array"), nb::arg("name"), nb::arg("affine").none(),
             "The labels of a 3D array of integers or booleans.");
  module.def("write_masks", write_masks, nb::arg("path"), nb::arg("findings"));
}

}  // namespace fiducial::python
