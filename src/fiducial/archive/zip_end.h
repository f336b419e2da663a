#pragma once

#include <cstdint>
#include <string>

#include "fiducial/archive/byte_source.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Where the central directory lies. It has been checked to lie inside the source and to end exactly where
// the records that describe it begin.
struct ZipDirectoryPlace {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t entries = 0;
};

// What is wrong with an archive, at a byte of it.
Error zip_error_at(std::uint64_t byte, std::string message);

// Reads the end record, with its zip64 extension where there is one.
Result<ZipDirectoryPlace> find_zip_directory(const ByteSource& source);

// Exactly count bytes at an offset; an error that names what was wanted when the source is too short.
Result<Bytes> read_zip_bytes(const ByteSource& source, std::uint64_t offset, std::size_t count,
                             const char* what);

}  // namespace fiducial
