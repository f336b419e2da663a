#include "fiducial/table/parquet.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

class Parquet : public testing::Test {
 protected:
  Path path(const std::string& name) const { return Path(testing::TempDir()) / ("fiducial_parquet_" + name); }

  const Table table_{{{"case", Column::Strings{"a", std::nullopt, "\xC3\xA9"}},
                      {"n", Column::Integers{1, 2, std::nullopt}},
                      {"value", Column::Numbers{0.1, std::nullopt, -3.5}}},
                     {{"schema", "fiducial.rows/1"}}};
};

TEST_F(Parquet, reads_back_what_was_written) {
  ASSERT_TRUE(write_parquet(path("round_trip"), table_).ok());
  const Result<Table> found = read_parquet(path("round_trip"));
  ASSERT_TRUE(found.ok()) << found.error().text();
  EXPECT_EQ(*found, table_);
}

TEST_F(Parquet, writes_the_same_bytes_every_time) {
  ASSERT_TRUE(write_parquet(path("first"), table_).ok());
  ASSERT_TRUE(write_parquet(path("second"), table_).ok());
  EXPECT_EQ(*read_text_file(path("first")), *read_text_file(path("second")));
}

TEST_F(Parquet, keeps_a_table_without_rows) {
  const Table empty{{{"case", Column::Strings{}}}, {}};
  ASSERT_TRUE(write_parquet(path("empty"), empty).ok());
  EXPECT_EQ(read_parquet(path("empty"))->rows(), 0U);
}

TEST_F(Parquet, refuses_a_small_file_that_takes_far_more_memory_than_its_size) {
  // One long word of one letter, in a dictionary that is compressed to next to nothing.
  const std::uint64_t size = std::uint64_t{64} << 20;
  const Table bomb{{{"case", Column::Strings{std::string(size, 'a'), "b"}}}, {}};
  ASSERT_TRUE(write_parquet(path("bomb"), bomb).ok());
  ASSERT_LT(std::filesystem::file_size(path("bomb")), size / 100);
  EXPECT_TRUE(read_parquet(path("bomb")).ok());
  const Result<Table> found = read_parquet(path("bomb"), size / 2);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), ErrorCode::invalid_data);
  EXPECT_EQ(found.error().place().path, path("bomb").string());
}

TEST_F(Parquet, refuses_a_file_that_is_cut_off) {
  ASSERT_TRUE(write_parquet(path("cut"), table_).ok());
  const std::string text = *read_text_file(path("cut"));
  ASSERT_TRUE(write_file(path("cut"), std::string_view(text).substr(0, text.size() / 2)).ok());
  const Result<Table> found = read_parquet(path("cut"));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), ErrorCode::invalid_data);
}

TEST_F(Parquet, says_which_folder_cannot_be_written_to) {
  const Outcome outcome = write_parquet(path("no_such_folder") / "rows.parquet", table_);
  ASSERT_FALSE(outcome.ok());
  EXPECT_NE(outcome.error().text().find("no_such_folder"), std::string::npos);
}

}  // namespace
}  // namespace fiducial
