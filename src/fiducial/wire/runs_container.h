#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fiducial/base/bytes.h"
#include "fiducial/base/result.h"
#include "fiducial/image/label_map.h"

namespace fiducial::wire {

// A mask to be sent, under the number that a reader knows it by: the index of a finding, the number of an
// organ.
struct NumberedMask {
  std::uint32_t id = 0;
  const LabelMap* labels = nullptr;
};

// Masks on one grid as a runs container (docs/formats/runs.md). With entities every run carries its label;
// without them a mask is what is not background. Refuses an extent that a container cannot hold, and masks of
// more than one extent.
Result<Bytes> encode_runs(const Extent& extent, std::span<const NumberedMask> masks, bool with_entities);

struct ReadMask {
  std::uint32_t id = 0;
  LabelMap labels;  // 1 where the container has no entities
};

struct ReadRuns {
  Extent extent;
  bool has_entities = false;
  std::vector<ReadMask> masks;
};

// The most runs of a container, of all its masks together.
inline constexpr std::uint64_t max_container_runs = std::uint64_t{8} << 20;

// The masks of a container; bytes are hostile. Errors name the byte.
Result<ReadRuns> decode_runs(ByteView bytes);

}  // namespace fiducial::wire
