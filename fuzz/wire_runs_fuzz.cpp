// Runs containers of any bytes: what decodes keeps every promise of the format, and comes back the same bytes
// when it is encoded again.
#include <algorithm>

#include "fiducial/wire/runs_container.h"
#include "fiducial/wire/slab.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const ByteView input = fuzz::view(bytes, size);
  if (const auto read = wire::decode_runs(input); read.ok()) {
    std::vector<wire::NumberedMask> masks;
    for (const wire::ReadMask& mask : read->masks) {
      for (const LabelRun& run : mask.labels.runs()) {
        fuzz::require(run.begin >= 0 && run.begin < run.end && run.end <= read->extent.x);
        fuzz::require(run.row >= 0 && run.row < read->extent.rows() && run.label > 0);
      }
      masks.push_back({mask.id, &mask.labels});
    }
    const auto again = wire::encode_runs(read->extent, masks, read->has_entities);
    fuzz::require(again.ok() && std::ranges::equal(*again, input));
  }
  if (const auto slab = wire::decode_slab(input, 4); slab.ok())
    fuzz::require(std::ranges::equal(wire::encode_slab(*slab, 4), input));
  return 0;
}
