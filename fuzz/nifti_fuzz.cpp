// NiftiStream on any bytes, then the whole image and the labels under every channel axis.
#include <memory>

#include "fiducial/image/label_decoder.h"
#include "fiducial/image/nifti_file.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

// Deflate can promise a thousand times the input; a larger image only costs time.
constexpr std::int64_t most_voxel_bytes = std::int64_t{4} << 20;

Result<NiftiStream> opened(ByteView bytes) {
  return NiftiStream::open(std::make_unique<MemoryStream>(bytes), bytes.size());
}

void check_runs(const LabelMap& map) {
  const LabelRun* before = nullptr;
  for (const LabelRun& run : map.runs()) {
    require(run.label != 0 && run.row >= 0 && run.row < map.extent().rows());
    require(run.begin >= 0 && run.begin < run.end && run.end <= map.extent().x);
    if (before != nullptr && before->row == run.row) {
      require(before->end < run.begin || (before->end == run.begin && before->label != run.label));
    }
    require(before == nullptr || before->row <= run.row);
    before = &run;
  }
}

void decode(ByteView bytes, ChannelAxis axis) {
  Result<NiftiStream> stream = opened(bytes);
  require(stream.ok());
  const Result<LabelStack> stack = decode_labels(stream.value(), axis);
  if (!stack.ok()) return;
  for (const LabelMap& map : stack->channels) check_runs(map);
}

// What was read must survive being written.
void read_image(NiftiStream stream) {
  const Result<NiftiImage> image = read_nifti(std::move(stream));
  if (!image.ok()) return;
  Bytes out = nifti_header_bytes(image->header());
  out.insert(out.end(), image->bytes().begin(), image->bytes().end());
  Result<NiftiStream> again = opened(out);
  require(again.ok() && again->header().dim == image->header().dim);
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* raw, std::size_t size) {
  using namespace fiducial;
  const ByteView bytes = fuzz::view(raw, size);
  Result<NiftiStream> stream = fuzz::opened(bytes);
  if (!stream.ok() || stream->header().voxel_bytes() > fuzz::most_voxel_bytes) return 0;
  for (const ChannelAxis axis : {ChannelAxis::none, ChannelAxis::first, ChannelAxis::last})
    fuzz::decode(bytes, axis);
  fuzz::read_image(std::move(stream).value());
  return 0;
}
