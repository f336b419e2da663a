#pragma once

#include <string>
#include <vector>

#include "fiducial/base/result.h"

#include "console.h"
#include "verb.h"

namespace fiducial::cli {

// Options of "board add".
struct BoardAddOptions {
  std::vector<std::string> scores;
  std::string output;
  std::string model;
  std::string date;
  bool overwrite = false;
};

void define_board_add(Verb subcommand, BoardAddOptions& options);
Result<int> add_to_board(const BoardAddOptions& options, Console& console);

}  // namespace fiducial::cli
