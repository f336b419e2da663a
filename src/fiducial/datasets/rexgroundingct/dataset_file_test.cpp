#include "fiducial/datasets/rexgroundingct/dataset_file.h"

#include <gtest/gtest.h>

namespace fiducial::rexgroundingct {
namespace {

GroundedCase first_case(const std::string& entry) {
  const Result<DatasetFile> file = parse_dataset_file(R"({"test": [)" + entry + "]}");
  EXPECT_TRUE(file.ok()) << file.error().text();
  return file->find_split("test")->front();
}

std::string refusal(const std::string& text) {
  const Result<DatasetFile> file = parse_dataset_file(text);
  EXPECT_FALSE(file.ok()) << text;
  if (file.ok()) return "";
  EXPECT_EQ(file.error().code(), ErrorCode::invalid_data);
  return file.error().text();
}

std::string entry_refusal(const std::string& entry) { return refusal(R"({"test": [)" + entry + "]}"); }

TEST(DatasetFile, reads_every_field_of_a_documented_entry) {
  const GroundedCase entry = first_case(R"({"name": "train_7_b_2.nii.gz",
      "findings": {"0": "A nodule.", "1": "An effusion."}, "entity_counts": {"0": 3, "1": 1},
      "shape": [512, 511, 238], "pixels": {"0": 120, "1": 9000}, "categories": {"0": "2d", "1": "2e"},
      "protocol": "protocol2"})");
  EXPECT_EQ(entry.name, "train_7_b_2.nii.gz");
  EXPECT_EQ(entry.patient, "train_7");
  EXPECT_EQ(entry.protocol, "protocol2");
  EXPECT_EQ(entry.extent, (Extent{512, 511, 238}));
  EXPECT_TRUE(entry.lists_findings);
  ASSERT_EQ(entry.findings.size(), 2U);
  EXPECT_EQ(entry.findings[1].index, 1);
  EXPECT_EQ(entry.findings[1].text, "An effusion.");
  EXPECT_EQ(entry.findings[1].category, "2e");
  EXPECT_EQ(entry.findings[1].category_title, "pleural effusion or thickening");
  EXPECT_EQ(entry.findings[1].focality, Focality::focal);
  EXPECT_EQ(entry.findings[0].entities, 3);
  EXPECT_EQ(entry.findings[1].voxels, 9000);
}

TEST(DatasetFile, leaves_a_finding_of_no_known_category_without_title_and_focality) {
  const GroundedCase entry =
      first_case(R"({"name": "x.nii.gz", "findings": {"0": "a", "1": "b"}, "categories": {"0": "9z"}})");
  EXPECT_EQ(entry.findings[0].category, "9z");
  for (const Finding& finding : entry.findings) {
    EXPECT_EQ(finding.category_title, "");
    EXPECT_FALSE(finding.focality);
  }
}

TEST(DatasetFile, reads_the_scorers_form_by_its_base_name) {
  const GroundedCase entry = first_case(R"({"seg_path": "/somewhere/segmentations/train_7_b_2.nii.gz"})");
  EXPECT_EQ(entry.name, "train_7_b_2.nii.gz");
  EXPECT_FALSE(entry.lists_findings);
}

TEST(DatasetFile, reads_the_form_with_an_image_path) {
  EXPECT_EQ(first_case(R"({"image_path": "train_fixed/train_7_b_2.nii.gz"})").name, "train_7_b_2.nii.gz");
}

TEST(DatasetFile, completes_a_name_without_an_ending) {
  EXPECT_EQ(first_case(R"({"seg_path": "train_7_b_2"})").name, "train_7_b_2.nii.gz");
  EXPECT_EQ(first_case(R"({"seg_path": "train_7_b_2.nii"})").name, "train_7_b_2.nii");
}

TEST(DatasetFile, orders_findings_by_number_not_by_letter) {
  std::string findings;
  for (const char* key : {"10", "2", "0", "9", "1", "3", "8", "4", "7", "5", "6"}) {
    findings += (findings.empty() ? "\"" : ", \"") + std::string(key) + "\": \"text " + key + "\"";
  }
  const GroundedCase entry = first_case(R"({"name": "a.nii.gz", "findings": {)" + findings + "}}");
  ASSERT_EQ(entry.findings.size(), 11U);
  EXPECT_EQ(entry.findings[2].text, "text 2");
  EXPECT_EQ(entry.findings[9].text, "text 9");
  EXPECT_EQ(entry.findings[10].text, "text 10");
}

TEST(DatasetFile, keeps_any_split_in_the_order_of_the_file) {
  const Result<DatasetFile> file = parse_dataset_file(R"({"pilot": [], "test": [], "train": []})");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->splits[0].first, "pilot");
  EXPECT_EQ(file->splits[2].first, "train");
  EXPECT_EQ(file->find_split("val"), nullptr);
}

TEST(DatasetFile, notes_members_that_are_no_split) {
  const Result<DatasetFile> file = parse_dataset_file(R"({"version": 2, "test": []})");
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(file->notes.size(), 1U);
  EXPECT_EQ(file->notes[0].text, "member \"version\" is no list of cases and is ignored");
}

TEST(DatasetFile, takes_a_protocol_of_null_as_none) {
  EXPECT_EQ(first_case(R"({"seg_path": "a", "protocol": null})").protocol, "");
}

TEST(DatasetFile, allows_one_name_in_two_splits) {
  EXPECT_TRUE(parse_dataset_file(R"({"val": [{"seg_path": "a"}], "test": [{"seg_path": "a"}]})").ok());
}

struct Refused {
  const char* entry;
  const char* message;
};

const Refused refused_entries[] = {

    {"7", "/test/0: expected object, found integer"},
    {"{}", R"(/test/0: key "name" is missing (nor is there "seg_path" or "image_path"))"},
    {R"({"name": 7, "findings": {}})", "/test/0/name: expected string, found integer"},
    {R"({"name": "", "findings": {}})", R"(/test/0/name: "" is no file name)"},
    {R"({"name": "../a.nii.gz", "findings": {}})", R"(/test/0/name: "../a.nii.gz" is no file name)"},
    {R"({"name": "..", "findings": {}})", R"(/test/0/name: ".." is no file name)"},
    {R"({"seg_path": "a/.."})", R"(/test/0/seg_path: ".." is no file name)"},
    {R"({"seg_path": "a/"})", R"(/test/0/seg_path: "" is no file name)"},
    {R"({"name": "a"})", R"(/test/0: key "findings" is missing)"},
    {R"({"name": "a", "findings": []})", "/test/0/findings: expected object, found array"},
    {R"({"name": "a", "findings": {"0": 1}})", "/test/0/findings/0: expected string, found integer"},
    {R"({"name": "a", "findings": {"1": "x"}})",
     R"(/test/0/findings/1: expected keys "0" to "0", one per finding, found "1")"},
    {R"({"name": "a", "findings": {"0": "x", "two": "y"}})",
     R"(/test/0/findings/two: expected keys "0" to "1", one per finding, found "two")"},
    {R"({"name": "a", "findings": {"0": "x", "00": "y"}})",
     R"(/test/0/findings/00: expected keys "0" to "1", one per finding, found "00")"},
    {R"({"name": "a", "findings": {"-1": "x"}})",
     R"(/test/0/findings/-1: expected keys "0" to "0", one per finding, found "-1")"},
    {R"({"name": "a", "findings": {"a/b~c": "x"}})",
     R"(/test/0/findings/a~1b~0c: expected keys "0" to "0", one per finding, found "a/b~c")"},
    {R"({"name": "a", "findings": {"0": "x"}, "categories": {"0": 2}})",
     "/test/0/categories/0: expected string, found integer"},
    {R"({"name": "a", "findings": {"0": "x"}, "categories": {"1": "2d"}})",
     R"(/test/0/categories/1: there is no finding "1")"},
    {R"({"name": "a", "findings": {"0": "x"}, "entity_counts": {"0": "1"}})",
     "/test/0/entity_counts/0: expected integer, found string"},
    {R"({"name": "a", "findings": {"0": "x"}, "pixels": [1]})",
     "/test/0/pixels: expected object, found array"},
    {R"({"name": "a", "findings": {}, "shape": [1, 2]})", "/test/0/shape: expected 3 numbers, found 2"},
    {R"({"name": "a", "findings": {}, "shape": [1, 2, 0]})", "/test/0/shape/2: expected at least 1, found 0"},
    {R"({"name": "a", "findings": {}, "shape": [1, "2", 3]})",
     "/test/0/shape/1: expected integer, found string"},
    {R"({"name": "a", "findings": {}, "protocol": 1})", "/test/0/protocol: expected string, found integer"},
    {R"({"seg_path": "a"}, {"seg_path": "b"}, {"seg_path": "x/a.nii.gz"})",
     R"(/test/2: duplicate name "a.nii.gz", first at /test/0)"}};

TEST(DatasetFile, names_a_wrong_entry_by_its_json_pointer) {
  for (const Refused& refused : refused_entries) {
    EXPECT_EQ(entry_refusal(refused.entry), "at " + std::string(refused.message));
  }
}

TEST(DatasetFile, refuses_a_document_that_is_no_object_of_splits) {
  EXPECT_EQ(refusal("[]"), "at /: expected object, found array");
  EXPECT_EQ(refusal("{}"), R"(at /: no split: expected lists such as "train", "val", "test")");
  EXPECT_EQ(refusal(R"({"test": {}})"), "at /test: expected array, found object");
}

TEST(DatasetFile, escapes_the_name_of_a_split_in_a_pointer) {
  EXPECT_EQ(refusal(R"({"a/b": [1]})"), "at /a~1b/0: expected object, found integer");
}

TEST(DatasetFile, refuses_text_that_is_no_json) {
  EXPECT_FALSE(parse_dataset_file("not json").ok());
  EXPECT_FALSE(parse_dataset_file(R"({"test": [{"seg_path": "a")").ok());
  EXPECT_FALSE(parse_dataset_file(R"({"test": [], "test": []})").ok()) << "duplicate keys";
}

}  // namespace
}  // namespace fiducial::rexgroundingct
