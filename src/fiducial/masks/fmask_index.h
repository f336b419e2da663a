#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/base/sha256.h"
#include "fiducial/masks/mask_collection.h"
#include "fiducial/wire/run_payload.h"

namespace fiducial::fmask {

// The layout of a .fmask file (docs/formats/fmask.md): the magic, the payloads of the masks, the index, the
// footer.
inline constexpr std::string_view magic{"FMASK\r\n\x01", 8};
inline constexpr std::string_view end_magic{"FMASKEND", 8};
inline constexpr std::size_t footer_bytes = 56;
inline constexpr std::size_t most_masks = 65536;
inline constexpr std::uint64_t most_index_bytes = std::uint64_t{64} << 20;

// The last bytes of a file.
struct Footer {
  std::uint64_t index_offset = 0;
  std::uint32_t index_stored = 0;  // bytes in the file
  std::uint32_t index_bytes = 0;   // of its text
  Digest index_digest;             // of its text
};

Bytes footer_as_bytes(const Footer& footer);
// The footer at the end of the last bytes of a file of `size` bytes; it must fit the file.
Result<Footer> parse_footer(ByteView last, std::uint64_t size);

// Where a mask lies in the file, and what its payload is.
struct Entry {
  ListedMask about;
  std::uint64_t offset = 0;
  std::uint64_t stored = 0;  // bytes in the file
  std::uint64_t bytes = 0;   // of its payload
  wire::RunPayload payload;
  std::int64_t voxels = 0;
  std::int32_t greatest = 0;  // entity; 0 where runs carry none
  Digest digest;              // of its payload
};

struct Index {
  MaskArrangement arrangement = MaskArrangement::structures;
  Grid grid;
  bool claims_place = true;
  std::vector<Entry> masks;
  std::vector<MaskOrigin> origins;
};

std::string index_text(const Index& index);
// Holds every promise against the others and against the place of the index: masks lie behind each other
// without a gap, none unpacks to more than DEFLATE can, no two have one name or one number.
Result<Index> parse_index(std::string_view text, std::uint64_t index_offset);

}  // namespace fiducial::fmask
