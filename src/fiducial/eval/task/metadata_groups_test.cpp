#include "fiducial/eval/task/metadata_groups.h"

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"

namespace fiducial {
namespace {

using Kind = GroupColumn::Kind;

// A table with one column beside the names.
VolumeMetadata table_of(const std::string& column, const std::vector<std::string>& values) {
  std::string text = "VolumeName," + column + "\n";
  for (std::size_t i = 0; i < values.size(); ++i) text += "v" + decimal(i) + ".nii.gz," + values[i] + "\n";
  return *VolumeMetadata::parse(text);
}

GroupColumn resolved(const std::string& column, const std::vector<std::string>& values) {
  const Result<GroupColumn> out = resolve_group_column(table_of(column, values), column);
  EXPECT_TRUE(out.ok()) << out.error().text();
  return *out;
}

TEST(GroupColumn, takes_text_as_it_is) {
  const GroupColumn column = resolved("PatientSex", {"M", "F", "", "O"});
  EXPECT_EQ(column.kind, Kind::text);
  EXPECT_EQ(column.label("M").label, "M");
  EXPECT_EQ(column.label("a\nb\x1b[31m").label, "a b [31m");
  EXPECT_EQ(column.label(std::nullopt).label, "unknown");
  EXPECT_EQ(column.label("unknown"), column.label(std::nullopt));
}

TEST(GroupColumn, bins_ages_by_decade) {
  const GroupColumn column = resolved("PatientAge", {"059Y", "060Y", "", "007Y", "018M"});
  EXPECT_EQ(column.kind, Kind::decades);
  EXPECT_EQ(column.label("059Y").label, "50-59");
  EXPECT_EQ(column.label("060Y").label, "60-69");
  EXPECT_EQ(column.label("018M").label, "0-9");
  EXPECT_EQ(column.label("100Y").label, "100-109");
  EXPECT_LT(column.label("059Y").order, column.label("100Y").order);
  for (const char* nonsense : {"Y", "-01Y", "999Y", "abc", "5.5.5"}) {
    EXPECT_EQ(column.label(nonsense).label, "unknown") << nonsense;
  }
}

TEST(GroupColumn, takes_plain_numbers_for_ages_where_the_column_is_named_so) {
  EXPECT_EQ(resolved("PatientAge", {"59", "61"}).kind, Kind::decades);
  EXPECT_EQ(resolved("KVP", {"100", "120"}).kind, Kind::values);
}

TEST(GroupColumn, keeps_few_numbers_single_and_in_their_order) {
  const GroupColumn column = resolved("KVP", {"100", "120.0", "80", "120"});
  EXPECT_EQ(column.kind, Kind::values);
  EXPECT_EQ(column.label("120.0"), column.label("120"));
  EXPECT_LT(column.label("80").order, column.label("100").order);
}

TEST(GroupColumn, bins_many_numbers_with_a_round_width) {
  std::vector<std::string> values;
  for (int i = 0; i <= 25; ++i) values.push_back(fixed(0.5 + 0.1 * i, 1));
  const GroupColumn column = resolved("ZSpacing", values);
  EXPECT_EQ(column.kind, Kind::bins);
  EXPECT_EQ(column.edges, (std::vector<double>{1, 1.5, 2, 2.5, 3}));
  EXPECT_EQ(column.label("0.7").label, "<1");
  EXPECT_EQ(column.label("1").label, "1-<1.5");
  EXPECT_EQ(column.label("3").label, ">=3");
  EXPECT_EQ(column.label("text").label, "unknown");
}

TEST(GroupColumn, never_makes_more_than_eight_round_bins) {
  for (const double scale : {1e-6, 0.013, 1.0, 37.0, 1e9}) {
    for (const double start : {-3.0, 0.0, 12.5}) {
      std::vector<std::string> values;
      for (int i = 0; i < 40; ++i) values.push_back(shortest((start + i * 0.37) * scale));
      const GroupColumn column = resolved("x", values);
      EXPECT_GE(column.edges.size(), 2U) << scale;
      EXPECT_LE(column.edges.size(), 7U) << scale;
    }
  }
}

TEST(GroupColumn, takes_edges_that_are_asked_for) {
  const VolumeMetadata table = table_of("PatientAge", {"059Y", "010Y"});
  const Result<GroupColumn> column = resolve_group_column(table, "PatientAge:18:65");
  ASSERT_TRUE(column.ok());
  EXPECT_EQ(column->label("010Y").label, "<18");
  EXPECT_EQ(column->label("059Y").label, "18-<65");
  for (const char* word : {"PatientAge:", "PatientAge:1:1", "PatientAge:2:1", "PatientAge:a", ":1"}) {
    EXPECT_EQ(resolve_group_column(table, word).error().code(), ErrorCode::bad_usage) << word;
  }
}

TEST(GroupColumn, that_is_not_there_is_invalid_data_with_those_that_are) {
  const Error error = resolve_group_column(table_of("PatientSex", {"M"}), "Sex").error();
  EXPECT_EQ(error.code(), ErrorCode::invalid_data);
  EXPECT_EQ(error.message(), "no column \"Sex\"; there is VolumeName, PatientSex");
}

TEST(GroupColumn, may_not_be_named_twice_or_like_a_group_of_every_run) {
  const VolumeMetadata table = table_of("protocol", {"M"});
  EXPECT_EQ(resolve_group_columns(table, {"protocol"}).error().code(), ErrorCode::bad_usage);
  EXPECT_EQ(resolve_group_columns(table, {"VolumeName", "VolumeName"}).error().code(), ErrorCode::bad_usage);
}

TEST(GroupColumn, survives_being_written) {
  for (const GroupColumn& column :
       {GroupColumn{"a", Kind::text, {}}, GroupColumn{"b", Kind::values, {}},
        GroupColumn{"c", Kind::decades, {}}, GroupColumn{"d", Kind::bins, {0.5, 1.25}}}) {
    const Result<GroupColumn> again = parse_group_column(*parse_json(to_json(column).compact()));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(*again, column);
  }
  for (const char* text :
       {"{}", R"({"column":"a"})", R"({"column":"a","as":"x"})", R"({"column":"a","as":"bins","edges":[]})",
        R"({"column":"a","as":"bins","edges":[2,1]})"}) {
    EXPECT_FALSE(parse_group_column(*parse_json(text)).ok()) << text;
  }
}

TEST(GroupLabels, are_unknown_for_a_volume_without_a_row) {
  const VolumeMetadata table = table_of("PatientSex", {"M"});
  const std::vector<GroupColumn> columns{{.column = "PatientSex"}};
  EXPECT_EQ(group_labels(columns, table, "v0.nii.gz")[0].label, "M");
  EXPECT_EQ(group_labels(columns, table, "v1.nii.gz")[0].label, "unknown");
}

}  // namespace
}  // namespace fiducial
