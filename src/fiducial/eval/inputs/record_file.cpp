#include "fiducial/eval/inputs/record_file.h"

#include <cmath>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"
#include "fiducial/table/csv.h"
#include "fiducial/text/unicode.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

Error wrong_type(const std::string& key, const std::string& expected, const Json& found) {
  const std::string* text = found.as_string();
  return at_pointer("/" + key, "expected " + expected + ", found " +
                                   (text == nullptr ? std::string(found.kind()) : "\"" + *text + "\""));
}

}  // namespace

const Json* Record::find(const std::string& key) const {
  const Json* value = fields_.find(key);
  if (value == nullptr || value->is_null()) return nullptr;
  const bool is_empty_cell = !is_typed() && value->as_string() != nullptr && value->as_string()->empty();
  return is_empty_cell ? nullptr : value;
}

Result<std::optional<std::string>> Record::text(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::optional<std::string>();
  if (value->as_string() == nullptr) return wrong_type(key, "a text", *value);
  return std::optional(*value->as_string());
}

Result<std::optional<double>> Record::number(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::optional<double>();
  const std::string* cell = is_typed() ? nullptr : value->as_string();
  const std::optional<double> number =
      cell != nullptr ? parse_double(white_space_trimmed(*cell)) : value->as_number();
  if (!number || !std::isfinite(*number)) return wrong_type(key, "a number", *value);
  return number;
}

Result<std::optional<std::int64_t>> Record::integer(const std::string& key) const {
  FIDUCIAL_TRY(const std::optional<double> found, number(key));
  if (!found) return std::optional<std::int64_t>();
  if (*found != std::floor(*found) || std::abs(*found) > 1e15) {
    return wrong_type(key, "a whole number", *find(key));
  }
  return std::optional(static_cast<std::int64_t>(*found));
}

Result<std::int64_t> Record::case_number() const {
  const std::string key = find("title") != nullptr ? "title" : "case";
  const Json* value = find(key);
  if (value == nullptr) return at_pointer("/title", "expected the title of a case, found none");
  if (value->as_integer() != nullptr) return *value->as_integer();
  FIDUCIAL_TRY(const std::optional<std::string> name, text(key));
  if (const auto number = medthinkvqa::case_number(*name)) return *number;
  if (const auto number = is_typed() ? std::nullopt : parse_integer(*name)) return *number;
  return wrong_type(key, "a title such as \"Case number 68\"", *value);
}

Result<std::vector<Record>> parse_jsonl_records(std::string_view text) {
  constexpr std::size_t max_line_bytes = std::size_t{64} << 20;
  std::vector<Record> out;
  std::uint64_t number = 0;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.size() > max_line_bytes) {
      return Error(ErrorCode::invalid_data, "a line of more than 64 MiB", Place{.line = number});
    }
    if (white_space_trimmed(line).empty()) continue;
    Result<Json> parsed = parse_json(line);
    Outcome is_object = parsed.ok() ? done() : Outcome(parsed.error());
    if (parsed.ok()) {
      if (const auto object = expect_object(*parsed, ""); !object.ok()) is_object = object.error();
    }
    if (!is_object.ok()) {
      Place place = is_object.error().place();
      place.line = number;
      return is_object.error().at(std::move(place));
    }
    out.emplace_back(number, *std::move(parsed), Record::Source::jsonl);
  }
  return out;
}

Result<std::vector<Record>> parse_csv_records(std::string_view text) {
  FIDUCIAL_TRY(const CsvTable table, parse_csv(text));
  std::vector<Record> out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Json fields = Json::object({});
    for (std::size_t column = 0; column < table.columns().size(); ++column) {
      fields.set(table.columns()[column], table.cell(row, column));
    }
    out.emplace_back(table.line(row), std::move(fields), Record::Source::csv);
  }
  return out;
}

Result<std::vector<Record>> parse_json_list_records(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  FIDUCIAL_TRY(const Json list, parse_json(text));
  FIDUCIAL_TRY(const Json::Array* items, expect_array(list, ""));
  std::vector<Record> out;
  for (std::size_t i = 0; i < items->size(); ++i) {
    FIDUCIAL_TRY_DONE(expect_object((*items)[i], "/" + decimal(i)));
    out.emplace_back(i + 1, (*items)[i], Record::Source::jsonl);
  }
  return out;
}

Result<RecordFile> read_records(const Path& path) {
  FIDUCIAL_TRY(const std::string text, read_text_file(path));
  const bool is_table = ascii_lower(path.extension().string()) == ".csv";
  const bool is_list = white_space_trimmed(text).starts_with('[');
  Result<std::vector<Record>> records = is_table  ? parse_csv_records(text)
                                        : is_list ? parse_json_list_records(text)
                                                  : parse_jsonl_records(text);
  if (!records.ok()) return std::move(records).error().in_file(path.string());
  if (records->empty()) {
    return Error(ErrorCode::invalid_data, "expected records, found none", Place{.path = path.string()});
  }
  return RecordFile{path.filename().string(), sha256(as_bytes(text)), *std::move(records)};
}

Error at_record(const Error& error, const Record& record, const std::string& path) {
  Place place = error.place();
  place.path = path;
  place.line = record.line();
  return error.at(std::move(place));
}

}  // namespace fiducial
