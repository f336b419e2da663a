#include "fiducial/anatomy/mask_library.h"

#include <cstring>

#include <gtest/gtest.h>

#include "fiducial/archive/tar_example.h"
#include "fiducial/base/temporary_folder.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

const Grid ct_grid{{6, 5, 4}, Affine::scaling({2, 2, 3}, {-10, -20, 30})};

// A mask of one run in row 0.
LabelMap row_mask(const Grid& grid, std::int32_t begin, std::int32_t end, std::int32_t label = 1) {
  return {grid, begin < end ? std::vector<LabelRun>{{0, begin, end, label}} : std::vector<LabelRun>{}};
}

void write_labels(const Path& path, const LabelMap& labels) {
  std::filesystem::create_directories(path.parent_path());
  const std::array<LabelMap, 1> one{labels};
  ASSERT_TRUE(write_nifti(path, *encode_labels(one, ChannelAxis::none)).ok());
}

std::string file_text(const LabelMap& labels) {
  TemporaryFolder folder;
  write_labels(folder / "x.nii.gz", labels);
  return *read_text_file(folder / "x.nii.gz");
}

CaseMasks read(const Path& library, const std::string& volume) {
  Result<MaskLibrary> opened = MaskLibrary::open(library);
  EXPECT_TRUE(opened.ok());
  Result<CaseMasks> masks = opened->read_case(volume, ct_grid);
  EXPECT_TRUE(masks.ok()) << masks.error().text();
  return std::move(masks).value();
}

TEST(MaskLibrary, says_of_every_mask_whether_it_is_there_empty_missing_elsewhere_or_broken) {
  TemporaryFolder folder;
  const Path at = folder / "train_anatomy_mask/seg_train_1_a_1";
  write_labels(at / "heart.nii.gz", row_mask(ct_grid, 1, 3));
  write_labels(at / "spleen.nii.gz", row_mask(ct_grid, 0, 0));
  write_labels(at / "liver.nii.gz", row_mask({{7, 5, 4}, Affine::identity()}, 0, 2));
  ASSERT_TRUE(write_file(at / "aorta.nii.gz", "no image").ok());
  const CaseMasks masks = read(folder.path(), "train_1_a_1.nii.gz");
  EXPECT_EQ(masks.resolve("heart").status, MaskStatus::present);
  EXPECT_EQ(masks.resolve("heart").mask->count(), 2);
  EXPECT_EQ(masks.resolve("spleen").status, MaskStatus::empty);
  EXPECT_EQ(masks.resolve("stomach").status, MaskStatus::missing);
  EXPECT_EQ(masks.resolve("liver").status, MaskStatus::other_grid);
  EXPECT_NE(masks.resolve("liver").detail.find("expected 6 x 5 x 4 voxels, found 7 x 5 x 4"),
            std::string::npos);
  EXPECT_EQ(masks.resolve("aorta").status, MaskStatus::broken);
  EXPECT_TRUE(read(folder.path(), "train_2_a_1").empty());
}

TEST(MaskLibrary, gives_masks_that_lost_their_place_the_grid_of_the_volume) {
  TemporaryFolder folder;
  write_labels(folder / "v/heart.nii.gz", row_mask({ct_grid.extent, Affine::identity()}, 1, 3));
  const StructureMask heart = read(folder.path(), "v").resolve("heart");
  ASSERT_TRUE(heart.present());
  EXPECT_EQ(heart.mask->grid(), ct_grid);
}

TEST(MaskLibrary, moves_masks_of_another_crop_or_orientation_by_whole_voxels) {
  TemporaryFolder folder;
  Grid larger{{9, 9, 9}, ct_grid.affine};
  for (std::size_t i = 0; i < 3; ++i) larger.affine.m[i][3] -= 2 * larger.affine.m[i][i];
  const auto row = static_cast<std::int32_t>(2 + 9 * 2);
  write_labels(folder / "v/heart.nii.gz", LabelMap(larger, {{row, 2, 5, 1}}));
  write_labels(folder / "v/liver.nii.gz", LabelMap(larger, {{0, 0, 2, 1}, {row, 7, 9, 1}}));
  const Reorientation flip{.reversed = {true, true, false}};
  write_labels(folder / "v/spleen.nii.gz", LabelMap(flip.apply(ct_grid), {{4, 0, 2, 1}}));
  const CaseMasks masks = read(folder.path(), "v");
  EXPECT_EQ(*masks.resolve("heart").mask, row_mask(ct_grid, 0, 3).foreground());
  EXPECT_EQ(masks.resolve("liver").mask->count(), 1);
  EXPECT_NE(masks.resolve("liver").detail.find("3 voxels lie outside"), std::string::npos)
      << masks.resolve("liver").detail;
  EXPECT_EQ(*masks.resolve("spleen").mask, row_mask(ct_grid, 4, 6).foreground());
}

TEST(MaskLibrary, unites_parts_and_lets_structures_overlap) {
  TemporaryFolder folder;
  write_labels(folder / "v/left lung.nii.gz", row_mask(ct_grid, 0, 3));
  write_labels(folder / "v/right lung.nii.gz", row_mask(ct_grid, 2, 5));
  write_labels(folder / "v/left kidney.nii.gz", row_mask(ct_grid, 2, 5));
  const CaseMasks masks = read(folder.path(), "v");
  EXPECT_EQ(masks.resolve("lung").mask->count(), 5);
  EXPECT_EQ(masks.resolve("lung").source, "union");
  EXPECT_EQ(masks.resolve("left lung").mask->count(), 3);
  EXPECT_EQ(masks.resolve("kidney").status, MaskStatus::missing);
  EXPECT_EQ(masks.resolve("kidney").detail, "without its parts right kidney (missing)");
}

// The bytes of a label map with a label table behind its header, as TotalSegmentator writes it.
Bytes with_label_table(const LabelMap& labels, const std::string& table) {
  const std::array<LabelMap, 1> one{labels};
  const NiftiImage image = *encode_labels(one, ChannelAxis::none);
  Bytes out = nifti_header_bytes(image.header());
  const auto offset = static_cast<float>(out.size() + table.size());
  std::memcpy(out.data() + 108, &offset, sizeof offset);
  for (const char c : table) out.push_back(static_cast<std::byte>(c));
  out.insert(out.end(), image.bytes().begin(), image.bytes().end());
  return out;
}

TEST(MaskLibrary, honours_names_in_the_extension_of_a_label_map) {
  TemporaryFolder folder;
  const Bytes file = with_label_table(row_mask(ct_grid, 0, 3, 1),
                                      "<LabelTable><Label Key=\"1\"><![CDATA[heart]]></Label></LabelTable>");
  ASSERT_TRUE(write_file(folder / "v.nii", ByteView(file)).ok());
  EXPECT_EQ(read(folder.path(), "v").resolve("heart").mask->count(), 3);
}

TEST(MaskLibrary, honours_names_of_nnunet_beside_or_above_a_label_map) {
  TemporaryFolder folder;
  write_labels(folder / "labelsTr/v.nii.gz", row_mask(ct_grid, 0, 3, 1));
  ASSERT_TRUE(write_file(folder / "dataset.json",
                         R"({"labels": {"background": 0, "heart": 1, "organs": [1, 2]}, "numTraining": 1})")
                  .ok());
  EXPECT_EQ(read(folder / "labelsTr", "v").resolve("heart").mask->count(), 3);
}

TEST(MaskLibrary, tells_of_labels_that_nothing_names) {
  TemporaryFolder folder;
  write_labels(folder / "v.nii.gz", row_mask(ct_grid, 0, 3, 203));
  ASSERT_TRUE(write_file(folder / "dataset.json", R"({"train": []})").ok());
  const StructureMask heart = read(folder.path(), "v").resolve("heart");
  EXPECT_EQ(heart.status, MaskStatus::broken);
  EXPECT_NE(heart.detail.find("nothing names its labels, and 203 is none of TotalSegmentator's"),
            std::string::npos)
      << heart.detail;
  write_labels(folder / "w.nii.gz", row_mask(ct_grid, 0, 3, 1));
  EXPECT_EQ(read(folder.path(), "w").resolve("heart").status, MaskStatus::broken);
}

TEST(MaskLibrary, takes_a_single_file_for_any_volume) {
  TemporaryFolder folder;
  write_labels(folder / "mine.nii.gz", row_mask(ct_grid, 0, 3, 51));
  write_labels(folder / "heart.nii.gz", row_mask(ct_grid, 0, 2));
  EXPECT_EQ(*MaskLibrary::open(folder / "mine.nii.gz")->volumes(), std::vector<std::string>{"mine"});
  EXPECT_EQ(read(folder / "mine.nii.gz", "v").resolve("heart").mask->count(), 3);
  EXPECT_EQ(read(folder / "heart.nii.gz", "v").resolve("heart").mask->count(), 2);
}

TEST(MaskLibrary, reads_label_maps_by_their_names_or_totalsegmentators) {
  TemporaryFolder folder;
  const LabelMap labels(ct_grid, {{0, 0, 2, 10}, {0, 2, 3, 11}, {1, 0, 1, 203}});
  write_labels(folder / "a/v.nii.gz", LabelMap(ct_grid, {{0, 0, 2, 10}, {0, 2, 3, 11}}));
  const CaseMasks total = read(folder / "a", "v");
  EXPECT_EQ(total.resolve("left lung").mask->count(), 3);
  EXPECT_EQ(total.resolve("right lung").status, MaskStatus::empty);
  EXPECT_EQ(total.resolve("lumbar vertebrae").status, MaskStatus::empty);
  write_labels(folder / "b/v.nii.gz", labels);
  ASSERT_TRUE(write_file(folder / "b/labels.json", R"({"labels": {"203": "lung_left"}})").ok());
  const CaseMasks named = read(folder / "b", "v.nii.gz");
  EXPECT_EQ(named.resolve("left lung").mask->count(), 1);
  EXPECT_EQ(named.resolve("left lung lower lobe").status, MaskStatus::missing);
}

TEST(MaskLibrary, reads_archives_in_any_order_without_unpacking) {
  TemporaryFolder folder;
  std::string bytes;
  for (int i = 1; i <= 3; ++i) {
    const std::string at = "train_anatomy_mask/seg_v" + decimal(i) + "/";
    bytes += tar_member(at + "heart.nii.gz", file_text(row_mask(ct_grid, 0, i)));
    bytes += tar_member(at + "liver.nii.gz", i == 2 ? "broken" : file_text(row_mask(ct_grid, 0, 1)));
  }
  ASSERT_TRUE(write_file(folder / "train_anatomy_mask.tar", bytes + tar_end()).ok());
  Result<MaskLibrary> library = MaskLibrary::open(folder.path());
  for (const int i : {1, 2, 3, 2, 1, 1}) {
    const Result<CaseMasks> masks = library->read_case("v" + decimal(i) + ".nii.gz", ct_grid);
    ASSERT_TRUE(masks.ok()) << masks.error().text();
    EXPECT_EQ(masks->resolve("heart").mask->count(), i);
    EXPECT_EQ(masks->resolve("liver").status, i == 2 ? MaskStatus::broken : MaskStatus::present);
  }
  EXPECT_EQ(*library->in_reading_order({"v4", "v3.nii.gz", "v1"}),
            (std::vector<std::string>{"v1", "v3.nii.gz", "v4"}));
  EXPECT_TRUE(library->read_case("v4", ct_grid)->empty());
  EXPECT_EQ(library->read_case("v3", ct_grid, {"heart"})->names(), std::vector<std::string>{"heart"});
  ASSERT_TRUE(write_file(folder / "train_anatomy_mask.tar", bytes.substr(0, bytes.size() - 700)).ok());
  EXPECT_FALSE(MaskLibrary::open(folder.path())->read_case("v3", ct_grid).ok());
}

TEST(MaskLibrary, takes_masks_of_structures_and_regions_from_archives_of_their_own) {
  TemporaryFolder folder;
  const std::string heart = file_text(row_mask(ct_grid, 0, 2));
  std::filesystem::create_directories(folder / "dataset");
  for (const char* kind : {"anatomy", "region"}) {
    const std::string base = "valid_" + std::string(kind) + "_mask";
    const std::string bytes = tar_member(base + "/seg_valid_1_a_1/heart.nii.gz", heart);
    ASSERT_TRUE(write_file(folder / "dataset" / (base + ".tar"), bytes + tar_end()).ok());
  }
  ASSERT_TRUE(write_file(folder / "dataset/train_anatomy_mask.tar", "of another split, never read").ok());
  Result<MaskLibrary> library = MaskLibrary::open(folder.path());
  EXPECT_TRUE(library->has_masks());
  for (int again = 0; again < 2; ++again) {
    const Result<CaseMasks> masks = library->read_case("valid_1_a_1", ct_grid);
    ASSERT_TRUE(masks.ok()) << masks.error().text();
    EXPECT_EQ(masks->names(), (std::vector<std::string>{"heart", "region heart"}));
  }
  EXPECT_TRUE(library->read_case("valid_2_a_1", ct_grid)->empty());
}

TEST(MaskLibrary, does_not_read_an_archive_that_lies_unpacked_beside_it) {
  TemporaryFolder folder;
  write_labels(folder / "train_anatomy_mask/seg_v/heart.nii.gz", row_mask(ct_grid, 0, 3));
  ASSERT_TRUE(write_file(folder / "train_anatomy_mask.tar", "never read").ok());
  EXPECT_EQ(read(folder.path(), "v").resolve("heart").mask->count(), 3);
}

TEST(MaskLibrary, lists_volumes_of_folders_and_archives_and_no_other_folders) {
  TemporaryFolder folder;
  write_labels(folder / "v1/left lung.nii.gz", row_mask(ct_grid, 0, 3));
  write_labels(folder / "volumes/train_1_a_1.nii.gz", row_mask(ct_grid, 0, 3));
  std::filesystem::create_directories(folder / "radgenome_files");
  ASSERT_TRUE(write_file(folder / "radgenome_files/vqa_size.csv", "x").ok());
  const std::string member = tar_member("masks/seg_v2/heart.nii.gz", file_text(row_mask(ct_grid, 0, 1)));
  ASSERT_TRUE(write_file(folder / "masks.tar", member + tar_end()).ok());
  EXPECT_EQ(*MaskLibrary::open(folder.path())->volumes(), (std::vector<std::string>{"v1", "v2"}));
}

TEST(MaskLibrary, takes_a_mask_voxel_by_voxel_where_the_reference_lost_its_place) {
  TemporaryFolder folder;
  write_labels(folder / "truth/v/heart.nii.gz", row_mask({ct_grid.extent, Affine::identity()}, 1, 3));
  write_labels(folder / "said/v/heart.nii.gz", row_mask(ct_grid, 1, 3));
  write_labels(folder / "said/v/liver.nii.gz", row_mask({{7, 5, 4}, ct_grid.affine}, 1, 3));
  const Result<CaseMasks> truth = MaskLibrary::open(folder / "truth")->read_case("v", std::nullopt);
  const Result<CaseMasks> said = MaskLibrary::open(folder / "said")->read_case_like("v", *truth);
  EXPECT_EQ(*said->resolve("heart").mask, *truth->resolve("heart").mask);
  EXPECT_EQ(said->resolve("liver").status, MaskStatus::other_grid);
  EXPECT_EQ(read(folder / "said", "v").resolve("heart").mask->grid(), ct_grid);
}

TEST(MaskLibrary, prefers_structures_to_the_sum_of_them_and_refuses_probabilities) {
  TemporaryFolder folder;
  write_labels(folder / "v/spleen.nii.gz", row_mask(ct_grid, 0, 3));
  write_labels(folder / "v.nii.gz", row_mask(ct_grid, 0, 6, 2));
  NiftiImage unsure = *encode_labels(std::array<LabelMap, 1>{row_mask(ct_grid, 0, 3)}, ChannelAxis::none);
  unsure.header().slope = 0.5;
  ASSERT_TRUE(write_nifti(folder / "v/heart.nii.gz", unsure).ok());
  const CaseMasks masks = read(folder.path(), "v");
  EXPECT_EQ(masks.resolve("spleen").mask->count(), 3);
  EXPECT_EQ(masks.resolve("right kidney").status, MaskStatus::missing);
  EXPECT_EQ(masks.resolve("heart").status, MaskStatus::broken);
  EXPECT_NE(masks.resolve("heart").detail.find("found probabilities: 3 voxels"), std::string::npos)
      << masks.resolve("heart").detail;
}

TEST(CaseMasks, stand_for_a_region_by_its_own_mask_else_by_structures) {
  CaseMasks masks(ct_grid);
  const auto add = [&masks](const char* name, std::int32_t end) {
    masks.add({.name = name, .status = MaskStatus::present, .mask = row_mask(ct_grid, 0, end).foreground()});
  };
  add("left lung", 2);
  add("right lung", 4);
  EXPECT_EQ(masks.resolve("region lung").mask->count(), 4);
  EXPECT_EQ(masks.resolve("region lung").name, "region lung");
  EXPECT_EQ(masks.resolve("region pleura").status, MaskStatus::missing);
  add("region lung", 5);
  EXPECT_EQ(masks.resolve("region lung").mask->count(), 5);
}

TEST(MaskLibrary, refuses_what_is_neither_folder_nor_archive) {
  TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "x.txt", "x").ok());
  EXPECT_FALSE(MaskLibrary::open(folder / "x.txt").ok());
  EXPECT_FALSE(MaskLibrary::open(folder / "nothing").ok());
}

TEST(LabelNames, are_read_in_both_directions_and_refused_otherwise) {
  EXPECT_EQ(parse_label_names(R"({"1": "spleen", "0": "background"})")->at(1), "spleen");
  EXPECT_EQ(parse_label_names(R"({"background": 0, "spleen": 1})")->at(1), "spleen");
  for (const char* text : {"[]", "{}", R"({"spleen": null})", "x"})
    EXPECT_FALSE(parse_label_names(text).ok()) << text;
}

}  // namespace
}  // namespace fiducial
