#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

// Rows of cells in aligned columns, for a terminal.
class TextTable {
 public:
  enum class Align { left, right };

  // One alignment a column; columns beyond them are aligned to the right.
  explicit TextTable(std::vector<Align> alignments = {Align::left}) : alignments_(std::move(alignments)) {}

  // A cell is one line: control characters in it are written out.
  void add(std::vector<std::string> cells);
  // The titles of the columns; the first row.
  void add_header(std::vector<std::string> cells);
  void add_gap() { rows_.emplace_back(); }

  // Lines with two spaces between columns and none at the end. A table that is wider than `width` characters
  // wraps its widest column of words; where that does not do, a row becomes a line with its first cell and
  // lines with what the header calls the others. Width 0: as wide as it is.
  std::string text(std::string_view indent = "", std::size_t width = 0) const;

 private:
  using Row = std::vector<std::string>;

  Align alignment(std::size_t column) const {
    return column < alignments_.size() ? alignments_[column] : Align::right;
  }
  std::vector<std::size_t> widths() const;
  std::string line(const Row& row, std::string_view indent, const std::vector<std::size_t>& widths) const;
  std::string wrapped_row(const Row& row, std::string_view indent, std::size_t column,
                          const std::vector<std::size_t>& widths) const;
  std::string stacked_row(const Row& row, std::string_view indent, std::size_t width) const;

  std::vector<Align> alignments_;
  std::vector<Row> rows_;
  bool has_header_ = false;
};

}  // namespace fiducial
