#include "fiducial/datasets/medthinkvqa/json_row.h"

#include "fiducial/base/number_text.h"

namespace fiducial::medthinkvqa {

namespace {

// Fills a row from the members of its object.
class RowFiller {
 public:
  explicit RowFiller(RawRow& row) : row_(row) {}

  void add(const std::string& name, const Json& value) {
    if (value.is_null()) return;
    if (const auto slot = find_slot_field(name)) return add_slot_text(name, *slot, value);
    if (const auto text = find_text_field(name)) return add_text(name, *text, value);
    if (const auto integer = find_integer_field(name)) return add_integer(name, *integer, value);
    if (name == "is_longitudinal") return add_bool(name, value);
    if (name == "options") add_options(name, value);
  }

 private:
  void refuse(const std::string& name, std::string_view expected, const Json& value) {
    row_.field_errors.emplace_back(
        name, "expected " + std::string(expected) + ", found " + std::string(value.kind()));
  }

  static std::optional<std::int64_t> integer_of(const Json& value) {
    if (const std::int64_t* integer = value.as_integer()) return *integer;
    if (const std::string* text = value.as_string()) return parse_integer(*text);
    const auto number = value.as_number();
    return number ? whole_number(*number) : std::nullopt;
  }

  static std::optional<bool> flag_of(const Json& value) {
    if (const bool* flag = value.as_bool()) return *flag;
    if (const std::string* text = value.as_string()) return flag_word(*text);
    const auto number = value.as_number();
    return number ? flag_number(*number) : std::nullopt;
  }

  void add_slot_text(const std::string& name, const SlotField& field, const Json& value) {
    const std::string* text = value.as_string();
    if (text == nullptr) return refuse(name, "a string", value);
    if (!text->empty()) row_.slot(field.number).*field.text = row_.bytes.own(*text);
  }

  void add_text(const std::string& name, TextField field, const Json& value) {
    const std::string* text = value.as_string();
    if (text == nullptr) return refuse(name, "a string", value);
    row_.*field = row_.bytes.own(*text);
  }

  void add_integer(const std::string& name, IntegerField field, const Json& value) {
    row_.*field = integer_of(value);
    if (!(row_.*field)) refuse(name, "an integer", value);
  }

  void add_bool(const std::string& name, const Json& value) {
    row_.is_longitudinal = flag_of(value);
    if (!row_.is_longitudinal) refuse(name, "a boolean", value);
  }

  void add_options(const std::string& name, const Json& value) {
    if (const std::string* text = value.as_string()) {  // JSON as text, which some tables hold
      const Outcome read = add_json_options(row_, *text);
      if (!read.ok()) row_.field_errors.emplace_back(name, read.error().message());
      return;
    }
    if (value.as_object() == nullptr) return refuse(name, "an object", value);
    RawRow::Options options;
    for (const auto& [letter, option] : *value.as_object()) {
      const std::string* text = option.as_string();
      if (text == nullptr && !option.is_null()) refuse(name, "only strings", option);
      options.emplace_back(row_.bytes.own(letter),
                           text == nullptr ? std::string_view() : row_.bytes.own(*text));
    }
    row_.options = std::move(options);
  }

  RawRow& row_;
};

}  // namespace

Result<RawRow> parse_json_row(std::string_view line) {
  RowBytes copy;
  FIDUCIAL_TRY(RawRow row, RowParser().parse(copy.own(std::string(line))));
  row.bytes.share(std::make_shared<RowBytes>(std::move(copy)));
  return row;
}

Result<RawRow> RowParser::parse(std::string_view line) {
  if (auto plain = plain_.parse(line)) {
    settle_view(*plain);
    return *std::move(plain);
  }
  FIDUCIAL_TRY(const Json document, parse_json(line));
  if (document.as_object() == nullptr) {
    return invalid_data("expected a JSON object, found " + std::string(document.kind()));
  }
  return row_of(document);
}

RawRow row_of(const Json& object) {
  RawRow row;
  RowFiller filler(row);
  for (const auto& [name, value] : *object.as_object()) filler.add(name, value);
  settle_view(row);
  return row;
}

Outcome add_json_options(RawRow& row, std::string_view text) {
  FIDUCIAL_TRY(const Json document, parse_json(text));
  if (document.as_object() == nullptr)
    return invalid_data("expected a JSON object, found " + std::string(document.kind()));
  RawRow found;
  RowFiller(found).add("options", document);
  if (!found.field_errors.empty()) return invalid_data(found.field_errors.front().second);
  row.options.emplace();
  for (const auto& [letter, option] : found.options.value_or(RawRow::Options{})) {
    row.options->emplace_back(row.bytes.own(std::string(letter)), row.bytes.own(std::string(option)));
  }
  return done();
}

}  // namespace fiducial::medthinkvqa
