#include <algorithm>
#include <optional>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/base/utf8.h"
#include "fiducial/cards/card_form.h"
#include "fiducial/cards/card_markdown.h"
#include "fiducial/cards/markdown_tags.h"
#include "fiducial/cards/python_literal.h"

namespace fiducial {

namespace {

using Kind = CardField::Kind;
using Lines = std::vector<std::string_view>;

std::string_view without_end_blanks(std::string_view line) {
  const std::size_t last = line.find_last_not_of(" \t\r");
  return last == std::string_view::npos ? std::string_view() : line.substr(0, last + 1);
}

// The lines of a text without their ends, and without empty ones at its own end.
Lines lines_of(std::string_view text) {
  Lines out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!out.empty() && without_end_blanks(out.back()).empty()) out.pop_back();
  return out;
}

Error at_line(std::size_t index, std::string message) {
  return Error(ErrorCode::invalid_data, std::move(message), Place{.line = index + 1});
}

// The line after "**Label**:", where it begins so.
std::optional<std::string_view> after_label(std::string_view line, std::string_view label) {
  if (!line.starts_with("**") || !line.substr(2).starts_with(label)) return std::nullopt;
  line.remove_prefix(2 + label.size());
  if (!line.starts_with("**:")) return std::nullopt;
  return line.substr(3);
}

std::string joined_lines(std::string first, std::span<const std::string_view> rest) {
  for (const std::string_view line : rest) first += "\n" + std::string(line);
  return first;
}

// A field as it stands in the text: what follows its label, and the lines after that.
struct FieldText {
  std::size_t line = 0;
  std::string_view rest;
  std::span<const std::string_view> lines;
};

Result<std::vector<std::string>> items_of(const FieldText& field) {
  if (!without_end_blanks(field.rest).empty()) return at_line(field.line, "expected a list below the label");
  std::vector<std::string> out;
  for (const std::string_view line : field.lines) {
    if (line.starts_with("- ") || line == "-") {
      out.emplace_back(line.substr(std::min<std::size_t>(2, line.size())));
    } else if (out.empty()) {
      return at_line(field.line + 1, "expected \"- \" and an item of the list");
    } else {
      out.back() += "\n" + std::string(line);
    }
  }
  if (out.empty()) return at_line(field.line, "expected a list below the label, found none");
  return out;
}

std::string link_address(const std::string& item) {
  const std::size_t middle = item.find("](");
  if (!item.starts_with('[') || middle == std::string::npos || !item.ends_with(')')) return item;
  return item.substr(middle + 2, item.size() - middle - 3);
}

Json risk_of(const std::string& item) {
  const std::size_t end = item.starts_with("**") ? item.find("**", 2) : std::string::npos;
  if (end == std::string::npos) return Json::object({{"category", item}, {"subcategory", Json::Array{}}});
  Json parts = Json::Array{};
  std::string_view rest = std::string_view(item).substr(end + 2);
  if (rest.starts_with(": ")) {
    rest.remove_prefix(2);
    while (true) {
      const std::size_t comma = rest.find(", ");
      parts.push(std::string(rest.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 2);
    }
  }
  return Json::object({{"category", item.substr(2, end - 2)}, {"subcategory", std::move(parts)}});
}

Result<Json> risks_of(const FieldText& field) {
  Json risks = Json::Array{};
  if (field.lines.size() != 1 || without_end_blanks(field.lines[0]) != "No specific atlas risks defined") {
    FIDUCIAL_TRY(const std::vector<std::string> items, items_of(field));
    for (const std::string& item : items) risks.push(risk_of(item));
  }
  return Json::object({{"risks", std::move(risks)}});
}

Result<Json> list_of(const FieldText& field, Kind kind) {
  FIDUCIAL_TRY(const std::vector<std::string> items, items_of(field));
  Json out = Json::Array{};
  for (const std::string& item : items) out.push(kind == Kind::links ? link_address(item) : item);
  return out;
}

Result<Json> text_of(const FieldText& field, const CardSection& section, const CardField& form) {
  if (!field.rest.empty() && field.rest.front() != ' ')
    return at_line(field.line, "expected a space after the label");
  const std::string text =
      joined_lines(std::string(field.rest.substr(field.rest.empty() ? 0 : 1)), field.lines);
  if (text == section.absent) return Json("N/A");
  if (form.key == "limitations" && text == "None") return Json();
  if (form.kind == Kind::harm) {
    if (std::optional<Json> list = parse_python_list(text)) return *std::move(list);
  }
  return Json(text);
}

Json absent_value(Kind kind) {
  if (kind == Kind::text) return "N/A";
  if (kind == Kind::risks) return Json::object({{"risks", Json::Array{}}});
  return kind == Kind::list || kind == Kind::links ? Json(Json::Array{}) : Json();
}

// Reads one card; ours say where their fields come from.
class CardParser {
 public:
  CardParser(const Lines& lines, bool is_ours) : lines_(lines), is_ours_(is_ours) {}

  Result<Json> card() {
    if (lines_.empty() || !lines_[0].starts_with("# "))
      return at_line(0, "expected \"# \" and the name of a benchmark");
    Json out = Json::Object{};
    at_ = 1;
    for (const CardSection& section : card_sections()) {
      FIDUCIAL_TRY(Json content, read_section(section));
      out.set(std::string(section.key), std::move(content));
    }
    if (!is_ours_) return out;
    out.set("provenance", std::move(provenance_));
    out.set("alerts", std::move(alerts_));
    return out;
  }

 private:
  bool is_blank(std::size_t index) const { return without_end_blanks(lines_[index]).empty(); }

  Outcome skip_heading(const CardSection& section) {
    while (at_ < lines_.size() && is_blank(at_)) ++at_;
    const std::string heading = "## " + std::string(section.heading);
    if (at_ == lines_.size() || without_end_blanks(lines_[at_]) != heading)
      return at_line(at_, "expected \"" + heading + "\"");
    ++at_;
    while (at_ < lines_.size() && is_blank(at_)) ++at_;
    return done();
  }

  Result<Json> read_section(const CardSection& section) {
    FIDUCIAL_TRY_DONE(skip_heading(section));
    Json out = Json::Object{};
    for (const CardField& form : section.fields) out.set(std::string(form.key), absent_value(form.kind));
    std::size_t next = 0;  // field that may come
    while (at_ < lines_.size() && !begins_section(at_)) {
      if (is_ours_ && lines_[at_].starts_with(alert_mark)) {
        FIDUCIAL_TRY_DONE(read_alert(section));
        continue;
      }
      const std::optional<std::size_t> index = field_at(section, next, at_);
      if (!index) return at_line(at_, "expected a label of \"" + std::string(section.heading) + "\"");
      next = *index + 1;
      FIDUCIAL_TRY_DONE(read_field(section, *index, out));
    }
    return out;
  }

  Outcome read_field(const CardSection& section, std::size_t index, Json& out) {
    if (index == section.fields.size()) return read_provenance(section);
    const CardField& form = section.fields[index];
    const FieldText field = take_field(section, index, form.label);
    Result<Json> value = read_value(field, section, form);
    if (!value.ok()) return std::move(value).error();
    out.set(std::string(form.key), *std::move(value));
    return done();
  }

  Result<Json> read_value(const FieldText& field, const CardSection& section, const CardField& form) const {
    if (form.kind == Kind::risks) return risks_of(field);
    if (form.kind == Kind::list || form.kind == Kind::links) return list_of(field, form.kind);
    const bool lists_harms = is_ours_ && form.kind == Kind::harm && field.rest.empty();
    return lists_harms ? list_of(field, Kind::list) : text_of(field, section, form);
  }

  Outcome read_provenance(const CardSection& section) {
    const FieldText field = take_field(section, section.fields.size(), provenance_label);
    Json origins = Json::Object{};
    for (std::size_t i = 0; i < field.lines.size(); ++i) {
      const std::string_view line = field.lines[i];
      if (without_end_blanks(line).empty()) continue;
      const std::size_t colon = line.find(": ");
      if (!line.starts_with("- ") || colon == std::string_view::npos)
        return at_line(field.line + 1 + i, "expected \"- field: where it comes from\"");
      origins.set(std::string(line.substr(2, colon - 2)), std::string(line.substr(colon + 2)));
    }
    provenance_.set(std::string(section.key), std::move(origins));
    return done();
  }

  Outcome read_alert(const CardSection& section) {
    const std::string_view line = lines_[at_].substr(alert_mark.size());
    for (const CardField& form : section.fields) {
      const std::optional<std::string_view> text = after_label(line, form.label);
      if (!text || !text->starts_with(' ')) continue;
      alerts_.push(Json::object({{"section", std::string(section.key)},
                                 {"field", std::string(form.key)},
                                 {"text", std::string(text->substr(1))}}));
      ++at_;
      while (at_ < lines_.size() && is_blank(at_)) ++at_;
      return done();
    }
    return at_line(at_, "expected an alert about a field of \"" + std::string(section.heading) + "\"");
  }

  // The label, the lines up to what comes next, and the blank line between them.
  FieldText take_field(const CardSection& section, std::size_t index, std::string_view label) {
    const std::size_t begin = at_++;
    while (at_ < lines_.size() && !(is_blank(at_ - 1) && begins_something(section, index + 1))) ++at_;
    const std::size_t end = at_ < lines_.size() ? at_ - 1 : at_;
    return {.line = begin,
            .rest = *after_label(lines_[begin], label),
            .lines = std::span(lines_).subspan(begin + 1, end - begin - 1)};
  }

  bool begins_something(const CardSection& section, std::size_t next) const {
    return begins_section(at_) || field_at(section, next, at_).has_value() ||
           (is_ours_ && lines_[at_].starts_with(alert_mark));
  }

  bool begins_section(std::size_t index) const {
    if (!lines_[index].starts_with("## ")) return false;
    const std::string_view heading = without_end_blanks(lines_[index].substr(3));
    const auto is_it = [heading](const CardSection& section) { return section.heading == heading; };
    return std::any_of(card_sections().begin(), card_sections().end(), is_it);
  }

  // The field whose label a line begins with, not before next; one past the last is the provenance.
  std::optional<std::size_t> field_at(const CardSection& section, std::size_t next, std::size_t line) const {
    for (std::size_t i = next; i < section.fields.size(); ++i) {
      if (after_label(lines_[line], section.fields[i].label)) return i;
    }
    if (is_ours_ && next <= section.fields.size() && after_label(lines_[line], provenance_label))
      return section.fields.size();
    return std::nullopt;
  }

  const Lines& lines_;
  bool is_ours_;
  std::size_t at_ = 0;
  Json provenance_ = Json::Object{};
  Json alerts_ = Json::Array{};
};

// A card that renders to the lines it was read from, or the first line that it does not give back.
Result<Json> parse_exactly(const Lines& lines, bool is_ours) {
  FIDUCIAL_TRY(Json card, CardParser(lines, is_ours).card());
  FIDUCIAL_TRY(std::string text, render_card(card));
  if (is_ours) text = with_tags(text);
  const Lines rendered = lines_of(text);
  for (std::size_t i = 0; i < std::max(lines.size(), rendered.size()); ++i) {
    const std::string_view found = i < lines.size() ? without_end_blanks(lines[i]) : "the end";
    const std::string_view expected = i < rendered.size() ? without_end_blanks(rendered[i]) : "the end";
    if (found == expected) continue;
    constexpr std::size_t shown = 80;
    return at_line(i, "expected \"" + std::string(expected.substr(0, shown)) + "\", found \"" +
                          std::string(found.substr(0, shown)) + "\"");
  }
  return card;
}

bool names_a_field(std::string_view item) {
  for (const CardSection& section : card_sections()) {
    for (const CardField& field : section.fields) {
      if (item.starts_with("- " + std::string(field.key) + ": ")) return true;
    }
  }
  return false;
}

enum class Origin { collection, maybe_ours, ours };

// A card of ours has lists of provenance with its fields in them; other texts may have such a label, too.
Origin origin_of(const Lines& lines) {
  const std::string label = "**" + std::string(provenance_label) + "**:";
  Origin out = Origin::collection;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (without_end_blanks(lines[i]) != label) continue;
    if (i + 1 < lines.size() && names_a_field(lines[i + 1])) return Origin::ours;
    out = Origin::maybe_ours;
  }
  return out;
}

}  // namespace

Result<Json> parse_card(std::string_view markdown) {
  if (const auto bad = first_invalid_utf8(markdown))
    return Error(ErrorCode::invalid_data, "expected UTF-8", Place{.byte = *bad});
  if (markdown.starts_with("\xef\xbb\xbf")) markdown.remove_prefix(3);
  const Lines lines = lines_of(markdown);
  const Origin origin = origin_of(lines);
  if (origin == Origin::collection) return parse_exactly(lines, false);
  const std::string text = with_tags(markdown);
  Result<Json> ours = parse_exactly(lines_of(text), true);
  return ours.ok() || origin == Origin::ours ? std::move(ours) : parse_exactly(lines, false);
}

}  // namespace fiducial
