#include "fiducial/tasks/finding_masks/conformance_cases.h"

#include <optional>
#include <string>

#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/metrics/finding_pair.h"
#include "fiducial/tasks/finding_masks/conformance_mask.h"

namespace fiducial {

namespace {

using Channels = std::vector<DrawnMask>;
using Voxel = DrawnMask::Voxel;

struct ConformanceCase {
  Channels reference;
  Channels prediction;
  MaskStorage stored_reference;
  MaskStorage stored_prediction;
  bool missing = false;
};

constexpr Extent usual_extent{24, 20, 16};

void add(ConformanceCase& to, DrawnMask reference, DrawnMask prediction) {
  to.reference.push_back(std::move(reference));
  to.prediction.push_back(std::move(prediction));
}

// A row of voxels from a seeded place on.
Voxel place(Random& random, std::int64_t length) {
  return {random.between(0, usual_extent.x - length), random.between(0, usual_extent.y - 4),
          random.between(0, usual_extent.z - 4)};
}

// Components just below, at and just above the least size.
ConformanceCase sizes(Random& random) {
  ConformanceCase out;
  for (const std::int64_t size : {2, 3, 9, 10, 11}) {
    const Voxel low = place(random, size);
    add(out, DrawnMask(usual_extent).box(low, {size, 1, 1}, 3),
        DrawnMask(usual_extent).box(low, {size, 1, 1}));
  }
  return out;
}

// As many components as are kept, one more, and many more; sizes are shared by several of them.
ConformanceCase many_components(Random& random) {
  const Extent extent{50, 50, 12};
  ConformanceCase out;
  for (const int count : {50, 51, 120}) {
    DrawnMask reference(extent);
    DrawnMask prediction(extent);
    for (std::int64_t i = 0; i < count; ++i) {
      const Voxel low{i % 12 * 4, i / 12 * 4, 2};
      const std::int64_t height = random.between(3, 5);
      prediction.box(low, {2, 2, height});
      if (i % 9 == 0) reference.box(low, {2, 2, 2 + height}, static_cast<double>(1 + i));
    }
    add(out, std::move(reference), std::move(prediction));
  }
  return out;
}

// Two bars that touch by a face, by an edge, by a corner or not at all.
ConformanceCase neighbours(Random& random) {
  ConformanceCase out;
  for (const Voxel& step : {Voxel{1, 0, 0}, Voxel{1, 1, 0}, Voxel{1, 1, 1}, Voxel{2, 2, 0}}) {
    const std::int64_t length = random.between(6, 9);
    const Voxel low{1, random.between(0, usual_extent.y - 4), random.between(0, usual_extent.z - 4)};
    const Voxel next{low[0] + length - 1 + step[0], low[1] + step[1], low[2] + step[2]};
    DrawnMask prediction(usual_extent);
    prediction.box(low, {length, 1, 1}).box(next, {length - 1, 1, 1});
    DrawnMask reference(usual_extent);
    reference.box(low, {length, 1, 1}, 1).box(next, {length - 1, 1, 1}, 2);
    add(out, std::move(reference), std::move(prediction));
  }
  return out;
}

// Dice of exactly 0.1 and 0.2 and one voxel less of overlap: 2 I / (A + B) with A = 10 and B given.
ConformanceCase thresholds(Random& random) {
  struct Bars {
    std::int64_t predicted;
    std::int64_t shared;
  };
  ConformanceCase out;
  const std::int64_t y = random.between(0, usual_extent.y - 3);
  for (const Bars& bars : {Bars{10, 1}, Bars{30, 2}, Bars{30, 1}, Bars{10, 2}, Bars{20, 3}, Bars{40, 5}}) {
    DrawnMask prediction(usual_extent);
    // Bars of ten, side by side, so that any length is one component.
    for (std::int64_t i = 0; i < bars.predicted; ++i)
      prediction.set({10 + i % 10, y + i / 20, 3 + i / 10 % 2}, 1);
    add(out, DrawnMask(usual_extent).box({bars.shared, y, 3}, {10, 1, 1}, 200), std::move(prediction));
  }
  return out;
}

// Nothing on one side, on both, or nothing left once small components are dropped.
ConformanceCase empty_sides(Random& random) {
  const Voxel low = place(random, 5);
  const DrawnMask nothing(usual_extent);
  const DrawnMask something = DrawnMask(usual_extent).box(low, {5, 3, 3}, 4);
  const DrawnMask crumbs = DrawnMask(usual_extent).box(low, {4, 2, 1});
  ConformanceCase out;
  add(out, nothing, nothing);
  add(out, something, nothing);
  add(out, nothing, something);
  add(out, nothing, crumbs);
  add(out, something, crumbs);
  return out;
}

// Ids up to 255, and values that wrap: 256 becomes background, 257 and 513 become 1.
ConformanceCase large_ids(Random& random) {
  ConformanceCase out;
  out.stored_reference.type = VoxelType::int16;
  out.stored_prediction.type = VoxelType::int32;
  const std::int64_t y = random.between(0, 8);
  DrawnMask reference(usual_extent);
  reference.box({1, y, 2}, {4, 4, 4}, 254).box({8, y, 2}, {4, 4, 5}, 255).box({15, y, 2}, {4, 4, 6}, 1);
  DrawnMask prediction(usual_extent);
  prediction.box({1, y, 2}, {4, 4, 4}, 255).box({8, y, 2}, {4, 4, 5}, 256).box({15, y, 2}, {4, 4, 6}, 257);
  add(out, reference, prediction);
  add(out, DrawnMask(usual_extent).box({2, y, 3}, {5, 5, 5}, 256).box({10, y, 3}, {4, 4, 4}, 513),
      DrawnMask(usual_extent).box({2, y, 3}, {5, 5, 5}).box({10, y, 3}, {4, 4, 3}));
  return out;
}

// Probabilities are truncated: below 1 is background.
ConformanceCase fractions(Random& random, VoxelType type) {
  ConformanceCase out;
  out.stored_prediction.type = type;
  const Voxel low{2, random.between(0, 10), random.between(0, 8)};
  const DrawnMask reference = DrawnMask(usual_extent).box(low, {6, 4, 4}, 9);
  add(out, reference, DrawnMask(usual_extent).box(low, {6, 4, 4}, 0.75));
  add(out, reference, DrawnMask(usual_extent).box(low, {6, 4, 4}, 0.5).box(low, {4, 4, 4}, 1.5));
  add(out, reference, DrawnMask(usual_extent).box(low, {5, 4, 4}, 255.75));
  return out;
}

DrawnMask random_reference(Random& random, const Extent& extent) {
  DrawnMask out(extent);
  for (std::int64_t left = random.between(0, 6); left > 0; --left) {
    const Voxel centre{random.between(0, extent.x - 1), random.between(0, extent.y - 1),
                       random.between(0, extent.z - 1)};
    out.ball(centre, random.between(1, 4), static_cast<double>(random.between(1, 255)));
  }
  return out;
}

// The reference moved a little, with voxels flipped here and there.
DrawnMask random_prediction(Random& random, const DrawnMask& reference) {
  const Extent& extent = reference.extent();
  DrawnMask out(extent);
  const Voxel shift{random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)};
  const double noise = random.uniform(0, 0.06);
  std::size_t i = 0;
  for (std::int64_t z = 0; z < extent.z; ++z) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t x = 0; x < extent.x; ++x, ++i) {
        if (reference.values()[i] != 0) out.set({x + shift[0], y + shift[1], z + shift[2]}, 1);
        if (random.uniform() < noise) out.set({x, y, z}, random.uniform() < 0.7 ? 1 : 0);
      }
    }
  }
  return out;
}

bool has_tie(const DrawnMask& reference, const DrawnMask& prediction) {
  for (const Connectivity connectivity :
       {Connectivity::faces6, Connectivity::edges18, Connectivity::corners26}) {
    for (const std::int64_t least : {3, 10}) {
      const InstanceRules rules{.connectivity = connectivity, .min_voxels = least};
      const FindingPair pair(reference.labels(), prediction.labels(), rules);
      if (pair.matching(MatchRule::rexrank).had_tie) return true;
    }
  }
  return false;
}

ConformanceCase random_case(Random& random, MaskStorage storage, int findings) {
  ConformanceCase out;
  out.stored_prediction = storage;
  const Extent extent{random.between(9, 26), random.between(9, 26), random.between(9, 20)};
  while (static_cast<int>(out.reference.size()) < findings) {
    DrawnMask reference = random_reference(random, extent);
    DrawnMask prediction = random_prediction(random, reference);
    if (!has_tie(reference, prediction)) add(out, std::move(reference), std::move(prediction));
  }
  return out;
}

std::vector<ConformanceCase> conformance_cases(std::uint64_t seed) {
  Random random(seed, "conformance");
  std::vector<ConformanceCase> out{sizes(random),
                                   many_components(random),
                                   neighbours(random),
                                   thresholds(random),
                                   empty_sides(random),
                                   large_ids(random),
                                   fractions(random, VoxelType::float32),
                                   fractions(random, VoxelType::float64)};
  out.push_back(random_case(random, {VoxelType::int16}, 2));
  out.push_back(random_case(random, {VoxelType::int16}, 3));
  out.back().missing = true;
  out.push_back(random_case(random, {VoxelType::uint8}, 1));
  out.push_back(random_case(random, {.type = VoxelType::int16, .big_endian = true}, 3));
  out.back().stored_reference = {.type = VoxelType::int32, .big_endian = true};
  for (int i = 0; i < 4; ++i) out.push_back(random_case(random, {VoxelType::uint8}, 4));
  return out;
}

}  // namespace

Outcome write_conformance_cases(const Path& folder, std::uint64_t seed) {
  std::error_code failure;
  for (const char* name : {"segmentations", "predictions"}) {
    if (!std::filesystem::create_directories(folder / name, failure) && failure) {
      return Error(ErrorCode::unavailable, failure.message(), Place{.path = (folder / name).string()});
    }
  }
  Json entries;
  std::int64_t patient = 0;
  for (const ConformanceCase& one : conformance_cases(seed)) {
    const std::string name = "train_" + decimal(++patient) + "_a_1.nii.gz";
    entries.push(Json::object({{"seg_path", name}}));
    const Bytes reference = mask_file(one.reference, one.stored_reference);
    FIDUCIAL_TRY_DONE(write_file(folder / "segmentations" / name, ByteView(reference)));
    if (one.missing) continue;
    const Bytes prediction = mask_file(one.prediction, one.stored_prediction);
    FIDUCIAL_TRY_DONE(write_file(folder / "predictions" / name, ByteView(prediction)));
  }
  return write_file(folder / "dataset.json", Json::object({{"test", std::move(entries)}}).pretty());
}

}  // namespace fiducial
