#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/table/csv.h"

namespace fiducial {

// One result as a row of a board's CSV file.
struct BoardRow {
  std::string board;  // "rexgroundingct test"
  std::string model;
  std::string date;
  std::vector<std::pair<std::string, double>> measures;
};

// The row of a score folder by its summary.json: board is benchmark and split, the model is the system, and
// every headline value that is defined is a measure. A private folder has the same.
Result<BoardRow> board_row(const Json& summary);

// The text of a board's file with rows added: columns that are not there yet are added at the end, and other
// rows are left as they are. A row of a model that its board has already is refused unless replace is set.
Result<std::string> with_board_rows(const std::optional<CsvTable>& board, const std::vector<BoardRow>& rows,
                                    bool replace);

}  // namespace fiducial
