#include "fiducial/segment/chest_segmenter.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fiducial/image/label_decoder.h"
#include "fiducial/image/nifti_example.h"
#include "fiducial/image/reorient.h"

namespace fiducial {
namespace {

// A chest of ellipsoids: x to the left, y to the back, z to the head, millimetres from the middle.
struct ToyChest {
  Vec3 spacing_mm{3, 3, 3};
  Extent extent{112, 80, 90};
  bool lungs_touch = false;
  double lean = 0;  // to the left, mm a mm towards the head
  double lift = 0;  // towards the head, mm
  double roll = 0;  // of the left side towards the head, mm a mm

  double mm(std::int64_t index, int axis) const {
    return (static_cast<double>(index) - static_cast<double>(extent[axis] - 1) / 2) *
           spacing_mm[static_cast<std::size_t>(axis)];
  }
};

double level(const Vec3& p, const Vec3& centre, const Vec3& radii) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += (p[i] - centre[i]) * (p[i] - centre[i]) / (radii[i] * radii[i]);
  return sum;
}

enum class Toy { air, tissue, bone, left, right, trachea, gas };

Toy toy_at(const ToyChest& chest, const Vec3& p) {
  if (level(p, {0, 0, 0}, {150, 105, 1e6}) > 1) return Toy::air;
  if (level(p, {0, 72, 0}, {20, 18, 1e6}) < 1) return Toy::bone;
  const double windpipe = p[2] > 8 ? std::hypot(p[0], p[1] - 10) : 1e6;
  const double bronchi = std::abs(p[0]) < 45 ? std::hypot(p[1] - 10, p[2] - 14) : 1e6;
  if (windpipe < 9 || bronchi < 6) return Toy::trachea;
  if (windpipe < 13 || bronchi < 9) return Toy::tissue;
  const double centre = chest.lungs_touch ? 60 : 72;
  const double radius = chest.lungs_touch ? 66 : 50;
  if (level(p, {centre, 0, 30}, {radius, 66, 105}) < 1 && p[0] > 0) return Toy::left;
  if (level(p, {-centre, 0, 30}, {radius, 66, 105}) < 1) return Toy::right;
  if (level(p, {60, -30, -105}, {40, 35, 22}) < 1) return Toy::gas;
  if (level(p, {-70, -40, -118}, {25, 20, 12}) < 1) return Toy::gas;
  return Toy::tissue;
}

double toy_hu(Toy toy, std::int64_t x, std::int64_t y, std::int64_t z) {
  const double noise = static_cast<double>((x * 7 + y * 13 + z * 29) % 41) - 20;
  const double values[] = {-1000, 40, 400, -850, -850, -990, -985};
  return values[static_cast<std::size_t>(toy)] + (toy == Toy::air ? 0 : noise);
}

template <typename Visit>
void for_each_toy(const ToyChest& chest, Visit visit) {
  for (std::int64_t z = 0; z < chest.extent.z; ++z) {
    for (std::int64_t y = 0; y < chest.extent.y; ++y) {
      for (std::int64_t x = 0; x < chest.extent.x; ++x) {
        const double height = chest.mm(z, 2) - chest.lift - chest.roll * chest.mm(x, 0);
        visit(x, y, z, toy_at(chest, {chest.mm(x, 0) - chest.lean * height, chest.mm(y, 1), height}));
      }
    }
  }
}

NiftiImage toy_ct(const ToyChest& chest, VoxelType type = VoxelType::int16, double slope = 1,
                  double intercept = 0) {
  NiftiHeader header = example_header({chest.extent.x, chest.extent.y, chest.extent.z}, type);
  Affine affine = Affine::scaling(chest.spacing_mm, {150, 100, -120});
  affine.m[0][0] = -affine.m[0][0];
  affine.m[1][1] = -affine.m[1][1];
  header.set_affine(affine);
  header.slope = slope;
  header.intercept = intercept;
  std::vector<double> values;
  for_each_toy(chest, [&](std::int64_t x, std::int64_t y, std::int64_t z, Toy toy) {
    values.push_back((toy_hu(toy, x, y, z) - intercept) / slope);
  });
  NiftiImage image = NiftiImage::make(std::move(header));
  const Bytes bytes = voxel_bytes_of(values, type);
  std::copy(bytes.begin(), bytes.end(), image.bytes().begin());
  return image;
}

double dice_of(const LabelMap& labels, ChestLabel label, const ToyChest& chest, Toy toy) {
  const std::vector<std::uint8_t> found = labels.where(static_cast<std::int32_t>(label)).dense();
  std::size_t next = 0;
  double both = 0;
  double all = 0;
  for_each_toy(chest, [&](std::int64_t, std::int64_t, std::int64_t, Toy is) {
    const bool a = found[next++] != 0;
    both += a && is == toy ? 2 : 0;
    all += (a ? 1 : 0) + (is == toy ? 1 : 0);
  });
  return both / all;
}

ChestSegmentation segmented(NiftiImage image) {
  Result<ChestSegmentation> out = segment_chest(std::move(image));
  EXPECT_TRUE(out.ok()) << out.error().text();
  return std::move(out).value();
}

void expect_toy(const ChestSegmentation& found, const ToyChest& chest) {
  EXPECT_GT(dice_of(found.labels, ChestLabel::lung_left, chest, Toy::left), 0.95);
  EXPECT_GT(dice_of(found.labels, ChestLabel::lung_right, chest, Toy::right), 0.95);
  EXPECT_GT(dice_of(found.labels, ChestLabel::trachea, chest, Toy::trachea), 0.85);
  EXPECT_GT(dice_of(found.labels, ChestLabel::bone, chest, Toy::bone), 0.9);
  const std::vector<std::uint8_t> lungs =
      found.labels.relabelled([](std::int32_t label) { return label == 203 || label == 204 ? 1 : 0; })
          .foreground()
          .dense();
  std::size_t next = 0;
  std::int64_t gas = 0;
  for_each_toy(chest, [&](std::int64_t, std::int64_t, std::int64_t, Toy toy) {
    gas += lungs[next++] != 0 && toy == Toy::gas ? 1 : 0;
  });
  EXPECT_EQ(gas, 0);
}

TEST(ChestSegmenter, finds_lungs_trachea_and_bone_and_takes_no_gas_for_lung) {
  const ToyChest chest;
  expect_toy(segmented(toy_ct(chest)), chest);
}

TEST(ChestSegmenter, finds_the_same_voxels_in_every_orientation_of_the_file) {
  const ToyChest chest;
  const NiftiImage ct = toy_ct(chest);
  const ChestSegmentation first = segmented(reoriented(ct, Reorientation{}));
  const NiftiImage labels = *encoded(first);
  for (const char* code : {"RAS", "LAS", "RPI", "SAR", "PIR", "ILA"}) {
    const OrientationCode target = *OrientationCode::parse(code);
    const ChestSegmentation turned = segmented(*reoriented(ct, target));
    const NiftiImage expected = *reoriented(labels, target);
    const NiftiImage found = *encoded(turned);
    EXPECT_TRUE(std::ranges::equal(found.bytes(), expected.bytes())) << code;
    EXPECT_EQ(turned.orientation, code);
  }
}

TEST(ChestSegmenter, reads_scaled_and_floating_values_and_those_of_a_scanner) {
  const ToyChest chest;
  const LabelMap plain = segmented(toy_ct(chest)).labels;
  EXPECT_EQ(segmented(toy_ct(chest, VoxelType::float32)).labels, plain);
  EXPECT_EQ(segmented(toy_ct(chest, VoxelType::uint16, 1, -1024)).labels, plain);
  EXPECT_EQ(segmented(toy_ct(chest, VoxelType::float64, 2, 100)).labels, plain);
  NiftiImage stored = toy_ct(chest, VoxelType::uint16, 1, -1024);
  stored.header().slope = 1;
  stored.header().intercept = 0;
  const ChestSegmentation recognised = segmented(std::move(stored));
  EXPECT_EQ(recognised.labels, plain);
  ASSERT_EQ(recognised.notes.size(), 1U);
  EXPECT_EQ(recognised.notes.front().code, "rescaled");
}

TEST(ChestSegmenter, works_on_thick_and_on_fine_slices) {
  for (const ToyChest& chest : {ToyChest{.spacing_mm = {2.5, 2.5, 5}, .extent = {134, 96, 54}},
                                ToyChest{.spacing_mm = {3, 3, 0.8}, .extent = {112, 80, 330}}}) {
    SCOPED_TRACE(chest.spacing_mm[2]);
    expect_toy(segmented(toy_ct(chest)), chest);
  }
}

TEST(ChestSegmenter, cuts_lungs_apart_that_touch) {
  const ToyChest chest{.lungs_touch = true};
  const ChestSegmentation found = segmented(toy_ct(chest));
  EXPECT_GT(dice_of(found.labels, ChestLabel::lung_left, chest, Toy::left), 0.95);
  EXPECT_GT(dice_of(found.labels, ChestLabel::lung_right, chest, Toy::right), 0.95);
}

// The crop keeps the header true, so sides stay.
NiftiImage cropped(const NiftiImage& image, std::int64_t low_x, std::int64_t high_x) {
  NiftiHeader header = image.header();
  const Extent from = header.extent();
  header.dim[1] = high_x - low_x;
  Affine affine = header.affine;
  for (std::size_t i = 0; i < 3; ++i) affine.m[i][3] += affine.m[i][0] * static_cast<double>(low_x);
  header.set_affine(affine);
  NiftiImage out = NiftiImage::make(std::move(header));
  const auto width = static_cast<std::size_t>(high_x - low_x) * 2;
  for (std::int64_t row = 0; row < from.rows(); ++row) {
    const auto at = static_cast<std::size_t>(row * from.x + low_x) * 2;
    std::copy_n(std::as_const(image).bytes().begin() + static_cast<std::ptrdiff_t>(at), width,
                out.bytes().begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * width));
  }
  return out;
}

TEST(ChestSegmenter, keeps_sides_where_one_lung_is_outside_the_picture) {
  const NiftiImage ct = toy_ct({});
  const ChestSegmentation left = segmented(cropped(ct, 48, 112));
  EXPECT_GT(left.labels.where(203).count(), 20000);
  EXPECT_EQ(left.labels.where(204).count(), 0);
  const ChestSegmentation right = segmented(cropped(ct, 0, 64));
  EXPECT_GT(right.labels.where(204).count(), 20000);
  EXPECT_EQ(right.labels.where(203).count(), 0);
}

TEST(ChestSegmenter, finds_the_small_base_of_a_lung_beside_the_other) {
  const ToyChest chest{.spacing_mm = {2, 2, 2}, .extent = {168, 120, 135}, .lift = 196, .roll = 0.08};
  const ChestSegmentation found = segmented(toy_ct(chest));
  EXPECT_GT(dice_of(found.labels, ChestLabel::lung_left, chest, Toy::left), 0.95);
  EXPECT_GT(dice_of(found.labels, ChestLabel::lung_right, chest, Toy::right), 0.95);
}

TEST(ChestSegmenter, keeps_lungs_whole_in_a_body_that_stands_aslant) {
  for (const double lean : {0.55, 0.7}) {
    const ToyChest chest{.extent = {150, 80, 90}, .lean = lean};
    const ChestSegmentation found = segmented(toy_ct(chest));
    EXPECT_GT(dice_of(found.labels, ChestLabel::lung_left, chest, Toy::left), 0.95) << lean;
    EXPECT_GT(dice_of(found.labels, ChestLabel::lung_right, chest, Toy::right), 0.95) << lean;
  }
}

TEST(ChestSegmenter, keeps_sides_where_the_spine_is_outside_the_picture) {
  const NiftiImage ct = toy_ct({});
  const ChestSegmentation left = segmented(cropped(ct, 68, 112));
  EXPECT_GT(left.labels.where(203).count(), 10000);
  EXPECT_EQ(left.labels.where(204).count(), 0);
  const ChestSegmentation right = segmented(cropped(ct, 0, 44));
  EXPECT_GT(right.labels.where(204).count(), 10000);
  EXPECT_EQ(right.labels.where(203).count(), 0);
}

TEST(ChestSegmenter, finds_nothing_in_a_block_of_tissue_and_says_so) {
  NiftiHeader header = example_header({40, 40, 30}, VoxelType::int16);
  header.set_affine(Affine::scaling({3, 3, 3}, {1, 2, 3}));
  const ChestSegmentation found = segmented(NiftiImage::make(std::move(header)));
  for (const SegmentedStructure& each : found.structures) {
    EXPECT_EQ(each.voxels > 0, each.label == ChestLabel::body) << each.name;
    EXPECT_EQ(each.detail.starts_with("not found"), each.voxels == 0) << each.detail;
  }
}

double dice_of_masks(const Mask& a, const Mask& b) {
  return 2 * static_cast<double>(intersected(a, b).count()) / static_cast<double>(a.count() + b.count());
}

// Labels 10 .. 14 are lobes of lungs, 10 and 11 of the left one; 6, 18, 19 and 20 are stomach and bowel.
TEST(ChestSegmenter, finds_the_lungs_of_a_real_ct_on_their_sides_without_bowel_gas) {
  const auto ct = data_pack_file("nifti/totalsegmentator/example_ct.nii.gz");
  const auto labels = data_pack_file("nifti/totalsegmentator/example_seg_fast_force_split.nii.gz");
  if (!ct || !labels) GTEST_SKIP() << "data pack file nifti/totalsegmentator/example_ct.nii.gz not found";
  const ChestSegmentation found = segmented(*read_nifti(*ct));
  NiftiStream stream = *NiftiStream::open(*labels);
  const LabelMap truth = decode_labels(stream, ChannelAxis::none)->channels.front();
  const auto of = [](const LabelMap& map, std::initializer_list<std::int32_t> wanted) {
    return map
        .relabelled([&](std::int32_t label) {
          return std::find(wanted.begin(), wanted.end(), label) != wanted.end() ? 1 : 0;
        })
        .foreground();
  };
  const Mask lungs = of(found.labels, {203, 204});
  EXPECT_GT(dice_of_masks(lungs, of(truth, {10, 11, 12, 13, 14})), 0.9);
  EXPECT_GT(dice_of_masks(of(found.labels, {203}), of(truth, {10, 11})), 0.85);
  EXPECT_GT(dice_of_masks(of(found.labels, {204}), of(truth, {12, 13, 14})), 0.85);
  EXPECT_LT(intersected(lungs, of(truth, {6, 18, 19, 20})).count(), 10);
}

TEST(ChestSegmenter, refuses_a_label_map) {
  NiftiImage labels = NiftiImage::make(example_header({20, 20, 20}, VoxelType::uint8));
  for (std::size_t i = 0; i < 2000; ++i) labels.bytes()[i] = std::byte{static_cast<std::uint8_t>(i % 60)};
  const auto found = segment_chest(std::move(labels));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().message(),
            "looks like a label map: few whole numbers, none below 0; expected a CT in HU");
}

TEST(ChestSegmenter, refuses_what_is_no_volume) {
  EXPECT_FALSE(segment_chest(NiftiImage::make(example_header({4, 4, 4, 2}, VoxelType::int16))).ok());
  EXPECT_FALSE(segment_chest(NiftiImage::make(example_header({4, 4, 4}, VoxelType::rgb24))).ok());
}

}  // namespace
}  // namespace fiducial
