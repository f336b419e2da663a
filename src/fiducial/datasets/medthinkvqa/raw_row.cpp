#include "fiducial/datasets/medthinkvqa/raw_row.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"

namespace fiducial::medthinkvqa {

namespace {

template <typename Field, std::size_t count>
std::optional<Field> find_in(const std::array<std::pair<std::string_view, Field>, count>& fields,
                             std::string_view name) {
  for (const auto& [known, field] : fields) {
    if (known == name) return field;
  }
  return std::nullopt;
}

// What the options of a row are, as a case wants them.
Result<std::array<std::string, 5>> checked_options(const RawRow& row) {
  if (!row.options) return invalid_data("no options");
  std::array<std::string, 5> out;
  for (const auto& [letter, text] : *row.options) {
    const std::size_t at =
        letter.size() == 1 ? DiagnosisCase::letters.find(letter[0]) : std::string_view::npos;
    if (at == std::string_view::npos) {
      return invalid_data("expected the options A to E, found one called \"" + std::string(letter) + "\"");
    }
    out[at] = text;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].empty())
      return invalid_data("option " + std::string(1, DiagnosisCase::letters[i]) + " has no text");
  }
  return out;
}

Result<DiagnosisCase> case_of(const RawRow& row) {
  const auto taken = [](const std::optional<std::string_view>& text) {
    return std::string(text.value_or(""));
  };
  DiagnosisCase out;
  out.title = taken(row.title);
  const auto number = case_number(out.title);
  if (!row.field_errors.empty())
    return invalid_data(row.field_errors.front().first + ": " + row.field_errors.front().second);
  if (!number)
    return invalid_data("expected a title such as \"Case number 68\", found \"" + out.title + "\"");
  out.number = *number;
  FIDUCIAL_TRY(out.options, checked_options(row));
  const std::string key = row.is_view ? "" : taken(row.key);
  if (row.is_view) {
    out.key = DiagnosisCase::no_key;
  } else if (key.size() != 1 || DiagnosisCase::letters.find(key[0]) == std::string_view::npos) {
    return invalid_data("expected a correct_answer from A to E, found \"" + key + "\"");
  } else {
    out.key = key[0];
  }
  out.history = taken(row.history);
  out.findings = taken(row.findings);
  out.discussion = taken(row.discussion);
  out.icd_chapter = taken(row.icd_chapter);
  out.icd_block = taken(row.icd_block);
  out.icd_category = taken(row.icd_category);
  out.is_longitudinal = row.is_longitudinal.value_or(false);
  out.timepoints = row.timepoint_count.value_or(0);
  out.interval = taken(row.interval);
  for (const RawSlot& slot : row.slots) {
    if (!row.uses(slot)) continue;
    out.images.push_back({std::string(slot.id), std::string(slot.path), std::string(slot.caption),
                          std::string(slot.modality), std::string(slot.sub_modality)});
  }
  return out;
}

}  // namespace

RawSlot& RawRow::slot(int number) {
  if (!slots.empty() && slots.back().number == number) return slots.back();
  const auto at = std::lower_bound(slots.begin(), slots.end(), number,
                                   [](const RawSlot& slot, int wanted) { return slot.number < wanted; });
  if (at != slots.end() && at->number == number) return *at;
  return *slots.insert(at, RawSlot{.number = number});
}

std::optional<TextField> find_text_field(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, TextField>, 11> fields = {
      {{"title", &RawRow::title},
       {"CLINICAL_HISTORY", &RawRow::history},
       {"IMAGING_FINDINGS", &RawRow::findings},
       {"discussion", &RawRow::discussion},
       {"correct_answer", &RawRow::key},
       {"correct_answer_text", &RawRow::key_text},
       {"ICD Chapter", &RawRow::icd_chapter},
       {"ICD Block", &RawRow::icd_block},
       {"ICD Category", &RawRow::icd_category},
       {"interval_text", &RawRow::interval},
       {"id", &RawRow::view_id}}};
  return find_in(fields, name);
}

std::optional<IntegerField> find_integer_field(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, IntegerField>, 2> fields = {
      {{"timepoint_count", &RawRow::timepoint_count}, {"image_count", &RawRow::image_count}}};
  return find_in(fields, name);
}

std::optional<SlotField> find_slot_field(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view RawSlot::*>, 5> fields = {
      {{"id", &RawSlot::id},
       {"path", &RawSlot::path},
       {"caption", &RawSlot::caption},
       {"modality", &RawSlot::modality},
       {"sub_modality", &RawSlot::sub_modality}}};
  constexpr std::string_view prefix = "image_";
  constexpr std::size_t digits = 2;
  if (name.size() < prefix.size() + digits + 2 || !name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  if (!is_digit(name[0]) || !is_digit(name[1]) || name[2] != '_') return std::nullopt;
  const int number = (name[0] - '0') * 10 + (name[1] - '0');
  const auto text = find_in(fields, name.substr(digits + 1));
  if (number == 0 || !text) return std::nullopt;
  return SlotField{number, *text};
}

RowMember row_member(std::string_view name) {
  using Kind = RowMember::Kind;
  if (const auto slot = find_slot_field(name)) return {.kind = Kind::slot_text, .slot = *slot};
  if (const auto text = find_text_field(name)) return {.kind = Kind::text, .text = *text};
  if (const auto integer = find_integer_field(name)) return {.kind = Kind::integer, .integer = *integer};
  if (name == "is_longitudinal") return {.kind = Kind::longitudinal};
  if (name == "options") return {.kind = Kind::options};
  return {};
}

std::optional<int> find_picture_field(std::string_view name) {
  constexpr std::string_view prefix = "image_";
  if (name.size() != prefix.size() + 2 || !name.starts_with(prefix)) return std::nullopt;
  const char tens = name[prefix.size()];
  const char ones = name[prefix.size() + 1];
  if (!is_digit(tens) || !is_digit(ones) || (tens == '0' && ones == '0')) return std::nullopt;
  return (tens - '0') * 10 + (ones - '0');
}

void settle_view(RawRow& row) {
  constexpr std::string_view prefix = "case";
  if (row.title || row.key || row.key_text || !row.view_id || !row.view_id->starts_with(prefix)) return;
  const std::string title = "Case number " + std::string(row.view_id->substr(prefix.size()));
  if (!case_number(title)) return;
  row.title = row.bytes.own(title);
  row.is_view = true;
}

std::optional<std::int64_t> whole_number(double value) {
  constexpr double largest = 9007199254740992.0;  // beyond it not every integer has a number of its own
  if (!(std::abs(value) <= largest) || value != std::floor(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::optional<bool> flag_number(double value) {
  if (value != 0 && value != 1) return std::nullopt;
  return value == 1;
}

std::optional<bool> flag_word(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = is_capital(c) ? static_cast<char>(c + 32) : c;
  if (lower == "true" || lower == "yes" || lower == "1" || lower == "1.0") return true;
  if (lower == "false" || lower == "no" || lower == "0" || lower == "0.0") return false;
  return std::nullopt;
}

std::optional<std::int64_t> case_number(std::string_view title) {
  constexpr std::string_view prefix = "Case number ";
  if (!title.starts_with(prefix)) return std::nullopt;
  title.remove_prefix(prefix.size());
  if (title.empty() || !is_digit(title[0]) || (title.size() > 1 && title[0] == '0')) return std::nullopt;
  return parse_integer(title);
}

Result<DiagnosisCase> checked_case(const RawRow& row) {
  Result<DiagnosisCase> out = case_of(row);
  if (out.ok()) return out;
  return Error(ErrorCode::invalid_data, out.error().message(), Place{.line = row.line});
}

}  // namespace fiducial::medthinkvqa
