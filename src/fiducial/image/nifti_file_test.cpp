#include "fiducial/image/nifti_file.h"

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/temporary_folder.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

std::vector<double> counting(std::int64_t count) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < count; ++i) out.push_back(static_cast<double>(i % 100));
  return out;
}

Bytes plain_file() { return example_file(example_header({4, 5, 6}), counting(120)); }

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(ReadNifti, gives_voxels_in_this_machines_byte_order_for_every_type) {
  for (const VoxelType type : label_types) {
    for (const bool swapped : {false, true}) {
      for (const int version : {1, 2}) {
        NiftiHeader header = example_header({4, 5, 6}, type);
        header.swapped = swapped;
        header.version = version;
        const Bytes file = example_file(header, counting(120));
        const Bytes expected = voxel_bytes_of(counting(120), type);
        for (const Bytes& stored : {file, gzip_compressed(file, 6)}) {
          const auto image = read_bytes(stored);
          ASSERT_TRUE(image.ok()) << image.error().text();
          EXPECT_EQ(as_text(image->bytes()), as_text(expected)) << to_string(type);
          EXPECT_FALSE(image->header().swapped);
        }
      }
    }
  }
}

TEST(ReadNifti, swaps_compound_voxels_piece_by_piece) {
  NiftiHeader header = example_header({1}, VoxelType::complex64);
  Bytes file = header_in_other_byte_order(nifti_header_bytes(header));
  const Bytes voxel = voxel_bytes_of({1.5, -2}, VoxelType::float32, true);
  const auto image = read_bytes(joined(file, voxel));
  ASSERT_TRUE(image.ok()) << image.error().text();
  EXPECT_EQ(load<float>(image->bytes(), 0), 1.5F);
  EXPECT_EQ(load<float>(image->bytes(), 4), -2.0F);
}

TEST(ReadNifti, reads_concatenated_gzip_members) {
  const Bytes file = plain_file();
  const Bytes first = gzip_compressed(ByteView(file).first(200), 6);
  const Bytes second = gzip_compressed(ByteView(file).subspan(200), 6);
  EXPECT_EQ(as_text(read_bytes(joined(first, second)).value().bytes()), as_text(ByteView(file).subspan(352)));
}

TEST(ReadNifti, skips_extensions_before_the_voxels) {
  Bytes file = plain_file();
  store(std::span(file), 108, 384.0F);
  file.insert(file.begin() + 352, 32, std::byte{0xEE});
  EXPECT_EQ(as_text(read_bytes(file).value().bytes()),
            as_text(voxel_bytes_of(counting(120), VoxelType::uint8)));
}

TEST(ReadNifti, refuses_a_plain_file_cut_off_at_any_byte) {
  const Bytes file = plain_file();
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_FALSE(read_bytes(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size))).ok())
        << size;
  }
}

TEST(ReadNifti, refuses_a_compressed_file_cut_off_at_any_byte) {
  const Bytes file = gzip_compressed(plain_file(), 6);
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_FALSE(read_bytes(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size))).ok())
        << size;
  }
}

TEST(ReadNifti, verifies_the_checksum_even_when_all_voxels_were_read) {
  Bytes file = gzip_compressed(plain_file(), 6);
  file[file.size() - 8] ^= std::byte{1};
  EXPECT_EQ(read_bytes(file).error().message(), "gzip checksum or length does not match the data");
}

TEST(ReadNifti, says_where_compressed_voxels_end_too_early) {
  Bytes file = plain_file();
  file.resize(352 + 100);
  EXPECT_EQ(read_bytes(gzip_compressed(file, 6)).error().message(),
            "voxel data end after 100 of 120 bytes promised by the header (4 x 5 x 6 uint8)");
}

TEST(ReadNifti, notes_a_few_trailing_bytes) {
  const auto image = read_bytes(joined(plain_file(), Bytes(7)));
  ASSERT_TRUE(image.ok());
  ASSERT_EQ(image->header().notes.size(), 1U);
  EXPECT_EQ(image->header().notes[0], (Note{"trailing_bytes", "7 bytes after the last voxel are ignored"}));
}

TEST(ReadNifti, stops_at_a_bomb_behind_the_voxels) {
  const Bytes bomb = gzip_compressed(joined(plain_file(), Bytes(std::size_t{32} << 20)), 9);
  const auto image = read_bytes(bomb);
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().message(),
            "data continue for more than 1048576 bytes after the 120 voxel bytes promised by the header "
            "(4 x 5 x 6 uint8)");
}

TEST(NiftiStream, refuses_a_plain_file_shorter_than_its_promise_before_any_voxel_is_read) {
  const Bytes file = nifti_header_bytes(example_header({30000, 30000, 30000}));
  EXPECT_EQ(open_bytes(file).error().message(),
            "header promises 27000000000352 bytes (30000 x 30000 x 30000 uint8), but the file of 352 bytes "
            "holds at "
            "most 352");
}

TEST(NiftiStream, refuses_a_gzip_file_that_no_ratio_could_make_long_enough) {
  const Bytes file =
      gzip_compressed(nifti_header_bytes(example_header({3000, 3000, 3000}, VoxelType::float64)), 6);
  const auto stream = open_bytes(file);
  ASSERT_FALSE(stream.ok());
  EXPECT_EQ(stream.error().message(),
            "header promises 216000000352 bytes (3000 x 3000 x 3000 float64), but the "
            "file of " +
                decimal(file.size()) + " bytes holds at most " + decimal(file.size() * 1032));
}

TEST(NiftiStream, refuses_an_offset_beyond_the_file) {
  Bytes file = plain_file();
  store(std::span(file), 108, 1e9F);
  EXPECT_FALSE(open_bytes(file).ok());
}

TEST(NiftiStream, refuses_an_empty_file_and_what_is_no_nifti) {
  EXPECT_EQ(open_bytes({}).error().message(), "file is empty");
  const ByteView text = as_bytes("A text, at any rate no image.");
  EXPECT_EQ(open_bytes(Bytes(text.begin(), text.end())).error().text(),
            "byte 0: not a NIfTI file: the header size is 1702109249, expected 348 or 540");
  EXPECT_FALSE(open_bytes(Bytes(1)).ok());
  EXPECT_FALSE(open_bytes(Bytes(2)).ok());
}

TEST(NiftiStream, names_the_file_in_its_errors) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "bad.nii", std::string_view("This is no image.")).ok());
  EXPECT_EQ(NiftiStream::open(folder / "bad.nii").error().place().path, (folder / "bad.nii").string());
  EXPECT_EQ(read_nifti(folder / "none.nii").error().text(),
            (folder / "none.nii").string() + ": cannot open: No such file or directory");
}

// The checksum sees every change but those of the wrapper's own time and name: what is read is right, or
// nothing is.
TEST(NiftiStream, reads_a_changed_compressed_file_right_or_not_at_all) {
  const Bytes plain = plain_file();
  const Bytes good = gzip_compressed(plain, 6);
  Random random(1);
  int refused = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Bytes file = good;
    for (std::uint64_t i = random.below(4) + 1; i > 0; --i)
      file[random.below(file.size())] ^= static_cast<std::byte>(1 + random.below(255));
    const Result<NiftiImage> read = read_bytes(file);
    refused += read.ok() ? 0 : 1;
    if (read.ok()) {
      EXPECT_EQ(as_text(read->bytes()), as_text(ByteView(plain).subspan(352))) << trial;
    }
  }
  EXPECT_GT(refused, 1900);
}

TEST(WriteNifti, writes_what_read_nifti_reads_in_both_versions_and_wrappers) {
  const TemporaryFolder folder;
  for (const int version : {1, 2}) {
    for (const char* name : {"a.nii", "a.nii.gz"}) {
      NiftiHeader header = example_header({4, 5, 6}, VoxelType::int16);
      header.version = version;
      header.set_affine({{{{-0.5, 0, 0, 10}, {0, 0.75, 0.25, -20}, {0, -0.25, 1.5, 30}}}}, 2);
      NiftiImage image = NiftiImage::make(header);
      const Bytes voxels = voxel_bytes_of(counting(120), VoxelType::int16);
      std::copy(voxels.begin(), voxels.end(), image.bytes().begin());
      ASSERT_TRUE(write_nifti(folder / name, image).ok());
      const NiftiImage again = read_nifti(folder / name).value();
      EXPECT_EQ(again.header().version, version);
      EXPECT_EQ(again.header().affine, header.affine);
      EXPECT_EQ(as_text(again.bytes()), as_text(voxels));
      const std::string raw = read_text_file(folder / name).value();
      EXPECT_EQ(raw.starts_with("\x1f\x8b"), std::string(name) == "a.nii.gz");
    }
  }
}

TEST(WriteNifti, refuses_a_dimension_that_nifti_1_cannot_hold) {
  const TemporaryFolder folder;
  NiftiHeader header = example_header({40000, 1, 1});
  EXPECT_EQ(write_nifti(folder / "a.nii", NiftiImage::make(header)).error().message(),
            "a dimension of 40000 x 1 x 1 does not fit NIfTI-1");
  header.version = 2;
  EXPECT_TRUE(write_nifti(folder / "a.nii", NiftiImage::make(header)).ok());
}

TEST(NiftiImage, starts_with_zero_voxels) {
  const NiftiImage image = NiftiImage::make(example_header({3, 3, 3}));
  for (const std::byte voxel : image.bytes()) EXPECT_EQ(voxel, std::byte{0});
}

TEST(DataPack, panoptica_masks_are_read_as_pir_with_their_spacing) {
  for (const char* name :
       {"semantic/ref", "semantic/pred", "unmatched_instance/ref", "unmatched_instance/pred"}) {
    const std::string file = "nifti/panoptica/" + std::string(name) + ".nii.gz";
    const auto path = data_pack_file(file);
    if (!path) GTEST_SKIP() << "data pack without " << file;
    const NiftiStream stream = NiftiStream::open(*path).value();
    EXPECT_EQ(stream.header().extent(), (Extent{512, 512, 17}));
    EXPECT_EQ(OrientationCode::of(stream.header().affine).text(), "PIR");
    const Vec3 spacing = stream.header().affine.spacing_mm();
    EXPECT_NEAR(spacing[0], 0.58594, 1e-5);
    EXPECT_NEAR(spacing[1], 0.58594, 1e-5);
    EXPECT_NEAR(spacing[2], 3.3, 1e-5);
  }
}

}  // namespace
}  // namespace fiducial
