#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/curate/reports/review_sheet.h"

namespace fiducial {

// A row of a ticked sheet. Of a count (aspect "missed") `wrong` is how many.
struct TickedRow {
  std::string report;
  std::string kind;
  std::string item;
  std::string aspect;
  std::int64_t wrong = 0;
  std::uint64_t line = 0;

  bool is_count() const { return aspect == "missed"; }
};

// What one reader ticked.
struct TickedSheet {
  Path path;
  std::vector<TickedRow> rows;

  static Result<TickedSheet> read(const Path& path);

  // Every row names something on a sheet of these reports, and none stands twice.
  Outcome check(const std::vector<SheetReport>& reports) const;
};

// Error rates of a reader as rows of CSV: by kind and aspect, the findings that were missed of all there are.
// Items of one report resemble each other, which their intervals count with.
std::string rates_of_reader(std::string_view reader, const TickedSheet& sheet);

// A row an item and a column a reader, as `fiducial agree` reads it; counts are left out.
std::string ratings_of_readers(const std::vector<TickedSheet>& sheets);

}  // namespace fiducial
