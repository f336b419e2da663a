#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

// Rows of cells in aligned columns, for a terminal. The first row is usually the header.
class TextTable {
 public:
  enum class Align { left, right };

  // One alignment a column; columns beyond them are aligned to the right.
  explicit TextTable(std::vector<Align> alignments = {Align::left}) : alignments_(std::move(alignments)) {}

  // A cell is one line: control characters in it are written out.
  void add(std::vector<std::string> cells);
  void add_gap() { rows_.emplace_back(); }
  // Lines with two spaces between columns and none at the end.
  std::string text(std::string_view indent = "") const;

 private:
  Align alignment(std::size_t column) const {
    return column < alignments_.size() ? alignments_[column] : Align::right;
  }

  std::vector<Align> alignments_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace fiducial
