#pragma once

#include <cstdint>
#include <memory>

#include "fiducial/base/byte_stream.h"

namespace fiducial {

// A file opened for reading from its start, with its size as stored.
struct StoredFile {
  std::unique_ptr<ByteStream> bytes;
  std::uint64_t size = 0;
};

}  // namespace fiducial
