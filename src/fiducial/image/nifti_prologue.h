#pragma once

#include <memory>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/result.h"
#include "fiducial/image/nifti_header.h"

namespace fiducial {

// The bytes of a NIfTI file as they are before compression.
struct NiftiBytes {
  std::unique_ptr<ByteStream> bytes;
  bool compressed = false;  // they were gzip data
};
Result<NiftiBytes> inflated_nifti(std::unique_ptr<ByteStream> stored);

// The header at the front; leaves the stream right behind it, before any extension.
Result<NiftiHeader> read_nifti_header(ByteStream& bytes);

inline std::size_t header_bytes(const NiftiHeader& header) {
  return header.version == 1 ? nifti1_header_bytes : nifti2_header_bytes;
}

}  // namespace fiducial
