#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fiducial/archive/byte_source.h"
#include "fiducial/base/result.h"

namespace fiducial {

// How a DICOM file is put together, as far as its outermost elements tell.
struct DicomStructure {
  std::string transfer_syntax;                 // UID; empty in a file without meta information
  std::string media_class;                     // UID of the kind of object, from the meta information
  std::optional<std::uint64_t> pixel_data_at;  // byte of the pixel data element
  std::optional<std::uint64_t> native_bytes;   // of pixel data that is not compressed
  bool followed = false;                       // whether the elements could be followed to the end
};

// Follows the elements of a file from its first byte to its last, without values.
//
// Nothing where the file is no DICOM. An error where an element needs more bytes than the file has: it was
// cut off. Elements that break their encoding are left to a more patient reader (followed is false then).
Result<std::optional<DicomStructure>> read_dicom_structure(const ByteSource& file);

}  // namespace fiducial
