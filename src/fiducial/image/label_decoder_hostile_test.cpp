#include <memory>

#include <gtest/gtest.h>

#include "fiducial/image/label_decoder.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {
namespace {

// Rows end at the last byte of the buffer they are decoded from, which the address sanitizer watches.
TEST(HostileLabelDecoder, stays_inside_the_row_with_more_than_eight_interleaved_channels) {
  for (const std::int64_t channels : {9, 16, 17, 64, 200}) {
    NiftiHeader header;
    header.dim = {4, channels, 2621, 1, 1, 1, 1, 1};
    header.set_affine(Affine{});
    Bytes file = nifti_header_bytes(header);
    const std::size_t voxels_at = file.size();
    file.resize(voxels_at + static_cast<std::size_t>(header.voxel_bytes()));
    file[voxels_at + 1] = std::byte{5};
    Result<NiftiStream> stream = NiftiStream::open(std::make_unique<MemoryStream>(file), file.size());
    ASSERT_TRUE(stream.ok()) << stream.error().text();
    const Result<LabelStack> stack = decode_labels(stream.value(), ChannelAxis::first);
    ASSERT_TRUE(stack.ok()) << stack.error().text();
    for (std::int64_t c = 0; c < channels; ++c) {
      EXPECT_EQ(stack->channels[static_cast<std::size_t>(c)].count(), c == 1 ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace fiducial
