#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fiducial/archive/byte_source.h"
#include "fiducial/base/result.h"

namespace fiducial {

// More entries, or a larger list of them, are refused: no benchmark comes near.
inline constexpr std::uint64_t max_zip_entries = 200'000;
inline constexpr std::uint64_t max_zip_directory_bytes = std::uint64_t{64} << 20;

// One entry of an archive, as its central directory and its local header agree on it.
struct ZipRecord {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t crc32 = 0;
  std::uint64_t compressed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t local_offset = 0;
  std::uint64_t data_offset = 0;  // set once the local header has been read

  bool folder() const { return name.back() == '/'; }
};

// Every entry of an archive, in the order of the central directory, after all checks that need no inflation.
Result<std::vector<ZipRecord>> read_zip_directory(const ByteSource& source);

}  // namespace fiducial
