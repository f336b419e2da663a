#include "fiducial/terminal/text_table.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "fiducial/base/printable.h"
#include "fiducial/terminal/folded_text.h"
#include "fiducial/text/readable.h"

namespace fiducial {

namespace {

constexpr std::size_t gap = 2;              // between columns
constexpr std::size_t least_of_words = 30;  // a column that is narrower holds values and is not wrapped
constexpr std::size_t least_wrapped = 18;   // no column is made narrower than this

std::size_t total(std::string_view indent, const std::vector<std::size_t>& widths) {
  const std::size_t gaps = widths.empty() ? 0 : gap * (widths.size() - 1);
  return std::accumulate(widths.begin(), widths.end(), indent.size() + gaps);
}

std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  std::vector<std::string> out;
  const std::string folded = folded_text(text, width);
  for (std::size_t begin = 0; begin <= folded.size();) {
    const std::size_t end = std::min(folded.find('\n', begin), folded.size());
    out.push_back(folded.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

void TextTable::add_header(std::vector<std::string> cells) {
  add(std::move(cells));
  has_header_ = true;
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> out;
  for (const Row& row : rows_) {
    out.resize(std::max(out.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) out[i] = std::max(out[i], character_count(row[i]));
  }
  return out;
}

std::string TextTable::line(const Row& row, std::string_view indent,
                            const std::vector<std::size_t>& widths) const {
  std::string out(indent);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::size_t taken = character_count(row[i]);
    const std::string pad(widths[i] > taken ? widths[i] - taken : 0, ' ');
    out += std::string(i == 0 ? 0 : gap, ' ') + (alignment(i) == Align::left ? row[i] + pad : pad + row[i]);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::string TextTable::wrapped_row(const Row& row, std::string_view indent, std::size_t column,
                                   const std::vector<std::size_t>& widths) const {
  if (column >= row.size()) return line(row, indent, widths);
  std::string out;
  Row part = row;
  for (const std::string& piece : lines_of(row[column], widths[column])) {
    part[column] = piece;
    out += line(part, indent, widths);
    part.assign(row.size(), "");
  }
  return out;
}

std::string TextTable::stacked_row(const Row& row, std::string_view indent, std::size_t width) const {
  const auto titled = [&](std::size_t at) {
    const std::string title =
        has_header_ && at < rows_.front().size() && row.size() > 1 ? rows_.front()[at] : "";
    return title.empty() ? row[at] : title + " " + row[at];
  };
  std::string out = folded_text(std::string(indent) + (row.empty() ? "" : titled(0)), width);
  const std::string inner = std::string(indent) + std::string(gap, ' ');
  std::string current;
  const auto flush = [&] {
    if (!current.empty()) out += "\n" + folded_text(inner + current, width);
    current.clear();
  };
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i].empty()) continue;
    const std::string piece = titled(i);
    const std::size_t wanted = inner.size() + character_count(current) + gap + character_count(piece);
    if (!current.empty() && wanted > width) flush();
    current += (current.empty() ? "" : std::string(gap, ' ')) + piece;
  }
  flush();
  return out + "\n";
}

std::string TextTable::text(std::string_view indent, std::size_t width) const {
  std::vector<std::size_t> wide = widths();
  const std::size_t needed = total(indent, wide);
  std::string out;
  if (width == 0 || needed <= width) {
    for (const Row& row : rows_) out += line(row, indent, wide);
    return out;
  }
  const auto widest = static_cast<std::size_t>(std::max_element(wide.begin(), wide.end()) - wide.begin());
  const std::size_t surplus = needed - width;
  if (alignment(widest) == Align::left && wide[widest] >= least_of_words &&
      wide[widest] >= least_wrapped + surplus) {
    wide[widest] -= surplus;
    for (const Row& row : rows_) out += wrapped_row(row, indent, widest, wide);
    return out;
  }
  for (std::size_t i = has_header_ ? 1 : 0; i < rows_.size(); ++i)
    out += stacked_row(rows_[i], indent, width);
  return out;
}

}  // namespace fiducial
