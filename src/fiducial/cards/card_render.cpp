#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/cards/card_form.h"
#include "fiducial/cards/card_markdown.h"
#include "fiducial/cards/markdown_tags.h"
#include "fiducial/cards/python_literal.h"

namespace fiducial {

namespace {

using Kind = CardField::Kind;

// Nothing, or something that Python would take for nothing.
bool says_nothing(const Json& value) {
  if (value.is_null()) return true;
  if (const std::string* text = value.as_string()) return text->empty();
  return value.as_array() != nullptr && value.as_array()->empty();
}

Result<std::string> list_lines(const Json& value, const std::string& pointer, Kind kind) {
  FIDUCIAL_TRY(const Json::Array* items, expect_array(value, pointer));
  std::string out;
  for (const Json& item : *items) {
    const std::string text = python_text(item);
    if (kind != Kind::links) {
      out += "- " + text + "\n";
      continue;
    }
    const bool on_github = text.find("github.com") != std::string::npos;
    out += std::string("- [") + (on_github ? "GitHub Repository" : "Resource") + "](" + text + ")\n";
  }
  return out;
}

Result<std::string> risk_line(const Json& risk, const std::string& pointer) {
  FIDUCIAL_TRY_DONE(expect_object(risk, pointer));
  FIDUCIAL_TRY(const Json* category, required_field(risk, "category", pointer));
  std::string out = "- **" + python_text(*category) + "**";
  const Json* parts = risk.find("subcategory");
  if (parts == nullptr || says_nothing(*parts)) return out + "\n";
  if (parts->as_string() != nullptr) return out + ": " + *parts->as_string() + "\n";
  FIDUCIAL_TRY(const Json::Array* items, expect_array(*parts, pointer + "/subcategory"));
  for (std::size_t i = 0; i < items->size(); ++i) out += (i == 0 ? ": " : ", ") + python_text((*items)[i]);
  return out + "\n";
}

Result<std::string> risk_lines(const Json* atlas, const std::string& pointer) {
  const std::string none = "No specific atlas risks defined\n";
  if (atlas == nullptr || atlas->is_null()) return none;
  FIDUCIAL_TRY_DONE(expect_object(*atlas, pointer));
  const Json* risks = atlas->find("risks");
  if (risks == nullptr || says_nothing(*risks)) return none;
  FIDUCIAL_TRY(const Json::Array* items, expect_array(*risks, pointer + "/risks"));
  std::string out;
  for (std::size_t i = 0; i < items->size(); ++i) {
    FIDUCIAL_TRY(const std::string line,
                 risk_line((*items)[i], child_pointer(pointer + "/risks", decimal(i))));
    out += line;
  }
  return out;
}

// Writes one card.
class CardRenderer {
 public:
  explicit CardRenderer(const Json& card) : card_(card), is_ours_(card.find("provenance") != nullptr) {}

  Result<std::string> text() {
    FIDUCIAL_TRY_DONE(expect_object(card_, ""));
    FIDUCIAL_TRY_DONE(check_additions());
    for (const CardSection& section : card_sections()) {
      const Json* content = card_.find(section.key);
      if (content != nullptr && !content->is_null()) {
        FIDUCIAL_TRY_DONE(expect_object(*content, "/" + std::string(section.key)));
      }
      if (out_.empty()) out_ = "# " + title(content) + "\n\n";
      out_ += "## " + std::string(section.heading) + "\n\n";
      for (const CardField& field : section.fields) FIDUCIAL_TRY_DONE(add_field(section, content, field));
      add_provenance(section);
    }
    while (out_.ends_with("\n")) out_.pop_back();
    return (is_ours_ ? without_tags(out_) : std::move(out_)) + "\n";
  }

 private:
  static std::string title(const Json* details) {
    const Json* name = details == nullptr ? nullptr : details->find("name");
    return name == nullptr ? "N/A" : python_text(*name);
  }

  Outcome check_additions() const {
    const Json* provenance = card_.find("provenance");
    const Json* alerts = card_.find("alerts");
    if (provenance == nullptr) {
      const bool is_alone = alerts != nullptr && !says_nothing(*alerts);
      return is_alone ? Outcome(at_pointer("/alerts", "expected provenance beside alerts")) : done();
    }
    FIDUCIAL_TRY(const Json::Object* sections, expect_object(*provenance, "/provenance"));
    for (const auto& [key, fields] : *sections) {
      const std::string pointer = child_pointer("/provenance", key);
      if (section_of(key) == nullptr) return at_pointer(pointer, "a card has no such section");
      FIDUCIAL_TRY(const Json::Object* texts, expect_object(fields, pointer));
      for (const auto& [name, text] : *texts) {
        FIDUCIAL_TRY(const std::string origin, one_line(text, child_pointer(pointer, name)));
      }
    }
    return alerts == nullptr ? done() : check_alerts(*alerts);
  }

  static Outcome check_alerts(const Json& alerts) {
    FIDUCIAL_TRY(const Json::Array* items, expect_array(alerts, "/alerts"));
    for (std::size_t i = 0; i < items->size(); ++i) {
      const std::string pointer = "/alerts/" + decimal(i);
      std::string texts[3];
      constexpr const char* names[] = {"section", "field", "text"};
      for (std::size_t part = 0; part < 3; ++part) {
        FIDUCIAL_TRY(const Json* value, required_field((*items)[i], names[part], pointer));
        FIDUCIAL_TRY(texts[part], one_line(*value, child_pointer(pointer, names[part])));
      }
      const CardSection* section = section_of(texts[0]);
      if (section == nullptr) return at_pointer(pointer + "/section", "a card has no such section");
      const bool is_known = std::any_of(section->fields.begin(), section->fields.end(),
                                        [&](const CardField& field) { return field.key == texts[1]; });
      if (!is_known) return at_pointer(pointer + "/field", "the section has no such field");
    }
    return done();
  }

  static Result<std::string> one_line(const Json& value, const std::string& pointer) {
    FIDUCIAL_TRY(std::string text, expect_string(value, pointer));
    if (text.find('\n') != std::string::npos)
      return at_pointer(pointer, "expected one line of text, found several");
    return text;
  }

  static const CardSection* section_of(std::string_view key) {
    for (const CardSection& section : card_sections()) {
      if (section.key == key) return &section;
    }
    return nullptr;
  }

  Outcome add_field(const CardSection& section, const Json* content, const CardField& field) {
    const Json* value = content == nullptr ? nullptr : content->find(field.key);
    const std::string pointer = "/" + std::string(section.key) + "/" + std::string(field.key);
    const std::string label = "**" + std::string(field.label) + "**:";
    if (field.kind == Kind::risks) {
      FIDUCIAL_TRY(const std::string lines, risk_lines(value, pointer));
      out_ += label + "\n" + lines + "\n";
    } else if (field.kind == Kind::list || field.kind == Kind::links) {
      if (value != nullptr && !says_nothing(*value)) {
        FIDUCIAL_TRY(const std::string lines, list_lines(*value, pointer, field.kind));
        out_ += label + "\n" + lines + "\n";
      }
    } else {
      FIDUCIAL_TRY_DONE(add_text(section, field, value, pointer));
    }
    add_alerts(section, field);
    return done();
  }

  Outcome add_text(const CardSection& section, const CardField& field, const Json* value,
                   const std::string& pointer) {
    const std::string label = "**" + std::string(field.label) + "**:";
    const bool may_be_left_out = field.kind == Kind::optional_text || field.kind == Kind::harm;
    if (value != nullptr && may_be_left_out && says_nothing(*value)) return done();
    if (is_ours_ && field.kind == Kind::harm && value != nullptr && value->as_array() != nullptr) {
      FIDUCIAL_TRY(const std::string lines, list_lines(*value, pointer, Kind::list));
      out_ += label + "\n" + lines + "\n";
      return done();
    }
    std::string text = value == nullptr ? "N/A" : python_text(*value);
    if (text == "N/A") text = section.absent;
    out_ += label + " " + text + "\n\n";
    return done();
  }

  void add_alerts(const CardSection& section, const CardField& field) {
    const Json* alerts = is_ours_ ? card_.find("alerts") : nullptr;
    if (alerts == nullptr) return;
    for (const Json& alert : *alerts->as_array()) {
      if (*alert.find("section")->as_string() != section.key) continue;
      if (*alert.find("field")->as_string() != field.key) continue;
      out_ += std::string(alert_mark) + "**" + std::string(field.label) +
              "**: " + *alert.find("text")->as_string() + "\n\n";
    }
  }

  void add_provenance(const CardSection& section) {
    const Json* fields = is_ours_ ? card_.find("provenance")->find(section.key) : nullptr;
    if (fields == nullptr || fields->as_object()->empty()) return;
    out_ += "**" + std::string(provenance_label) + "**:\n";
    for (const auto& [key, origin] : *fields->as_object()) {
      out_ += "- " + key + ": " + *origin.as_string() + "\n";
    }
    out_ += "\n";
  }

  const Json& card_;
  bool is_ours_;
  std::string out_;
};

}  // namespace

Result<std::string> render_card(const Json& card) { return CardRenderer(card).text(); }

}  // namespace fiducial
