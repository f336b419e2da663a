#pragma once

#include <cstdint>
#include <string>

#include "fiducial/base/result.h"

#include "console.h"
#include "verb.h"

namespace fiducial::cli {

// Options of "board import", "board export" and, of answers, "board table".
struct AnswerBoardOptions {
  std::string file;
  std::string output;
  std::string source_csv;
  std::string generated_at;
  std::string mode = "strict";
  std::int64_t cases = 720;
  bool overwrite = false;
  bool json = false;
};
void define_board_import(Verb subcommand, AnswerBoardOptions& options);
void define_board_export(Verb subcommand, AnswerBoardOptions& options);

// Whether a file holds results of answers to questions: published rows, or what import wrote.
Result<bool> is_answer_board(const std::string& file);
Result<int> print_answer_board(const AnswerBoardOptions& options, Console& console);
Result<int> import_board(const AnswerBoardOptions& options, Console& console);
Result<int> export_board(const AnswerBoardOptions& options, Console& console);

}  // namespace fiducial::cli
