#include "preprocess.h"

#include <array>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include "fiducial/image/model_input.h"

#include "errors.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

// The first axis varies fastest, as in files.
using FloatArray = nb::ndarray<const float, nb::ndim<3>, nb::f_contig, nb::device::cpu>;
using Lengths = std::array<std::int64_t, 3>;

Extent extent_of(const Lengths& lengths) {
  for (const std::int64_t length : lengths) {
    if (length < 1) throw RaisedError(bad_usage("expected three lengths of at least 1"));
  }
  return {lengths[0], lengths[1], lengths[2]};
}

FloatVolume volume_of(const FloatArray& array) {
  const Extent extent{static_cast<std::int64_t>(array.shape(0)), static_cast<std::int64_t>(array.shape(1)),
                      static_cast<std::int64_t>(array.shape(2))};
  return {extent, std::vector<float>(array.data(), array.data() + array.size())};
}

nb::any float_array(FloatVolume volume) {
  auto* const kept = new FloatVolume(std::move(volume));
  const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<FloatVolume*>(pointer); });
  const std::array<std::size_t, 3> shape{static_cast<std::size_t>(kept->extent.x),
                                         static_cast<std::size_t>(kept->extent.y),
                                         static_cast<std::size_t>(kept->extent.z)};
  const std::array<std::int64_t, 3> strides{1, kept->extent.x, kept->extent.x * kept->extent.y};
  return nb::borrow<nb::any>(
      nb::cast(nb::ndarray<nb::numpy, float>(kept->values.data(), 3, shape.data(), owner, strides.data())));
}

nb::any clipped(const FloatArray& array, float low, float high) {
  FloatVolume volume = volume_of(array);
  clip(volume, low, high);
  return float_array(std::move(volume));
}

nb::any standardised(const FloatArray& array) {
  FloatVolume volume = volume_of(array);
  standardise(volume);
  return float_array(std::move(volume));
}

nb::any resized(const FloatArray& array, const Lengths& shape) {
  return float_array(unwrapped(area_resized(volume_of(array), extent_of(shape))));
}

}  // namespace

void define_preprocess(nb::module_& module) {
  module.def("clipped", clipped, nb::arg("volume"), nb::arg("low"), nb::arg("high"));
  module.def("standardised", standardised, nb::arg("volume"));
  module.def("area_resized", resized, nb::arg("volume"), nb::arg("shape"));
  module.def(
      "sliding_windows",
      [](const Lengths& shape, const Lengths& window) {
        return sliding_windows(extent_of(shape), extent_of(window));
      },
      nb::arg("shape"), nb::arg("window"));
  module.def(
      "window_weights", [](const Lengths& window) { return float_array(window_weights(extent_of(window))); },
      nb::arg("window"));
}

}  // namespace fiducial::python
