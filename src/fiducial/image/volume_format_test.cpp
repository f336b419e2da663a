#include "fiducial/image/volume_format.h"

#include <gtest/gtest.h>

#include "fiducial/base/scratch_folder.h"
#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

const std::string nrrd_front =
    "NRRD0004\n# a comment\ntype: short\ndimension: 3\nspace: left-posterior-superior\nsizes: 2 2 1\n"
    "space directions: (0.5,0,0) (0,0.5,0) (0,0,2)\nspace origin: (1,2,3)\nendian: little\n";
const std::string mha_front =
    "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\nOffset = 1 2 3\n"
    "TransformMatrix = 1 0 0 0 1 0 0 0 1\nElementSpacing = 0.5 0.5 2\nDimSize = 2 2 1\nElementType = "
    "MET_SHORT\n";

Bytes with_voxels(const std::string& front, const Bytes& voxels) {
  Bytes out(as_bytes(front).begin(), as_bytes(front).end());
  out.insert(out.end(), voxels.begin(), voxels.end());
  return out;
}

const Bytes four_voxels = voxel_bytes_of({1, 2, 3, 4}, VoxelType::int16);

std::string error_of(const std::string& front, const Bytes& voxels = four_voxels) {
  const auto image = read_bytes(with_voxels(front, voxels));
  return image.ok() ? "read" : image.error().text();
}

TEST(NrrdReader, reads_raw_voxels_behind_the_header) {
  const auto image = read_bytes(with_voxels(nrrd_front + "encoding: raw\n\n", four_voxels));
  ASSERT_TRUE(image.ok()) << image.error().text();
  EXPECT_EQ(image->header().shape_text(), "2 x 2 x 1");
  const Affine expected{{{{-0.5, 0, 0, -1}, {0, -0.5, 0, -2}, {0, 0, 2, 3}}}};
  EXPECT_EQ(image->header().affine, expected);
  EXPECT_EQ(Bytes(image->bytes().begin(), image->bytes().end()), four_voxels);
}

TEST(NrrdReader, finds_voxels_that_are_the_last_bytes_of_the_file) {
  const Bytes voxels = with_voxels("some words first", four_voxels);
  const auto image = read_bytes(with_voxels(nrrd_front + "byte skip: -1\nencoding: raw\n\n", voxels));
  ASSERT_TRUE(image.ok()) << image.error().text();
  EXPECT_EQ(Bytes(image->bytes().begin(), image->bytes().end()), four_voxels);
}

TEST(NrrdReader, takes_the_spacing_alone_where_the_space_says_nothing_about_a_patient) {
  std::string front = nrrd_front;
  front.replace(front.find("left-posterior-superior"), 23, "scanner-xyz");
  const auto image = read_bytes(with_voxels(front + "encoding: raw\n\n", four_voxels));
  ASSERT_TRUE(image.ok()) << image.error().text();
  EXPECT_FALSE(image->header().claims_place());
  EXPECT_DOUBLE_EQ(image->header().affine.spacing_mm()[2], 2);
  ASSERT_EQ(image->header().notes.size(), 1U);
  EXPECT_EQ(image->header().notes[0].code, "no_orientation");
}

TEST(NrrdReader, holds_sizes_against_the_file_before_anything_is_allocated) {
  std::string front = nrrd_front;
  front.replace(front.find("2 2 1"), 5, "2000000 2000000 2");
  EXPECT_EQ(
      error_of(front + "encoding: raw\n\n"),
      "header promises 16000000000000 bytes (2000000 x 2000000 x 2 int16), but the file of 8 bytes holds at "
      "most 8");
  EXPECT_EQ(error_of(front + "encoding: gzip\n\n", gzip_compressed(four_voxels, 1)).substr(0, 38),
            "header promises 16000000000000 bytes (");
}

TEST(NrrdReader, refuses_truncated_gzip_data) {
  Bytes packed = gzip_compressed(four_voxels, 1);
  packed.resize(packed.size() - 9);
  EXPECT_NE(error_of(nrrd_front + "encoding: gzip\n\n", packed).find("compressed data end in the middle"),
            std::string::npos);
}

TEST(NrrdReader, names_the_line_of_what_it_does_not_read) {
  EXPECT_EQ(error_of(nrrd_front + "encoding: bzip2\n\n"),
            "line 10: encoding \"bzip2\" is not read; expected raw or gzip");
  EXPECT_EQ(error_of(nrrd_front + "sizes: 1 1 1\n\n"),
            "line 10: the field \"sizes\" stands twice, first in line 6");
  EXPECT_EQ(error_of(nrrd_front + "encoding: raw\nspace units: \"cm\" \"cm\" \"cm\"\n\n"),
            "line 11: places in \"cm\"; expected millimetres, \"mm\"");
  EXPECT_EQ(error_of(nrrd_front + "encoding: raw\ndata file: x.raw\n\n").substr(0, 39),
            "the voxels lie in another file, \"x.raw\"");
}

TEST(NrrdReader, opens_voxels_of_its_own_folder_only) {
  const ScratchFolder folder = ScratchFolder::make().value();
  ASSERT_TRUE(write_file(folder.path() / "voxels.raw", four_voxels).ok());
  ASSERT_TRUE(std::filesystem::create_directory(folder.path() / "in"));
  const auto with_data = [&](const std::string& name) {
    const Path path = folder.path() / "in/head.nhdr";
    EXPECT_TRUE(write_file(path, nrrd_front + "encoding: raw\ndata file: " + name + "\n").ok());
    return read_nifti(path);
  };
  ASSERT_TRUE(write_file(folder.path() / "in/here.raw", four_voxels).ok());
  std::filesystem::create_symlink(folder.path() / "voxels.raw", folder.path() / "in/link.raw");
  EXPECT_TRUE(with_data("here.raw").ok());
  for (const std::string name : {"../voxels.raw", "/etc/passwd", "..", "link.raw"}) {
    const auto image = with_data(name);
    ASSERT_FALSE(image.ok()) << name;
    EXPECT_EQ(image.error().code(), ErrorCode::refused) << image.error().text();
  }
  EXPECT_EQ(with_data("none.raw").error().reason(), ErrorReason::path_missing);
}

TEST(MetaImageReader, reads_raw_and_compressed_voxels_behind_the_header) {
  for (const bool compressed : {false, true}) {
    const std::string front =
        mha_front + (compressed ? "CompressedData = True\n" : "") + "ElementDataFile = LOCAL\n";
    const auto image =
        read_bytes(with_voxels(front, compressed ? zlib_compressed(four_voxels, 6) : four_voxels));
    ASSERT_TRUE(image.ok()) << image.error().text();
    const Affine expected{{{{-0.5, 0, 0, -1}, {0, -0.5, 0, -2}, {0, 0, 2, 3}}}};
    EXPECT_EQ(image->header().affine, expected);
    EXPECT_EQ(Bytes(image->bytes().begin(), image->bytes().end()), four_voxels);
  }
}

TEST(MetaImageReader, refuses_what_lies_or_is_cut_off) {
  Bytes packed = zlib_compressed(four_voxels, 6);
  const std::string front = mha_front + "CompressedData = True\nElementDataFile = LOCAL\n";
  packed.back() ^= std::byte{1};
  EXPECT_NE(error_of(front, packed).find("zlib checksum"), std::string::npos) << error_of(front, packed);
  packed.resize(packed.size() - 6);
  EXPECT_NE(error_of(front, packed).find("end in the middle"), std::string::npos) << error_of(front, packed);
  EXPECT_EQ(error_of(mha_front + "ElementDataFile = ../x.raw\n").substr(0, 31),
            "the voxels lie in another file,");
  EXPECT_EQ(error_of(mha_front + "ElementDataFile = LIST\n"),
            "line 10: voxels in several files are not read");
  EXPECT_EQ(error_of(mha_front, {}), "line 9: the header ends without \"ElementDataFile\"");
}

TEST(VolumeFormats, give_back_what_was_written) {
  const ScratchFolder folder = ScratchFolder::make().value();
  for (const VoxelType type : label_types) {
    for (const ChannelAxis axis : {ChannelAxis::none, ChannelAxis::first, ChannelAxis::last}) {
      NiftiHeader header = example_header(axis == ChannelAxis::none ? std::vector<std::int64_t>{4, 3, 2}
                                                                    : std::vector<std::int64_t>{2, 4, 3, 2},
                                          type);
      header.set_affine({{{{0.1, 0.7, 0, -3}, {-0.7, 0.1, 0, 5}, {0, 0, 1.25, 7}}}});
      for (const std::string name : {"a.nrrd", "a.seg.nrrd", "a.mha", "a.nii.gz"}) {
        NiftiImage image = NiftiImage::make(header);
        for (std::size_t i = 0; i < image.bytes().size(); i += 3)
          image.bytes()[i] = static_cast<std::byte>(i);
        const Bytes before(image.bytes().begin(), image.bytes().end());
        const Path path = folder.path() / name;
        const Outcome outcome = write_volume(path, std::move(image), {.channels = axis, .segments = {}});
        ASSERT_TRUE(outcome.ok()) << outcome.error().text();
        const auto back = read_nifti(path);
        ASSERT_TRUE(back.ok()) << back.error().text();
        EXPECT_EQ(back->header().dim, header.dim);
        EXPECT_EQ(back->header().type, type);
        EXPECT_TRUE(same_grid(back->header().grid(), header.grid(), 1e-5));
        EXPECT_EQ(Bytes(back->bytes().begin(), back->bytes().end()), before);
      }
    }
  }
}

TEST(VolumeFormats, scale_values_before_they_are_written_where_no_slope_can_be) {
  const ScratchFolder folder = ScratchFolder::make().value();
  NiftiHeader header = example_header({2, 1, 1}, VoxelType::int16);
  header.slope = 0.5;
  NiftiImage image = NiftiImage::make(header);
  store(image.bytes(), 0, std::int16_t{3});
  const Path path = folder.path() / "a.nrrd";
  ASSERT_TRUE(write_volume(path, std::move(image)).ok());
  const auto back = read_nifti(path);
  ASSERT_TRUE(back.ok()) << back.error().text();
  EXPECT_EQ(back->header().type, VoxelType::float32);
  EXPECT_FLOAT_EQ(load<float>(back->bytes(), 0), 1.5F);
}

TEST(VolumeFormats, want_to_know_where_channels_are) {
  const ScratchFolder folder = ScratchFolder::make().value();
  const Outcome outcome =
      write_volume(folder.path() / "a.nrrd", NiftiImage::make(example_header({2, 2, 2, 2})));
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code(), ErrorCode::bad_usage);
}

TEST(SlicerSegments, come_back_with_names_codes_and_colours) {
  const ScratchFolder folder = ScratchFolder::make().value();
  const std::vector<SegmentEntry> segments{{.id = "Segment_1",
                                            .name = "left lung",
                                            .label = 3,
                                            .layer = 0,
                                            .colour = {0.25, 0.5, 1},
                                            .category = {"SCT", "123037004", "Anatomical Structure"},
                                            .type = {"SCT", "39607008", "Lung"},
                                            .side = {"SCT", "7771000", "Left"}}};
  const Path path = folder.path() / "a.seg.nrrd";
  ASSERT_TRUE(write_volume(path, NiftiImage::make(example_header({2, 2, 2})),
                           {.channels = ChannelAxis::none, .segments = segments})
                  .ok());
  const auto stream = NiftiStream::open(path);
  ASSERT_TRUE(stream.ok()) << stream.error().text();
  EXPECT_EQ(stream->segments(), segments);
}

}  // namespace
}  // namespace fiducial
