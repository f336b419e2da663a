#include "fiducial/masks/mask_format.h"

#include <set>

#include <gtest/gtest.h>

#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

MaskSource example_source(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t side : shape) count *= side;
  std::vector<double> values(static_cast<std::size_t>(count));
  values[1] = 2;
  Bytes bytes = example_file(example_header(shape, VoxelType::uint8), values);
  const std::uint64_t size = bytes.size();
  return {.file = {std::make_unique<OwnedStream>(std::move(bytes)), size}, .places = nullptr};
}

TEST(MaskFormats, have_an_id_endings_and_a_reader_each_of_its_own) {
  std::set<std::string> ids;
  std::set<std::string> endings;
  for (const MaskFormat& format : all_mask_formats()) {
    EXPECT_TRUE(ids.insert(format.id).second) << format.id;
    EXPECT_FALSE(format.title.empty());
    EXPECT_FALSE(format.endings.empty());
    for (const std::string& ending : format.endings) {
      EXPECT_TRUE(endings.insert(ending).second) << ending;
      EXPECT_EQ(find_mask_format("case" + ending), &format);
      EXPECT_EQ(without_mask_ending("case" + ending), "case");
    }
    EXPECT_NE(format.begins, nullptr);
    EXPECT_NE(format.open, nullptr);
    EXPECT_FALSE(format.begins({})) << format.id << " takes an empty file for one of its own";
  }
}

TEST(MaskFormats, leave_other_names_alone) {
  EXPECT_FALSE(has_mask_ending("labels.json"));
  EXPECT_FALSE(has_mask_ending("nii.gz.txt"));
  EXPECT_EQ(without_mask_ending("notes.txt"), "notes.txt");
  EXPECT_EQ(mask_names("a").front(), "a.nii.gz");
}

TEST(MaskFormats, say_what_a_file_holds_before_its_voxels_are_read) {
  const auto findings = open_masks(example_source({2, 5, 4, 3}));
  ASSERT_TRUE(findings.ok()) << findings.error().text();
  EXPECT_EQ((*findings)->head().arrangement, MaskArrangement::findings);
  EXPECT_EQ((*findings)->head().shape, (ChannelShape{2, {5, 4, 3}}));
  ASSERT_EQ((*findings)->head().masks.size(), 2U);
  EXPECT_EQ((*findings)->head().masks[1].id, 1U);
  const auto labels = open_masks(example_source({5, 4, 3}));
  ASSERT_TRUE(labels.ok()) << labels.error().text();
  EXPECT_EQ((*labels)->head().arrangement, MaskArrangement::labels);
  ASSERT_EQ((*labels)->head().masks.size(), 1U);
}

TEST(MaskFormats, give_one_mask_or_all) {
  const auto one = open_masks(example_source({2, 5, 4, 3}));
  ASSERT_TRUE(one.ok());
  const auto all = open_masks(example_source({2, 5, 4, 3}));
  ASSERT_TRUE(all.ok());
  const Result<LabelStack> stack = (*all)->read_all();
  ASSERT_TRUE(stack.ok()) << stack.error().text();
  for (const std::size_t i : {1U, 0U, 1U}) {
    const Result<LabelMap> mask = (*one)->read_one(i);
    ASSERT_TRUE(mask.ok()) << mask.error().text();
    EXPECT_EQ(*mask, stack->channels[i]);
  }
}

TEST(MaskFormats, read_what_nobody_recognises_as_nifti) {
  const Bytes bytes(600, std::byte{'x'});
  const auto read =
      open_masks({.file = {std::make_unique<MemoryStream>(bytes), bytes.size()}, .places = nullptr});
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().text().find("NIfTI"), std::string::npos) << read.error().text();
}

}  // namespace
}  // namespace fiducial
