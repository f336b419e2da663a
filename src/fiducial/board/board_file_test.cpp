#include "fiducial/board/board_file.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Json summary_of(const char* system, double dice) {
  return Json::object({{"benchmark", "demo"},
                       {"split", "test"},
                       {"system", system},
                       {"metrics", Json::object({{"dice", Json::object({{"value", dice}})},
                                                 {"hd95", Json::object({{"value", Json()}})}})}});
}

TEST(BoardFile, begins_with_the_first_row) {
  const Result<BoardRow> row = board_row(summary_of("ours", 0.5));
  ASSERT_TRUE(row.ok());
  EXPECT_EQ(*with_board_rows({}, {*row}, false), "board,model,date,dice\ndemo test,ours,,0.5\n");
}

TEST(BoardFile, keeps_rows_and_columns_of_others) {
  const CsvTable board = *parse_csv("model,board,date,hit,team\ntheirs,demo test,2026-01-01,0.9,x\n");
  const std::string text = *with_board_rows(board, {*board_row(summary_of("ours", 0.5))}, false);
  EXPECT_EQ(text,
            "model,board,date,hit,team,dice\ntheirs,demo test,2026-01-01,0.9,x,\nours,demo test,,,,0.5\n");
}

TEST(BoardFile, replaces_a_row_only_when_told) {
  const BoardRow row = *board_row(summary_of("ours", 0.5));
  const CsvTable board = *parse_csv(*with_board_rows({}, {row}, false));
  const Result<std::string> refused = with_board_rows(board, {row}, false);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(), "demo test has a row of ours already; --overwrite replaces it");
  EXPECT_EQ(*with_board_rows(board, {*board_row(summary_of("ours", 0.75))}, true),
            "board,model,date,dice\ndemo test,ours,,0.75\n");
}

TEST(BoardFile, refuses_what_is_no_summary) {
  EXPECT_FALSE(board_row(Json::object({{"benchmark", "demo"}})).ok());
}

}  // namespace
}  // namespace fiducial
