#pragma once

#include <array>
#include <cstdint>

#include "fiducial/base/bytes.h"
#include "fiducial/base/result.h"
#include "fiducial/image/label_map.h"

namespace fiducial::wire {

// The runs of one mask as bytes (docs/formats/runs.md): what runs containers and .fmask files hold.
struct RunPayload {
  std::uint32_t runs = 0;
  std::array<std::uint16_t, 6> box{};  // x0 x1 y0 y1 z0 z1, half open and tight; zeros around nothing
  bool has_entities = false;           // every run carries its label; else a mask is what is not background

  friend bool operator==(const RunPayload&, const RunPayload&) = default;
};

struct EncodedRuns {
  RunPayload about;
  Bytes bytes;
};

// Sides of 1 to 65,535 voxels, all together at most 2^32 - 1.
Outcome check_payload_extent(const Extent& extent);

// The extent must have been checked. Refuses negative labels where they are entities.
Result<EncodedRuns> encode_payload(const LabelMap& labels, bool with_entities);

// The runs of a payload, which are exactly those that are promised, 1 where they carry no entity; bytes are
// hostile. Allocates for no more runs than the bytes can hold. Errors name the byte of the payload.
Result<LabelMap> decode_payload(ByteView bytes, const RunPayload& promised, const Grid& grid);

}  // namespace fiducial::wire
