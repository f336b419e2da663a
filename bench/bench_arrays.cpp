// bench_arrays MODE REFERENCE PREDICTION: Dice of every finding from arrays of one byte a voxel in C order,
// which is what Python programs hold.
//
//   native           through the library
//   native_and_pass  the same, and one more pass over the arrays

#include <cstring>
#include <string_view>

#include "fiducial/image/label_array.h"
#include "fiducial/image/label_decoder.h"
#include "fiducial/spatial/overlap.h"

#include "repetitions.h"

namespace fiducial::bench {

namespace {

// The channels of a file, each [x, y, z] with z fastest.
struct Arrays {
  Extent extent;
  std::vector<std::vector<std::uint8_t>> channels;

  VoxelArray view(std::size_t channel) const {
    return {reinterpret_cast<const std::byte*>(channels[channel].data()),
            VoxelType::uint8,
            false,
            extent,
            {extent.y * extent.z, extent.z, 1}};
  }
};

Result<Arrays> read_arrays(const Path& path) {
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(path));
  FIDUCIAL_TRY(const LabelStack stack, decode_labels(stream, ChannelAxis::first));
  Arrays out{stack.grid.extent, {}};
  for (const LabelMap& channel : stack.channels) {
    std::vector<std::uint8_t> voxels(static_cast<std::size_t>(out.extent.count()));
    for (const LabelRun& run : channel.runs()) {
      const std::int64_t y = run.row % out.extent.y;
      const std::int64_t z = run.row / out.extent.y;
      for (std::int64_t x = run.begin; x < run.end; ++x) {
        voxels[static_cast<std::size_t>((x * out.extent.y + y) * out.extent.z + z)] = 1;
      }
    }
    out.channels.push_back(std::move(voxels));
  }
  return out;
}

// As fast as memory gives it: eight voxels at a time.
void read_once(const std::vector<std::uint8_t>& voxels) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 8 <= voxels.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, voxels.data() + i, 8);
    sum += word;
  }
  keep(sum);
}

bool score(const Arrays& reference, const Arrays& prediction, bool another_pass) {
  for (std::size_t i = 0; i < reference.channels.size(); ++i) {
    const Result<LabelMap> a = labels_from_array(reference.view(i));
    const Result<LabelMap> b = labels_from_array(prediction.view(i));
    if (!a.ok() || !b.ok()) return false;
    keep(overlap(a->foreground(), b->foreground()));
    if (!another_pass) continue;
    read_once(reference.channels[i]);
    read_once(prediction.channels[i]);
  }
  return true;
}

int run(std::string_view mode, const Path& reference, const Path& prediction) {
  const Result<Arrays> a = read_arrays(reference);
  const Result<Arrays> b = read_arrays(prediction);
  if (!a.ok() || !b.ok()) return 1;
  return answer_repetitions([&]() -> std::optional<Took> {
    bool good = false;
    const Took took = timed([&] { good = score(*a, *b, mode == "native_and_pass"); });
    return good ? std::optional(took) : std::nullopt;
  });
}

}  // namespace

}  // namespace fiducial::bench

int main(int argc, char** argv) {
  if (argc == 4) return fiducial::bench::run(argv[1], argv[2], argv[3]);
  std::fputs("usage: bench_arrays native|native_and_pass REFERENCE PREDICTION\n", stderr);
  return 2;
}
