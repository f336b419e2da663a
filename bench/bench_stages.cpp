// bench_stages STAGE REFERENCE PREDICTION: one stage of scoring a case, called through the library.
//
//   decode      both files to runs
//   components  18-neighbour components of every predicted finding, from runs
//   dense       the same from one byte a voxel, which is what SciPy and cc3d start from
//   overlap     Dice of every finding, from runs
//   resample    the labels of all findings of the reference, from voxels of 1 x 1 x 3 mm back onto its grid
//   sizes       no timing: prints the component sizes of every predicted finding, a line each, in id order

#include <algorithm>
#include <cstring>
#include <string_view>

#include "fiducial/image/label_decoder.h"
#include "fiducial/image/resample.h"
#include "fiducial/image/transform_record.h"
#include "fiducial/spatial/components.h"
#include "fiducial/spatial/overlap.h"

#include "repetitions.h"

namespace fiducial::bench {

namespace {

Result<std::vector<LabelMap>> decode(const Path& path) {
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(path));
  FIDUCIAL_TRY(LabelStack stack, decode_labels(stream, ChannelAxis::first));
  return std::move(stack.channels);
}

std::vector<Mask> foregrounds(const std::vector<LabelMap>& channels) {
  std::vector<Mask> out;
  for (const LabelMap& channel : channels) out.push_back(channel.foreground());
  return out;
}

int time_decode(const Path& reference, const Path& prediction) {
  return answer_repetitions([&]() -> std::optional<Took> {
    bool good = false;
    const Took took = timed([&] {
      const auto a = decode(reference);
      const auto b = decode(prediction);
      keep(a);
      keep(b);
      good = a.ok() && b.ok();
    });
    return good ? std::optional(took) : std::nullopt;
  });
}

int time_components(const std::vector<Mask>& masks) {
  return answer_repetitions([&]() -> std::optional<Took> {
    return timed([&] {
      for (const Mask& mask : masks) keep(components(mask, Connectivity::edges18));
    });
  });
}

int time_components_of_dense(const std::vector<Mask>& masks) {
  std::vector<std::vector<std::uint8_t>> volumes;
  for (const Mask& mask : masks) volumes.push_back(mask.dense());
  return answer_repetitions([&]() -> std::optional<Took> {
    return timed([&] {
      for (const auto& voxels : volumes) {
        keep(components(Mask::from_dense(masks[0].grid(), voxels), Connectivity::edges18));
      }
    });
  });
}

int time_overlap(const std::vector<Mask>& reference, const std::vector<Mask>& prediction) {
  return answer_repetitions([&]() -> std::optional<Took> {
    return timed([&] {
      for (std::size_t i = 0; i < reference.size(); ++i) keep(overlap(reference[i], prediction[i]));
    });
  });
}

// Findings as labels 1, 2, ... of one map; later ones win.
NiftiImage label_map_of(const std::vector<LabelMap>& channels) {
  const Grid grid{channels[0].extent(), Affine::scaling({0.75, 0.75, 1.12})};
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.extent.count()));
  for (std::size_t i = 0; i < channels.size(); ++i) {
    for (const LabelRun& run : channels[i].runs()) {
      const auto row = voxels.begin() + std::int64_t{run.row} * grid.extent.x;
      std::fill(row + run.begin, row + run.end, static_cast<std::uint8_t>(i + 1));
    }
  }
  NiftiHeader header;
  header.dim = {3, grid.extent.x, grid.extent.y, grid.extent.z, 1, 1, 1, 1};
  header.set_affine(grid.affine);
  NiftiImage out = NiftiImage::make(header);
  std::memcpy(out.bytes().data(), voxels.data(), voxels.size());
  return out;
}

// As RadGenome's masks go back onto their CT.
int time_resample(const std::vector<LabelMap>& channels) {
  const NiftiImage labels = label_map_of(channels);
  const Grid grid = labels.header().grid();
  const auto record = make_transform_record(grid, {transform_steps::Spacing{{1, 1, 3}}});
  const Result<NiftiImage> coarse = resampled(labels, record->to, {});
  if (!coarse.ok()) return 1;
  return answer_repetitions([&]() -> std::optional<Took> {
    bool good = false;
    const Took took = timed([&] {
      const Result<NiftiImage> made = resampled(*coarse, grid, {});
      keep(made);
      good = made.ok();
    });
    return good ? std::optional(took) : std::nullopt;
  });
}

int print_sizes(const std::vector<Mask>& masks) {
  for (const Mask& mask : masks) {
    std::string line;
    for (const std::int64_t voxels : components(mask, Connectivity::edges18).voxels)
      line += decimal(voxels) + " ";
    std::puts(line.c_str());
  }
  return 0;
}

int run_stage(std::string_view stage, const Path& reference, const Path& prediction) {
  if (stage == "decode") return time_decode(reference, prediction);
  const Result<std::vector<LabelMap>> a = decode(reference);
  const Result<std::vector<LabelMap>> b = decode(prediction);
  if (!a.ok() || !b.ok()) return 1;
  if (stage == "components") return time_components(foregrounds(*b));
  if (stage == "dense") return time_components_of_dense(foregrounds(*b));
  if (stage == "resample") return time_resample(*a);
  if (stage == "overlap") return time_overlap(foregrounds(*a), foregrounds(*b));
  if (stage == "sizes") return print_sizes(foregrounds(*b));
  return 2;
}

}  // namespace

}  // namespace fiducial::bench

int main(int argc, char** argv) {
  if (argc == 4) return fiducial::bench::run_stage(argv[1], argv[2], argv[3]);
  std::fputs("usage: bench_stages decode|components|dense|overlap|resample|sizes REFERENCE PREDICTION\n",
             stderr);
  return 2;
}
