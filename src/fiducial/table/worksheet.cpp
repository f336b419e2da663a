#include "fiducial/table/worksheet.h"

#include <algorithm>
#include <optional>

#include "fiducial/base/number_text.h"
#include "fiducial/table/xml_reader.h"

namespace fiducial {

namespace {

using Kind = XmlEvent::Kind;

constexpr std::size_t most_sheet_columns = 16'384;               // of the format itself
constexpr std::size_t most_sheet_text = std::size_t{256} << 20;  // as CSV

// The column of "BC12", from 0; nothing where the letters are none.
std::optional<std::size_t> column_of(std::string_view reference) {
  std::size_t column = 0;
  std::size_t at = 0;
  for (; at < reference.size() && reference[at] >= 'A' && reference[at] <= 'Z'; ++at) {
    column = column * 26 + static_cast<std::size_t>(reference[at] - 'A') + 1;
    if (column > most_sheet_columns) return std::nullopt;
  }
  if (at == 0) return std::nullopt;
  return column - 1;
}

// A cell as it is being read.
struct SheetCell {
  std::size_t column = 0;
  std::string type;
  std::string value;
};

class SheetParser {
 public:
  explicit SheetParser(const std::vector<std::string>& shared) : shared_(shared) {}

  Result<CsvTable> parse(std::string_view document) {
    FIDUCIAL_TRY_DONE(read_xml(document, [this](const XmlEvent& event) { return take(event); }));
    if (columns_ == 0)
      return invalid_data("expected a sheet whose first row names the columns, found no row");
    return parse_csv(csv_);
  }

 private:
  Outcome take(const XmlEvent& event) {
    if (event.kind == Kind::text) {
      if (is_value_) cell_.value += event.text;
      return done();
    }
    const bool begins = event.kind == Kind::begin;
    if (event.name == "rPh") is_phonetic_ = begins;
    if (event.name == "v" || event.name == "t") is_value_ = begins && is_cell_ && !is_phonetic_;
    if (event.name == "row") return begins ? begin_row() : end_row();
    if (event.name != "c") return done();
    return begins ? begin_cell(event) : end_cell();
  }

  Outcome begin_row() {
    row_.clear();
    return done();
  }

  Outcome begin_cell(const XmlEvent& event) {
    const std::string* reference = event.find("r");
    const std::string* type = event.find("t");
    const auto column = reference == nullptr ? std::optional(row_.size()) : column_of(*reference);
    if (!column || *column < row_.size()) {
      return invalid_data("expected cells from left to right, found " +
                          (reference == nullptr ? "one without a place" : *reference));
    }
    cell_ = {.column = *column, .type = type == nullptr ? "n" : *type, .value = {}};
    is_cell_ = true;
    return done();
  }

  Outcome end_cell() {
    is_cell_ = false;
    if (cell_.type == "s" && !cell_.value.empty()) {
      const auto index = parse_integer(cell_.value);
      if (!index || *index < 0 || static_cast<std::size_t>(*index) >= shared_.size())
        return invalid_data("expected one of " + decimal(shared_.size()) + " shared texts, found number " +
                            cell_.value);
      cell_.value = shared_[static_cast<std::size_t>(*index)];
    }
    if (cell_.type == "b") cell_.value = cell_.value == "1" ? "TRUE" : "FALSE";
    if (cell_.value.empty()) return done();
    if (columns_ > 0 && cell_.column >= columns_)
      return invalid_data("expected cells below the names of columns, found \"" + cell_.value +
                          "\" in column " + decimal(cell_.column + 1));
    row_.resize(cell_.column);
    row_.push_back(std::move(cell_.value));
    return done();
  }

  Outcome end_row() {
    if (row_.empty()) return done();
    if (columns_ == 0) columns_ = row_.size();
    row_.resize(columns_);
    // A carriage return alone is no text of a table.
    for (std::string& cell : row_) std::erase(cell, '\r');
    csv_ += csv_row(row_);
    if (csv_.size() > most_sheet_text) return invalid_data("expected a sheet of at most 256 MiB, found more");
    return done();
  }

  const std::vector<std::string>& shared_;
  std::vector<std::string> row_;
  std::size_t columns_ = 0;  // none before the first row
  SheetCell cell_;
  bool is_cell_ = false;
  bool is_value_ = false;
  bool is_phonetic_ = false;
  std::string csv_;
};

}  // namespace

Result<std::vector<std::string>> parse_shared_strings(std::string_view document) {
  std::vector<std::string> out;
  bool is_text = false;
  bool is_phonetic = false;
  const auto take = [&](const XmlEvent& event) -> Outcome {
    const bool begins = event.kind == Kind::begin;
    if (event.kind == Kind::text) {
      if (is_text && !out.empty()) out.back() += event.text;
      return done();
    }
    if (event.name == "si" && begins) out.emplace_back();
    if (event.name == "rPh") is_phonetic = begins;
    if (event.name == "t") is_text = begins && !is_phonetic;
    return done();
  };
  FIDUCIAL_TRY_DONE(read_xml(document, take));
  return out;
}

Result<std::string> first_sheet(std::string_view workbook, std::string_view relations) {
  std::string id;
  FIDUCIAL_TRY_DONE(read_xml(workbook, [&](const XmlEvent& event) -> Outcome {
    const std::string* found = id.empty() && event.name == "sheet" ? event.find("id") : nullptr;
    if (found != nullptr) id = *found;
    return done();
  }));
  if (id.empty()) return invalid_data("expected a sheet, found none");
  std::optional<std::string> target;
  FIDUCIAL_TRY_DONE(read_xml(relations, [&](const XmlEvent& event) -> Outcome {
    const std::string* own = event.find("Id");
    const std::string* file = event.find("Target");
    if (event.name == "Relationship" && own != nullptr && *own == id && file != nullptr && !target)
      target = *file;
    return done();
  }));
  if (!target) return invalid_data("expected the file of sheet \"" + id + "\", found none");
  return target->starts_with("/xl/") ? target->substr(4) : *target;
}

Result<CsvTable> parse_worksheet(std::string_view document, const std::vector<std::string>& shared) {
  return SheetParser(shared).parse(document);
}

}  // namespace fiducial
