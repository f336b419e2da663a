#include <cmath>

#include <gtest/gtest.h>

#include "fiducial/datasets/rexgroundingct/lint_example.h"

namespace fiducial::rexgroundingct {
namespace {

using Lines = std::vector<std::string>;

const std::string linted_case = LintExample::first;
const std::string first_volume = "dataset/train_fixed/train_3/train_3_a/" + linted_case;
const std::string mask_file = "segmentations/" + linted_case;

// A dataset whose linted_case case of test has 24 x 20 x 12 voxels: a body in air, and a mask in it.
class VolumeExample : public LintExample {
 public:
  VolumeExample() {
    with_volumes();
    request.split = "test";
    for (const auto& [from, to] :
         {std::pair{"[6,5,4]", "[24,20,12]"},
          {"\"pixels\":{\"0\":3,\"1\":5}", "\"pixels\":{\"0\":120,\"1\":120}"},
          {"\"entity_counts\":{\"0\":1,\"1\":2}", "\"entity_counts\":{\"0\":1,\"1\":1}"}}) {
      edit(linted_case, from, to);
    }
    set_mask(mask_header_large(), false);
    set_volume(volume_header_large(), 1, 0);
  }

  static NiftiHeader mask_header_large() { return example_header({2, 24, 20, 12}, VoxelType::uint8); }
  static NiftiHeader volume_header_large(VoxelType type = VoxelType::int16) {
    NiftiHeader header = example_header({24, 20, 12}, type);
    header.set_affine(volume_header().affine);
    return header;
  }

  // A box near the edge of the body, in its linted_case slices, or in its last ones when reversed.
  void set_mask(const NiftiHeader& header, bool reversed) {
    std::vector<double> values(2 * 24 * 20 * 12, 0);
    for (int z = 1; z < 5; ++z) {
      for (int y = 3; y < 8; ++y) {
        for (int x = 4; x < 10; ++x) {
          const int slice = reversed ? 11 - z : z;
          const auto at = static_cast<std::size_t>(x + 24 * (y + 20 * slice));
          values[2 * at] = values[2 * at + 1] = 1;
        }
      }
    }
    write(mask_path(linted_case), header, values);
  }

  // Wide below and thin above; HU times slope plus offset.
  void set_volume(const NiftiHeader& header, double slope, double offset) {
    std::vector<double> values;
    for (int z = 0; z < 12; ++z) {
      const int half = z < 6 ? 9 : 3;
      for (int y = 0; y < 20; ++y) {
        for (int x = 0; x < 24; ++x) {
          const bool inside = std::abs(x - 12) <= half && std::abs(y - 10) <= half;
          values.push_back((inside ? 40 + (x + y) % 7 : -1000 + (x * y) % 5) * slope + offset);
        }
      }
    }
    write(volume_path(linted_case), header, values);
  }

  void set_metadata(const std::string& rows) {
    std::ofstream(volumes() / "train_metadata.csv")
        << "VolumeName,RescaleSlope,RescaleIntercept,XYSpacing,ZSpacing\n"
        << rows;
  }

  std::string message() const {
    const Result<LintReport> report = lint();
    return report.ok() && report->problems.all().size() == 1 ? report->problems.all()[0].message : "";
  }
};

const std::string good_rows =
    "train_3_a_1.nii.gz,1,-1024,\"[0.75, 0.75]\",1.5\ntrain_4_a_1.nii.gz,1,-1024,\"[0.75, 0.75]\",1.5\n";

TEST(LintHounsfield, finds_nothing_in_a_ct_in_hu) {
  VolumeExample example;
  EXPECT_EQ(example.problems(), Lines());
  example.set_metadata(good_rows);
  EXPECT_EQ(example.problems(), Lines());
}

TEST(LintHounsfield, warns_of_values_before_the_rescale) {
  VolumeExample example;
  example.set_volume(VolumeExample::volume_header_large(VoxelType::uint16), 1, 1024);
  EXPECT_EQ(example.problems(),
            (Lines{"note volume_type " + first_volume, "warning volume_hu_missing " + first_volume}));
  example.set_volume(VolumeExample::volume_header_large(), 1, 8192);
  EXPECT_EQ(example.problems(), (Lines{"warning volume_hu_missing " + first_volume}));
  EXPECT_NE(example.message().find("HU would be 1 * value - 8192, by the usual rescale"), std::string::npos)
      << example.message();
}

TEST(LintHounsfield, refuses_values_that_were_rescaled_twice) {
  VolumeExample example;
  example.set_volume(VolumeExample::volume_header_large(), 1, -1024);
  EXPECT_EQ(example.problems(), (Lines{"error volume_hu_twice " + first_volume}));
  EXPECT_NE(example.message().find("HU would be (value + 1024) / 1, by the usual rescale"), std::string::npos)
      << example.message();
}

TEST(LintHounsfield, applies_the_headers_scale_once_and_tells_when_that_is_once_too_often) {
  VolumeExample example;
  NiftiHeader header = VolumeExample::volume_header_large(VoxelType::uint16);
  header.slope = 1;
  header.intercept = -1024;
  std::filesystem::remove(example.volume_path(linted_case));
  const auto write_flat = [&](double offset) {
    example.set_volume(header, 1, offset);
    std::filesystem::rename(example.volume_path(linted_case), example.volumes() / linted_case);
  };
  write_flat(1024);
  EXPECT_EQ(example.problems(), Lines());
  header.type = VoxelType::int16;
  write_flat(0);
  EXPECT_EQ(example.problems(), (Lines{"error volume_hu_twice " + linted_case}));
  EXPECT_NE(example.message().find("with the header's slope 1 and intercept -1024 applied"),
            std::string::npos);
}

TEST(LintHounsfield, takes_the_rescale_of_the_metadata) {
  VolumeExample example;
  example.set_metadata("train_3_a_1.nii.gz,2,-4000,,\ntrain_4_a_1.nii.gz,1,-1024,,\n");
  example.set_volume(VolumeExample::volume_header_large(), 0.5, 2000);
  EXPECT_EQ(example.problems(), (Lines{"warning volume_hu_missing " + first_volume}));
  EXPECT_NE(example.message().find("HU would be 2 * value - 4000, by the rescale of the metadata"),
            std::string::npos);
}

TEST(LintHounsfield, refuses_a_volume_whose_voxels_are_cut_off) {
  VolumeExample example;
  const Path path = example.volume_path(linted_case);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  const Lines found = example.problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("error volume_unreadable " + first_volume)) << found[0];
}

TEST(LintMetadata, holds_spacing_against_the_header) {
  VolumeExample example;
  example.set_metadata(
      "train_3_a_1.nii.gz,1,-1024,\"[0.75, 0.75]\",2\ntrain_4_a_1.nii.gz,1,-1024,\"[0.755, 0.75]\",1.5\n");
  EXPECT_EQ(example.problems(), (Lines{"warning volume_spacing_metadata " + first_volume}));
}

TEST(LintMetadata, tells_of_rows_that_are_missing_doubled_or_make_no_sense) {
  VolumeExample example;
  example.set_metadata("train_3_a_1.nii.gz,1,x,\"[0, 0.75]\",2\ntrain_3_a_1,1,-1024,,\n");
  EXPECT_EQ(example.problems(), (Lines{"error metadata_duplicate train_metadata.csv at line 3",
                                       "warning metadata_value train_metadata.csv at line 2",
                                       "warning metadata_value train_metadata.csv at line 2",
                                       "warning metadata_row_missing train_metadata.csv"}));
  std::ofstream(example.volumes() / "train_metadata.csv") << "Name\nx\n";
  EXPECT_EQ(example.problems(), (Lines{"error metadata_unreadable train_metadata.csv at line 1"}));
  std::ofstream(example.volumes() / "validation_metadata.csv") << "VolumeName\n";
  EXPECT_EQ(example.problems(), (Lines{"note metadata_ambiguous train_metadata.csv"}));
}

TEST(LintMaskInVolume, takes_the_cts_grid_for_a_mask_that_claims_none) {
  VolumeExample example;
  EXPECT_EQ(example.problems(), Lines());
}

TEST(LintMaskInVolume, tells_handedness_axes_and_place_that_are_not_the_cts) {
  VolumeExample example;
  NiftiHeader header = VolumeExample::mask_header_large();
  header.set_affine(LintExample::volume_header().affine);
  example.set_mask(header, false);
  EXPECT_EQ(example.problems(), (Lines{"note mask_place " + mask_file}));
  header.set_affine({{{{-0.75, 0, 0, 90}, {0, -0.75, 0, 80}, {0, 0, -1.5, -200}}}});
  example.set_mask(header, false);
  EXPECT_EQ(example.problems(),
            (Lines{"note mask_place " + mask_file, "warning mask_handedness " + mask_file}));
  header.set_affine({{{{0.75, 0, 0, 90}, {0, 0.75, 0, 80}, {0, 0, 1.5, -200}}}});
  example.set_mask(header, false);
  EXPECT_EQ(example.problems(),
            (Lines{"note mask_place " + mask_file, "warning mask_orientation " + mask_file}));
  header.set_affine({{{{-0.75, 0, 0, 93}, {0, -0.75, 0, 80}, {0, 0, 1.5, -200}}}});
  example.set_mask(header, false);
  EXPECT_EQ(example.problems(), (Lines{"note mask_place " + mask_file, "warning mask_grid " + mask_file}));
}

TEST(LintMaskInVolume, warns_of_slices_in_reversed_order_with_numbers) {
  VolumeExample example;
  example.set_mask(VolumeExample::mask_header_large(), true);
  EXPECT_EQ(example.problems(), (Lines{"warning mask_slice_order " + mask_file}));
  EXPECT_EQ(
      example.message(),
      "expected a mask in the body, found 96.7 % of 240 voxels on 4 slices in the air around it, and 0.0 % "
      "with the slices in reversed order; nothing is changed here");
}

}  // namespace
}  // namespace fiducial::rexgroundingct
