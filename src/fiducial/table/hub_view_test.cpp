#include "fiducial/table/hub_view.h"

#include <gtest/gtest.h>

#include "fiducial/base/paths.h"
#include "fiducial/base/store.h"
#include "fiducial/base/system_error.h"
#include "fiducial/base/temporary_folder.h"
#include "fiducial/table/feature_file.h"

namespace fiducial {
namespace {

RowFile file_of(const std::string& name, const std::string& text) {
  const ByteView bytes = as_bytes(text);
  return {name, Bytes(bytes.begin(), bytes.end())};
}

const std::vector<Feature> features = {{.name = "name"},
                                       Feature::list_of("findings", Feature::Kind::text),
                                       Feature::list_of("pixels", Feature::Kind::integer),
                                       {.name = "flag", .kind = Feature::Kind::flag},
                                       {.name = "share", .kind = Feature::Kind::number},
                                       Feature::file("mask", "Nifti"),
                                       {.name = "more"}};

HubPart part_of(const std::string& split) {
  return {.form = HubPart::Form::document,
          .file = "dataset.json",
          .split = split,
          .splits = {"train", "val", "test"},
          .keyed = {"findings", "pixels"},
          .more = "more",
          .folders = {{"mask", "segmentations"}}};
}

FeatureRow row_of(int number) {
  const std::string name = "case" + std::to_string(number);
  FeatureRow out;
  out.values.set("name", name).set("findings", Json::array({"a", nullptr, "c"}));
  out.values.set("pixels", Json::array({number})).set("flag", number % 2 == 0).set("share", 0.5 * number);
  out.values.set("more", R"({"deep": {"er": [1]}})");
  out.files.emplace("mask", file_of(name + ".nii.gz", std::string(1000, static_cast<char>('a' + number))));
  return out;
}

// Five rows in files of two row groups, and groups of one row.
std::vector<std::string> write_split(const Path& folder, const std::string& split, int rows) {
  EXPECT_TRUE(make_folders(folder / "data").ok());
  Result<FeatureShards> shards =
      FeatureShards::create(folder / "data", {.split = split,
                                              .features = features,
                                              .metadata = {{hub_part_key, part_of(split).json().compact()}},
                                              .cut = {.rows_of_a_group = 1, .bytes_of_a_file = 2500}});
  for (int number = 0; number < rows; ++number) EXPECT_TRUE(shards->add(row_of(number)).ok());
  return *shards->finish();
}

TEST(HubView, shows_the_document_that_rows_stand_for) {
  const TemporaryFolder folder;
  EXPECT_EQ(write_split(folder.path(), "test", 2).size(), 1U);
  const auto view = find_hub_view(folder.path());
  ASSERT_TRUE(view);
  EXPECT_EQ(*read_text_file(*view / "dataset.json"),
            R"({"train":[],"val":[],"test":[)"
            R"({"name":"case0","findings":{"0":"a","2":"c"},"pixels":{"0":0},"flag":true,"share":0.0,)"
            R"("deep":{"er":[1]}},)"
            R"({"name":"case1","findings":{"0":"a","2":"c"},"pixels":{"0":1},"flag":false,"share":0.5,)"
            R"("deep":{"er":[1]}}]})"
            "\n");
}

TEST(HubView, finds_every_embedded_file_across_shards_and_groups) {
  const TemporaryFolder folder;
  const std::vector<std::string> files = write_split(folder.path(), "test", 5);
  EXPECT_EQ(files.size(), 3U);
  EXPECT_EQ(files.front(), "test-00000-of-00003.parquet");
  const Path masks = *find_hub_view(folder.path()) / "segmentations";
  EXPECT_TRUE(is_folder(masks));
  for (int number = 0; number < 5; ++number) {
    const Path mask = masks / ("case" + std::to_string(number) + ".nii.gz");
    EXPECT_EQ(*read_text_file(mask), std::string(1000, static_cast<char>('a' + number)));
    EXPECT_EQ(*stored_size(mask), 1000U);
  }
  EXPECT_FALSE(is_there(masks / "case5.nii.gz"));
  EXPECT_EQ(entries_of(masks)->size(), 5U);
}

TEST(HubView, is_none_where_no_table_says_what_it_stands_for) {
  const TemporaryFolder folder;
  EXPECT_FALSE(find_hub_view(folder.path()));
  ASSERT_TRUE(make_folders(folder.path() / "data").ok());
  ASSERT_TRUE(write_file(folder.path() / "data/test-00000-of-00001.parquet", "PAR1 no PAR1").ok());
  const TemporaryFolder other;
  std::filesystem::rename(folder.path() / "data", other.path() / "data");
  EXPECT_FALSE(find_hub_view(other.path()));
}

TEST(HubView, refuses_a_croissant_file_of_another_dataset) {
  const TemporaryFolder folder;
  write_split(folder.path(), "test", 1);
  const std::string other =
      R"({"distribution": [{"contentUrl": "data/test-00000-of-00001.parquet", "contentSize": "7 B"}]})";
  ASSERT_TRUE(write_file(folder.path() / "croissant.json", other).ok());
  const auto view = find_hub_view(folder.path());
  ASSERT_TRUE(view);
  const Result<std::string> text = read_text_file(*view / "dataset.json");
  ASSERT_FALSE(text.ok());
  EXPECT_NE(text.error().text().find("is it of another dataset?"), std::string::npos);
}

TEST(HubView, refuses_names_that_lead_elsewhere) {
  EXPECT_FALSE(HubPart::parse(*parse_json(R"({"schema": "fiducial.hub/1", "file": "../x.json"})")).ok());
  EXPECT_FALSE(HubPart::parse(*parse_json(R"({"schema": "fiducial.hub/2", "file": "x.json"})")).ok());
}

TEST(HubView, is_read_only) {
  const TemporaryFolder folder;
  write_split(folder.path(), "test", 1);
  const Outcome written = write_file(*find_hub_view(folder.path()) / "dataset.json", "{}");
  EXPECT_EQ(written.error().code(), ErrorCode::bad_usage);
}

TEST(FeatureShards, refuse_a_value_of_another_kind) {
  const TemporaryFolder folder;
  Result<FeatureShards> shards = FeatureShards::create(
      folder.path(), {.split = "test", .features = {{.name = "n", .kind = Feature::Kind::integer}}});
  FeatureRow row;
  row.values.set("n", "text");
  EXPECT_FALSE(shards->add(row).ok());
}

TEST(FeatureShards, write_nothing_without_a_row) {
  const TemporaryFolder folder;
  Result<FeatureShards> shards =
      FeatureShards::create(folder.path(), {.split = "test", .features = {{.name = "n"}}});
  EXPECT_TRUE(shards->finish()->empty());
  EXPECT_TRUE(entries_of(folder.path())->empty());
}

}  // namespace
}  // namespace fiducial
