#include "fiducial/table/arrow_table.h"

#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <gtest/gtest.h>

namespace fiducial {
namespace {

const Table example{{{"name", Column::Strings{"a", std::nullopt, "c"}},
                     {"voxels", Column::Integers{1, 2, std::nullopt}},
                     {"dice", Column::Numbers{0.5, std::nullopt, 1.0}}},
                    {{"schema", "example/1"}}};

TEST(ArrowTable, crosses_the_c_stream_interface_unchanged) {
  ArrowArrayStream stream{};
  ASSERT_TRUE(export_stream(example, &stream).ok());
  const auto reader = arrow::ImportRecordBatchReader(&stream).ValueOrDie();
  const auto table = reader->ToTable().ValueOrDie();
  EXPECT_TRUE(table->Equals(**arrow_table(example), true));
  EXPECT_EQ(table->num_rows(), 3);
  EXPECT_EQ(table->column(0)->null_count(), 1);
}

TEST(ArrowTable, may_be_released_unread) {
  ArrowArrayStream stream{};
  ASSERT_TRUE(export_stream(example, &stream).ok());
  stream.release(&stream);
  EXPECT_EQ(stream.release, nullptr);
}

TEST(ArrowTable, has_columns_even_without_rows) {
  const Table empty{{{"name", Column::Strings{}}}, {}};
  EXPECT_EQ((*arrow_table(empty))->num_columns(), 1);
}

}  // namespace
}  // namespace fiducial
