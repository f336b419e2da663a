#include "fiducial/terminal/description_text.h"

#include "fiducial/base/number_text.h"
#include "fiducial/terminal/folded_text.h"
#include "fiducial/terminal/text_table.h"
#include "fiducial/text/readable.h"

namespace fiducial {

namespace {

// A figure as a cell of a table; "-" where it is unknown.
struct FigureText {
  std::string operator()(std::monostate) const { return "-"; }
  std::string operator()(DescribedUnknown) const { return "not known"; }
  std::string operator()(std::int64_t count) const { return grouped_digits(count); }
  std::string operator()(DescribedMean mean) const { return fixed(mean.value, 2); }
  std::string operator()(DescribedShare share) const { return fixed(100 * share.value, 1) + " %"; }
  std::string operator()(DescribedRange range) const {
    return decimal(range.least) + ".." + decimal(range.greatest);
  }
};

}  // namespace

std::string description_text(const DatasetDescription& description, std::size_t width) {
  TextTable table;
  if (!description.columns.empty()) {
    std::vector<std::string> header{""};
    header.insert(header.end(), description.columns.begin(), description.columns.end());
    table.add_header(std::move(header));
  }
  bool is_first = true;
  for (const DescribedSection& section : description.sections) {
    if (section.title.empty() && section.rows.empty()) continue;
    if (!is_first) table.add_gap();
    is_first = false;
    if (!section.title.empty()) table.add({section.title});
    for (const DescribedRow& row : section.rows) {
      std::vector<std::string> cells{(row.is_part ? "  " : "") + row.title};
      for (const DescribedFigure& figure : row.figures) cells.push_back(std::visit(FigureText(), figure));
      table.add(std::move(cells));
    }
  }
  std::string out = table.text("", width);
  for (const std::string& line : description.lines) out += line + "\n";
  return folded_text(out, width);
}

}  // namespace fiducial
