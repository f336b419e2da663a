#include "fiducial/table/csv.h"

#include <algorithm>
#include <optional>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/base/utf8.h"

namespace fiducial {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

Error at_cell(std::uint64_t line, std::size_t column, std::string message) {
  return {ErrorCode::invalid_data, std::move(message),
          Place{.line = line, .pointer = "column " + decimal(column + 1)}};
}

Error at_line(std::uint64_t line, std::string message) {
  return {ErrorCode::invalid_data, std::move(message), Place{.line = line}};
}

// A byte order mark would be skipped at the front of a file.
bool must_be_quoted(std::string_view cell) {
  return cell.find_first_of(",\"\r\n") != std::string_view::npos || cell.starts_with(byte_order_mark);
}

// What parts the columns where all of them were read as one: "a;b;c".
std::optional<std::string> other_separator(const std::vector<std::string>& columns) {
  if (columns.size() != 1) return std::nullopt;
  const bool is_tab = columns[0].find('\t') != std::string::npos;
  if (!is_tab && columns[0].find(';') == std::string::npos) return std::nullopt;
  return is_tab ? "tabs" : "semicolons";
}

std::uint64_t line_of(std::string_view text, std::size_t position, std::uint64_t first_line) {
  return first_line + static_cast<std::uint64_t>(std::count(
                          text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
}

Outcome check_text(std::string_view text, std::uint64_t first_line) {
  if (const auto bad = first_invalid_utf8(text)) {
    return at_line(line_of(text, *bad, first_line), "the text is not UTF-8");
  }
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
    return at_line(line_of(text, zero, first_line), "a zero byte; expected text");
  }
  return done();
}

}  // namespace

// Reads cell by cell; text_ and ends_ of the table grow as cells are closed.
class CsvParser {
 public:
  CsvParser(std::string_view text, const CsvLimits& limits) : text_(text), limits_(limits) {}

  // What follows rows that were read before: the columns are known, and so is the number of the first line.
  void go_on(std::vector<std::string> columns, std::uint64_t line) {
    table_.columns_ = std::move(columns);
    line_ = line;
  }

  Result<CsvTable> table() {
    while (at_ < text_.size()) {
      FIDUCIAL_TRY_DONE(read_row());
    }
    if (table_.columns_.empty()) return at_line(1, "the file is empty; expected a row of column names");
    return std::move(table_);
  }

  std::uint64_t line() const { return line_; }  // after the last row

 private:
  Outcome read_row() {
    const std::uint64_t first_line = line_;
    const std::size_t cells_before = table_.ends_.size();
    column_ = 0;
    if (skipped_empty_line()) return done();
    bool more = true;
    while (more) {
      if (column_ >= limits_.columns) {
        return at_line(first_line, "more than " + decimal(limits_.columns) + " columns");
      }
      if (table_.ends_.size() >= limits_.cells) {
        return at_line(first_line, "more than " + decimal(limits_.cells) + " cells");
      }
      FIDUCIAL_TRY_DONE(peek() == '"' ? read_quoted_cell() : read_bare_cell());
      table_.ends_.push_back(table_.text_.size());
      ++column_;
      FIDUCIAL_TRY(more, read_cell_end());
    }
    if (table_.columns_.empty()) return take_header();
    const std::size_t found = table_.ends_.size() - cells_before;
    if (found != table_.columns_.size()) {
      return at_line(first_line,
                     "expected " + decimal(table_.columns_.size()) + " cells, found " + decimal(found));
    }
    table_.lines_.push_back(first_line);
    return done();
  }

  // -1 at the end.
  int peek() const { return at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : -1; }
  bool at_line_end() const {
    return peek() == '\n' || (peek() == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n');
  }

  bool skipped_empty_line() {
    if (table_.columns_.size() < 2 || !at_line_end()) return false;
    pass_line_end();
    return true;
  }

  void pass_line_end() {
    at_ += peek() == '\r' ? 2U : 1U;
    ++line_;
  }

  Outcome read_bare_cell() {
    while (at_ < text_.size() && peek() != ',' && !at_line_end()) {
      if (peek() == '"') return at_cell(line_, column_, "a quote inside a cell that is not quoted");
      if (peek() == '\r') return at_cell(line_, column_, "a carriage return without a line feed");
      table_.text_ += text_[at_++];
    }
    return done();
  }

  Outcome read_quoted_cell() {
    const std::uint64_t opened = line_;
    for (++at_; at_ < text_.size(); ++at_) {
      if (peek() == '"') {
        ++at_;
        if (peek() != '"') return done();
      }
      if (peek() == '\n') ++line_;
      table_.text_ += text_[at_];
    }
    return at_cell(opened, column_, "the quote that opens here is never closed");
  }

  // Whether another cell follows in the row.
  Result<bool> read_cell_end() {
    if (at_ >= text_.size()) return false;
    if (peek() == ',') {
      ++at_;
      return true;
    }
    if (at_line_end()) {
      pass_line_end();
      return false;
    }
    return at_cell(line_, column_ - 1, "text after the closing quote");
  }

  Outcome take_header() {
    std::set<std::string_view> seen;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < table_.ends_.size(); ++i) {
      const std::string_view name = std::string_view(table_.text_).substr(begin, table_.ends_[i] - begin);
      begin = table_.ends_[i];
      if (name.empty()) return at_cell(1, i, "a column without a name");
      if (!seen.insert(name).second) return at_cell(1, i, "a second column \"" + std::string(name) + "\"");
      table_.columns_.emplace_back(name);
    }
    if (const auto separator = other_separator(table_.columns_))
      return at_cell(1, 0, "columns are separated by " + *separator + "; expected commas");
    table_.text_.clear();
    table_.ends_.clear();
    return done();
  }

  std::string_view text_;
  const CsvLimits& limits_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  std::size_t column_ = 0;
  CsvTable table_;
};

std::optional<std::size_t> CsvTable::find_column(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

Result<std::size_t> CsvTable::column(std::string_view name) const {
  if (const auto found = find_column(name)) return *found;
  return at_line(1, unknown_name("column", name, columns_));
}

std::string_view CsvTable::cell(std::size_t row, std::size_t column) const {
  const std::size_t index = row * columns_.size() + column;
  FIDUCIAL_ASSERT(column < columns_.size() && index < ends_.size());
  const std::uint64_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(text_).substr(begin, ends_[index] - begin);
}

Error CsvTable::cell_error(std::size_t row, std::size_t column, std::string message) const {
  return {ErrorCode::invalid_data, columns_[column] + ": " + std::move(message),
          Place{.line = lines_[row], .pointer = "column " + decimal(column + 1)}};
}

Result<CsvTable> parse_csv(std::string_view text, const CsvLimits& limits) {
  if (text.size() > limits.bytes) {
    return invalid_data("more than " + decimal(limits.bytes) + " bytes of text");
  }
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  FIDUCIAL_TRY_DONE(check_text(text, 1));
  return CsvParser(text, limits).table();
}

Result<CsvTable> read_csv(const Path& path, const CsvLimits& limits) {
  FIDUCIAL_TRY(const std::string text, read_text_file(path, limits.bytes));
  return parse_csv(text, limits).in_file(path.string());
}

Result<std::optional<CsvTable>> CsvBatches::next() {
  if (ended_ && buffer_.empty() && !columns_.empty()) return std::optional<CsvTable>();
  std::size_t complete = 0;
  while (complete == 0 && !ended_ && buffer_.size() < max_row_bytes) {
    FIDUCIAL_TRY(complete, read_more());
  }
  if (complete == 0) {
    // The rest of the file, or a row so long that its opening quote is most likely a mistake.
    if (!ended_) return at_line(line_, "a row of more than " + decimal(max_row_bytes) + " bytes");
    complete = buffer_.size();
  }
  FIDUCIAL_TRY(CsvTable table, parse_rows(std::string_view(buffer_).substr(0, complete)));
  buffer_.erase(0, complete);
  scanned_ = buffer_.size();
  return std::optional<CsvTable>(std::move(table));
}

// How many bytes of the buffer are whole rows.
Result<std::size_t> CsvBatches::read_more() {
  const std::size_t before = buffer_.size();
  buffer_.resize(before + batch_bytes_);
  FIDUCIAL_TRY(const std::size_t got,
               stream_.read(std::as_writable_bytes(std::span(buffer_).subspan(before))));
  buffer_.resize(before + got);
  ended_ = got < batch_bytes_;
  std::size_t complete = 0;
  for (; scanned_ < buffer_.size(); ++scanned_) {
    if (buffer_[scanned_] == '"') quoted_ = !quoted_;
    if (buffer_[scanned_] == '\n' && !quoted_) complete = scanned_ + 1;
  }
  return ended_ ? buffer_.size() : complete;
}

Result<CsvTable> CsvBatches::parse_rows(std::string_view text) {
  if (columns_.empty() && text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  FIDUCIAL_TRY_DONE(check_text(text, line_));
  const CsvLimits limits{.bytes = max_row_bytes + batch_bytes_};
  CsvParser parser(text, limits);
  parser.go_on(columns_, line_);
  FIDUCIAL_TRY(CsvTable table, parser.table());
  line_ = parser.line();
  columns_ = table.columns();
  return table;
}

namespace {

void append_csv_cell(std::string& out, std::string_view cell, bool is_alone) {
  if (!must_be_quoted(cell) && !(is_alone && cell.empty())) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) {
    out += c;
    if (c == '"') out += c;
  }
  out += '"';
}

template <typename Cells>
std::string joined_csv_cells(const Cells& cells) {
  std::string out;
  for (const std::string_view cell : cells) {
    append_csv_cell(out, cell, cells.size() == 1);
    out += ',';
  }
  if (out.empty()) return "\n";
  out.back() = '\n';
  return out;
}

}  // namespace

std::string csv_row(std::span<const std::string> cells) { return joined_csv_cells(cells); }
std::string csv_row_of(std::initializer_list<std::string_view> cells) { return joined_csv_cells(cells); }

}  // namespace fiducial
