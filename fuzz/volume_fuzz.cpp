// NRRD and MetaImage on any bytes, then their voxels and the masks of their segments.
#include <memory>

#include "fiducial/masks/volume_masks.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

constexpr std::int64_t most_voxel_bytes = std::int64_t{1} << 20;

MaskSource source_of(ByteView bytes) {
  return {.file = {std::make_unique<MemoryStream>(bytes), bytes.size()}, .places = nullptr};
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* raw, std::size_t size) {
  using namespace fiducial;
  const ByteView bytes = fuzz::view(raw, size);
  Result<NiftiStream> stream = NiftiStream::open(std::make_unique<MemoryStream>(bytes), bytes.size());
  if (!stream.ok() || stream->header().voxel_bytes() > fuzz::most_voxel_bytes) return 0;
  fuzz::require(stream->header().affine.finite());
  const auto image = read_nifti(std::move(stream).value());
  auto masks = open_volume_masks(fuzz::source_of(bytes));
  if (!masks.ok()) return 0;
  const MaskHead head = (*masks)->head();
  fuzz::require(static_cast<std::int64_t>(head.masks.size()) == head.shape.channels);
  const auto stack = (*masks)->read_all();
  if (stack.ok()) fuzz::require(stack->channels.size() == head.masks.size());
  return 0;
}
