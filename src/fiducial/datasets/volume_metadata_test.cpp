#include "fiducial/datasets/volume_metadata.h"

#include <fstream>

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

const std::string example =
    "VolumeName,Manufacturer,PatientSex,PatientAge,RescaleSlope,RescaleIntercept,XYSpacing,ZSpacing\n"
    "train_1_a_1.nii.gz,Siemens,M,059Y,1,-1024,\"[0.75, 0.75]\",1.5\n"
    "train_2_a_1.nii.gz, , nan,,abc,-8192,\"[0.7, x]\",0\n";

VolumeMetadata parsed(const std::string& text) {
  Result<VolumeMetadata> out = VolumeMetadata::parse(text);
  EXPECT_TRUE(out.ok()) << out.error().text();
  return *std::move(out);
}

TEST(VolumeMetadata, finds_rows_by_the_name_with_or_without_its_ending) {
  const VolumeMetadata table = parsed(example);
  EXPECT_EQ(table.find("train_1_a_1.nii.gz"), 0U);
  EXPECT_EQ(table.find("train_2_a_1"), 1U);
  EXPECT_EQ(table.find("train_3_a_1.nii.gz"), std::nullopt);
  EXPECT_EQ(parsed("VolumeName\nvalid_1_a_1\n").find("valid_1_a_1.nii.gz"), 0U);
}

TEST(VolumeMetadata, has_no_value_where_a_cell_says_nothing) {
  const VolumeMetadata table = parsed(example);
  EXPECT_EQ(table.value(0, *table.column("Manufacturer")), "Siemens");
  for (const char* column : {"Manufacturer", "PatientSex", "PatientAge"}) {
    EXPECT_EQ(table.value(1, *table.column(column)), std::nullopt) << column;
  }
}

TEST(VolumeMetadata, reads_rescale_and_spacing) {
  const StoredVolumeFacts facts = parsed(example).stored_facts(0);
  EXPECT_EQ(facts.slope, 1);
  EXPECT_EQ(facts.intercept, -1024);
  EXPECT_EQ(facts.spacing_mm, (Vec3{0.75, 0.75, 1.5}));
  EXPECT_TRUE(facts.notes.empty());
}

TEST(VolumeMetadata, notes_values_that_make_no_sense) {
  const StoredVolumeFacts facts = parsed(example).stored_facts(1);
  EXPECT_EQ(facts.slope, std::nullopt);
  EXPECT_EQ(facts.intercept, -8192);
  EXPECT_EQ(facts.spacing_mm, std::nullopt);
  ASSERT_EQ(facts.notes.size(), 2U);
  EXPECT_EQ(facts.notes[0].text, "RescaleSlope is \"abc\", expected a number");
  EXPECT_EQ(facts.notes[1].text, "XYSpacing is \"[0.7, x]\", expected two positive numbers");
}

TEST(VolumeMetadata, needs_the_column_of_names) {
  EXPECT_EQ(VolumeMetadata::parse("Name,Sex\na,M\n").error().message(),
            "no column \"VolumeName\"; there is Name, Sex");
  EXPECT_FALSE(VolumeMetadata::parse("VolumeName,Sex\n,M\n").ok());
}

TEST(VolumeMetadata, tells_both_lines_of_a_name_that_occurs_twice) {
  const VolumeMetadata table = parsed("VolumeName\na.nii.gz\nb\na\n");
  ASSERT_EQ(table.duplicates().size(), 1U);
  EXPECT_EQ(table.duplicates()[0].line, 4U);
  EXPECT_EQ(table.check_unique().error().message(),
            "VolumeName \"a\" stands in line 2 already; expected one row a volume");
  EXPECT_TRUE(parsed(example).check_unique().ok());
}

TEST(NumberPair, is_read_with_and_without_brackets) {
  const std::array<double, 2> pair{0.75, 0.5};
  for (const char* text : {"[0.75, 0.5]", "(0.75,0.5)", " 0.75 , 0.5 "}) {
    EXPECT_EQ(parse_number_pair(text), pair) << text;
  }
  for (const char* text : {"", "[", "[]", "[0.75]", "[0.75, ]", "[1, 2, 3]", "[nan, 1]", "[inf, 1]"}) {
    EXPECT_EQ(parse_number_pair(text), std::nullopt) << text;
  }
}

class MetadataFolders : public testing::Test {
 protected:
  Path write(const Path& name) {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << example;
    return folder_.path() / name;
  }
  std::vector<Path> found() { return find_metadata_files(folder_.path() / "ct", folder_.path() / "data"); }

  TemporaryFolder folder_;
};

TEST_F(MetadataFolders, hold_it_beside_the_volumes_before_the_dataset) {
  EXPECT_TRUE(found().empty());
  const Path in_dataset = write("data/metadata.csv");
  EXPECT_EQ(found(), std::vector<Path>{in_dataset});
  const Path train = write("ct/dataset/metadata/train_metadata.csv");
  EXPECT_EQ(found(), std::vector<Path>{train});
  write("ct/reports.csv");
  EXPECT_EQ(found(), std::vector<Path>{train});
  const Path valid = write("ct/validation_metadata.csv");
  EXPECT_EQ(found(), (std::vector<Path>{train, valid}));
}

TEST_F(MetadataFolders, give_the_hash_of_the_bytes_that_were_read) {
  const Result<VolumeMetadata> table = VolumeMetadata::read(write("ct/metadata.csv"));
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->file_name(), "metadata.csv");
  EXPECT_EQ(table->digest(), sha256(as_bytes(example)));
}

}  // namespace
}  // namespace fiducial
