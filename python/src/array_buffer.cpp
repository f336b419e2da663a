#include "array_buffer.h"

#include <bit>
#include <optional>
#include <string_view>

#include <nanobind/stl/string.h>

#include "fiducial/base/number_text.h"

#include "errors.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

struct ElementType {
  VoxelType type = VoxelType::uint8;
  bool swapped = false;
};

VoxelType integer_type(bool is_signed, Py_ssize_t size) {
  switch (size) {
    case 1:
      return is_signed ? VoxelType::int8 : VoxelType::uint8;
    case 2:
      return is_signed ? VoxelType::int16 : VoxelType::uint16;
    case 4:
      return is_signed ? VoxelType::int32 : VoxelType::uint32;
    default:
      return is_signed ? VoxelType::int64 : VoxelType::uint64;
  }
}

// The element type of a buffer's format (PEP 3118), if it is an integer or a truth value.
std::optional<ElementType> element_type(const Py_buffer& buffer) {
  std::string_view format = buffer.format == nullptr ? "B" : buffer.format;
  constexpr bool little = std::endian::native == std::endian::little;
  bool swapped = false;
  if (!format.empty() && std::string_view("@=<>!").find(format[0]) != std::string_view::npos) {
    swapped = little ? format[0] == '>' || format[0] == '!' : format[0] == '<';
    format.remove_prefix(1);
  }
  constexpr std::string_view integers = "?bBhHiIlLqQnN";
  if (format.size() != 1 || integers.find(format[0]) == std::string_view::npos) return std::nullopt;
  const bool is_signed = std::string_view("bhilqn").find(format[0]) != std::string_view::npos;
  return ElementType{integer_type(is_signed, buffer.itemsize), swapped && buffer.itemsize > 1};
}

std::string dtype_text(const nb::object& array, const Py_buffer& buffer) {
  if (nb::hasattr(array, "dtype")) {
    const nb::object dtype = array.attr("dtype");
    return nb::steal<nb::str>(PyObject_Str(dtype.ptr())).c_str();
  }
  return buffer.format == nullptr ? "bytes" : buffer.format;
}

}  // namespace

ArrayBuffer::ArrayBuffer(const nb::object& array, const std::string& name) {
  if (PyObject_GetBuffer(array.ptr(), &buffer_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) throw nb::python_error();
  const auto refused = [this](const std::string& message) {
    PyBuffer_Release(&buffer_);
    return RaisedError(bad_usage(message));
  };
  if (buffer_.ndim != 3) {
    throw refused(name + " is an array of " + decimal(buffer_.ndim) + " axes; expected 3");
  }
  const auto type = element_type(buffer_);
  if (!type) {
    throw refused(name + " is an array of " + dtype_text(array, buffer_) +
                  "; expected integers or booleans (threshold probabilities first)");
  }
  if (buffer_.len == 0) throw refused(name + " is an array without voxels");
  voxels_ = {.first = static_cast<const std::byte*>(buffer_.buf),
             .type = type->type,
             .swapped = type->swapped,
             .extent = {buffer_.shape[0], buffer_.shape[1], buffer_.shape[2]},
             .stride_bytes = {buffer_.strides[0], buffer_.strides[1], buffer_.strides[2]}};
}

ArrayBuffer::~ArrayBuffer() { PyBuffer_Release(&buffer_); }

}  // namespace fiducial::python
