#include "fiducial/report/text_table.h"

#include <algorithm>

#include "fiducial/base/number_text.h"

namespace fiducial {

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string TextTable::text(std::string_view indent) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], character_count(row[i]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - character_count(row[i]), ' ');
      line += (i == 0 ? "" : "  ") + (alignment(i) == Align::left ? row[i] + pad : pad + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string grouped_digits(std::int64_t value) {
  std::string out = decimal(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t i = out.size(); i > first + 3;) {
    i -= 3;
    out.insert(i, 1, ',');
  }
  return out;
}

}  // namespace fiducial
