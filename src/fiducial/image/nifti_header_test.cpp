#include "fiducial/image/nifti_header.h"

#include <limits>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/image/nifti_affine.h"
#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

NiftiHeader filled_header(int version) {
  NiftiHeader header = example_header({7, 6, 5, 4, 3, 2, 1}, VoxelType::int16);
  header.version = version;
  header.voxel_offset = version == 1 ? 352 : 544;
  header.set_affine({{{{-0.5, 0, 0, 10}, {0, 0.75, 0.25, -20}, {0, -0.25, 1.5, 30}}}}, 2);
  header.slope = 0.5;
  header.intercept = -3;
  header.xyzt_units = 10;
  header.intent_code = 1002;
  header.intent_parameters = {1, 2, 3};
  header.intent_name = "labels";
  header.description = "a phantom";
  header.display_min = -100;
  header.display_max = 200;
  return header;
}

std::string error_of(const Bytes& bytes) {
  const auto header = parse_nifti_header(bytes);
  return header.ok() ? "accepted" : header.error().text();
}

// The header with one field of version 1 overwritten.
template <typename T>
std::string error_with(std::size_t offset, T value) {
  Bytes bytes = nifti_header_bytes(example_header({4, 5, 6}));
  store(std::span(bytes), offset, value);
  return error_of(bytes);
}

class EveryHeader : public testing::TestWithParam<std::pair<int, bool>> {};

TEST_P(EveryHeader, comes_back_in_every_field) {
  const auto [version, swapped] = GetParam();
  const NiftiHeader written = filled_header(version);
  Bytes bytes = nifti_header_bytes(written);
  if (swapped) bytes = header_in_other_byte_order(bytes);
  const NiftiHeader read = parse_nifti_header(bytes).value();
  EXPECT_EQ(read.version, version);
  EXPECT_EQ(read.swapped, swapped);
  EXPECT_EQ(read.dim, written.dim);
  EXPECT_EQ(read.type, written.type);
  EXPECT_EQ(read.voxel_offset, written.voxel_offset);
  EXPECT_EQ(read.slope, written.slope);
  EXPECT_EQ(read.intercept, written.intercept);
  EXPECT_EQ(read.qform_code, written.qform_code);
  EXPECT_EQ(read.sform_code, written.sform_code);
  EXPECT_EQ(read.affine, written.affine);
  EXPECT_EQ(read.xyzt_units, written.xyzt_units);
  EXPECT_EQ(read.intent_code, written.intent_code);
  EXPECT_EQ(read.intent_parameters, written.intent_parameters);
  EXPECT_EQ(read.intent_name, written.intent_name);
  EXPECT_EQ(read.description, written.description);
  EXPECT_EQ(read.display_min, written.display_min);
  EXPECT_EQ(read.display_max, written.display_max);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(read.pixdim[i], written.pixdim[i], 1e-6);
  EXPECT_TRUE(read.notes.empty());
}

TEST_P(EveryHeader, is_refused_when_cut_off_at_any_byte) {
  const auto [version, swapped] = GetParam();
  Bytes bytes = nifti_header_bytes(filled_header(version));
  if (swapped) bytes = header_in_other_byte_order(bytes);
  const std::size_t size = version == 1 ? 348 : 540;
  for (std::size_t cut = 0; cut < size; ++cut) {
    EXPECT_FALSE(parse_nifti_header(ByteView(bytes).first(cut)).ok()) << cut;
  }
  EXPECT_EQ(error_of(Bytes(bytes.begin(), bytes.begin() + 100)),
            "header is cut off: 100 of " + decimal(size) + " bytes");
}

TEST_P(EveryHeader, survives_random_changes) {
  const auto [version, swapped] = GetParam();
  Random random(1);
  Bytes good = nifti_header_bytes(filled_header(version));
  if (swapped) good = header_in_other_byte_order(good);
  for (int trial = 0; trial < 5000; ++trial) {
    Bytes bytes = good;
    for (std::uint64_t i = random.below(20); i > 0; --i)
      bytes[random.below(bytes.size())] = static_cast<std::byte>(random.below(256));
    const auto header = parse_nifti_header(bytes);
    if (!header.ok()) continue;
    EXPECT_TRUE(header->affine.finite());
    EXPECT_GT(header->voxel_bytes(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(versions, EveryHeader,
                         testing::Values(std::pair(1, false), std::pair(1, true), std::pair(2, false),
                                         std::pair(2, true)),
                         [](const auto& each) {
                           return "nifti" + decimal(each.param.first) +
                                  (each.param.second ? "_swapped" : "_native");
                         });

TEST(NiftiHeader, describes_its_shape_and_size) {
  const NiftiHeader header = example_header({8, 512, 512, 300}, VoxelType::int16);
  EXPECT_EQ(header.rank(), 4);
  EXPECT_EQ(header.shape_text(), "8 x 512 x 512 x 300");
  EXPECT_EQ(header.voxel_count(), 8LL * 512 * 512 * 300);
  EXPECT_EQ(header.voxel_bytes(), 2 * header.voxel_count());
  EXPECT_EQ(header.extent(), (Extent{8, 512, 512}));
}

TEST(NiftiHeader, scales_only_by_a_finite_slope_that_changes_something) {
  NiftiHeader header;
  const auto scales = [&header](double slope, double intercept) {
    header.slope = slope;
    header.intercept = intercept;
    return header.scales();
  };
  EXPECT_FALSE(scales(0, 5));
  EXPECT_FALSE(scales(1, 0));
  EXPECT_FALSE(scales(nan, 0));
  EXPECT_FALSE(scales(1, nan));
  EXPECT_TRUE(scales(1, 5));
  EXPECT_TRUE(scales(2, 0));
}

TEST(NiftiHeader, takes_an_affine_as_sform_and_spacing) {
  NiftiHeader header = example_header({4, 5, 6});
  header.qform_code = 1;
  header.set_affine(Affine::scaling({-1, 2, 3}), 4);
  EXPECT_EQ(header.sform_code, 4);
  EXPECT_EQ(header.qform_code, 0);
  EXPECT_EQ(header.pixdim[1], 1);
  EXPECT_EQ(header.pixdim[3], 3);
}

TEST(NiftiHeaderSize, is_told_from_the_first_four_bytes) {
  EXPECT_EQ(nifti_header_size(nifti_header_bytes(filled_header(1))).value(), 348U);
  EXPECT_EQ(nifti_header_size(nifti_header_bytes(filled_header(2))).value(), 540U);
  EXPECT_EQ(nifti_header_size(as_bytes("ab")).error().text(),
            "file has 2 bytes; a NIfTI header has at least 348");
  EXPECT_EQ(nifti_header_size(as_bytes("abcdefgh")).error().text(),
            "byte 0: not a NIfTI file: the header size is 1684234849, expected 348 or 540");
}

TEST(ParseNiftiHeader, refuses_a_wrong_magic) {
  EXPECT_EQ(error_with(344, std::uint8_t{'x'}), "byte 344: no NIfTI magic; expected \"n+1\"");
  EXPECT_EQ(error_with(345, std::uint8_t{'i'}),
            "byte 344: header of a .hdr/.img pair; only single-file NIfTI (.nii, .nii.gz) is read");
  Bytes second = nifti_header_bytes(filled_header(2));
  second[6] = std::byte{'1'};
  EXPECT_EQ(error_of(second), "byte 4: no NIfTI magic; expected \"n+2\"");
}

TEST(ParseNiftiHeader, refuses_ranks_outside_one_to_seven) {
  for (const int rank : {0, -1, 8, 300}) {
    EXPECT_EQ(error_with(40, static_cast<std::int16_t>(rank)),
              "byte 40: dim[0] is " + decimal(rank) + "; expected a rank of 1 to 7");
  }
}

TEST(ParseNiftiHeader, refuses_zero_and_negative_dimensions) {
  EXPECT_EQ(error_with(42, std::int16_t{0}), "byte 42: dim[1] is 0; expected at least 1");
  EXPECT_EQ(error_with(46, std::int16_t{-7}), "byte 46: dim[3] is -7; expected at least 1");
}

TEST(ParseNiftiHeader, ignores_dimensions_beyond_the_rank) {
  EXPECT_EQ(error_with(50, std::int16_t{-1}), "accepted");
}

TEST(ParseNiftiHeader, refuses_images_too_large_to_address) {
  NiftiHeader header = example_header({std::int64_t{1} << 20, std::int64_t{1} << 20, std::int64_t{1} << 20});
  header.version = 2;
  EXPECT_EQ(error_of(nifti_header_bytes(header)), "byte 40: dim[3] is 1048576: the image would be too large");
  header.dim[1] = std::int64_t{1} << 31;
  EXPECT_EQ(error_of(nifti_header_bytes(header)),
            "byte 24: dim[1] is 2147483648: the image would be too large");
}

TEST(ParseNiftiHeader, refuses_unknown_voxel_types) {
  EXPECT_EQ(error_with(70, std::int16_t{1}), "byte 70: datatype 1 is not a NIfTI voxel type");
}

TEST(ParseNiftiHeader, refuses_bits_that_do_not_fit_the_type) {
  EXPECT_EQ(error_with(72, std::int16_t{16}), "byte 72: bitpix is 16; uint8 has 8 bits");
}

TEST(ParseNiftiHeader, refuses_a_voxel_offset_inside_the_header_or_between_bytes) {
  EXPECT_EQ(error_with(108, 351.0F), "byte 108: vox_offset is 351; expected a whole number of at least 352");
  EXPECT_EQ(error_with(108, 352.5F),
            "byte 108: vox_offset is 352.5; expected a whole number of at least 352");
  EXPECT_EQ(error_with(108, -1.0F), "byte 108: vox_offset is -1; expected a whole number of at least 352");
  EXPECT_EQ(error_with(108, std::numeric_limits<float>::quiet_NaN()),
            "byte 108: vox_offset is nan; expected a whole number of at least 352");
  EXPECT_EQ(error_with(108, 0.0F), "accepted");
  EXPECT_EQ(error_with(108, 1024.0F), "accepted");
}

TEST(ParseNiftiHeader, refuses_an_sform_that_is_not_finite) {
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(error_with(280 + 4 * i, std::numeric_limits<float>::quiet_NaN()),
              "byte 280: sform holds a value that is not finite");
    EXPECT_EQ(error_with(280 + 4 * i, std::numeric_limits<float>::infinity()),
              "byte 280: sform holds a value that is not finite");
  }
}

NiftiHeader with_qform(Vec3 quaternion, double handedness) {
  NiftiHeader header = example_header({4, 5, 6});
  header.sform_code = 0;
  header.qform_code = 1;
  header.quaternion = quaternion;
  header.pixdim = {handedness, 2, 3, 4, 0, 0, 0, 0};
  header.qoffset_mm = {10, 20, 30};
  return header;
}

TEST(Qform, without_rotation_is_spacing_and_offset) {
  EXPECT_EQ(qform_affine(with_qform({0, 0, 0}, 1)).value(), Affine::scaling({2, 3, 4}, {10, 20, 30}));
}

TEST(Qform, takes_the_handedness_of_the_third_axis_from_pixdim) {
  EXPECT_EQ(qform_affine(with_qform({0, 0, 0}, -1)).value(), Affine::scaling({2, 3, -4}, {10, 20, 30}));
}

TEST(Qform, turns_by_half_a_circle_for_a_unit_vector) {
  EXPECT_EQ(qform_affine(with_qform({0, 0, 1}, 1)).value(), Affine::scaling({-2, -3, 4}, {10, 20, 30}));
}

TEST(Qform, is_refused_when_it_is_no_rotation) {
  EXPECT_EQ(qform_affine(with_qform({1, 1, 0}, 1)).error().message(),
            "qform quaternion (1, 1, 0) is no rotation: its length exceeds 1");
  EXPECT_FALSE(qform_affine(with_qform({nan, 0, 0}, 1)).ok());
  EXPECT_EQ(error_of(nifti_header_bytes(with_qform({1, 1, 0}, 1))),
            "byte 256: qform quaternion (1, 1, 0) is no rotation: its length exceeds 1");
}

TEST(ChooseAffine, prefers_the_sform_and_notes_a_disagreement) {
  NiftiHeader header = with_qform({0, 0, 0}, 1);
  header.sform_code = 1;
  header.sform = Affine::scaling({2, 3, 4}, {10, 20, 31});
  ASSERT_TRUE(choose_affine(header).ok());
  EXPECT_EQ(header.affine, header.sform);
  ASSERT_EQ(header.notes.size(), 1U);
  EXPECT_EQ(header.notes[0].code, "qform_sform_disagree");
  EXPECT_EQ(header.notes[0].text, "qform and sform place a corner voxel 1.000 mm apart; sform is used");
}

TEST(ChooseAffine, is_silent_when_both_forms_agree) {
  NiftiHeader header = with_qform({0, 0, 0}, 1);
  header.sform_code = 1;
  header.sform = Affine::scaling({2, 3, 4}, {10, 20, 30.01});
  ASSERT_TRUE(choose_affine(header).ok());
  EXPECT_TRUE(header.notes.empty());
}

TEST(ChooseAffine, uses_a_good_sform_beside_a_broken_qform_and_says_so) {
  NiftiHeader header = with_qform({1, 1, 1}, 1);
  header.sform_code = 1;
  ASSERT_TRUE(choose_affine(header).ok());
  ASSERT_EQ(header.notes.size(), 1U);
  EXPECT_EQ(header.notes[0].code, "qform_unusable");
}

TEST(ChooseAffine, centres_the_grid_when_neither_form_is_set_and_says_so) {
  NiftiHeader header = with_qform({0, 0, 0}, 1);
  header.qform_code = 0;
  ASSERT_TRUE(choose_affine(header).ok());
  EXPECT_EQ(header.affine, Affine::scaling({-2, 3, 4}, {3, -6, -10}));
  ASSERT_EQ(header.notes.size(), 1U);
  EXPECT_EQ(header.notes[0].code, "no_orientation");
}

TEST(ChooseAffine, refuses_a_pixdim_that_is_not_finite_when_it_is_needed) {
  NiftiHeader header = with_qform({0, 0, 0}, 1);
  header.qform_code = 0;
  header.pixdim[2] = nan;
  EXPECT_EQ(choose_affine(header).error().message(), "pixdim holds a value that is not finite");
}

}  // namespace
}  // namespace fiducial
