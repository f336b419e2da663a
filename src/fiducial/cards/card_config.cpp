#include "fiducial/cards/card_config.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/cards/card_form.h"

namespace fiducial {

namespace {

const CardSection* section_named(std::string_view key) {
  for (const CardSection& section : card_sections()) {
    if (section.key == key) return &section;
  }
  return nullptr;
}

Outcome check_field(const CardField& field, const Json& value, const std::string& pointer) {
  using Kind = CardField::Kind;
  const bool is_list = field.kind == Kind::list || field.kind == Kind::links;
  if (field.kind == Kind::risks) return at_pointer(pointer, "risks are drawn from the data by rules");
  if (!is_list && value.as_string() != nullptr) return done();
  if (!is_list && field.kind != Kind::harm)
    return at_pointer(pointer, "expected a text, found " + std::string(value.kind()));
  FIDUCIAL_TRY(const Json::Array* items, expect_array(value, pointer));
  for (std::size_t i = 0; i < items->size(); ++i) {
    FIDUCIAL_TRY(const std::string text, expect_string((*items)[i], child_pointer(pointer, decimal(i))));
  }
  return done();
}

Outcome check_section(const CardSection& section, const Json& content) {
  const std::string pointer = "/" + std::string(section.key);
  FIDUCIAL_TRY(const Json::Object* members, expect_object(content, pointer));
  for (const auto& [key, value] : *members) {
    const auto field = std::find_if(section.fields.begin(), section.fields.end(),
                                    [&wanted = key](const CardField& each) { return each.key == wanted; });
    const std::string place = child_pointer(pointer, key);
    if (field == section.fields.end()) return at_pointer(place, "a card has no such field");
    FIDUCIAL_TRY_DONE(check_field(*field, value, place));
  }
  return done();
}

Outcome read_results(const Json& value, const Path& folder, CardConfig& out) {
  FIDUCIAL_TRY(const Json::Array* items, expect_array(value, "/results"));
  for (std::size_t i = 0; i < items->size(); ++i) {
    FIDUCIAL_TRY(const std::string path, expect_string((*items)[i], "/results/" + decimal(i)));
    out.results.push_back(folder / path);
  }
  return done();
}

bool is_non_commercial(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  for (const std::string_view term : {"-nc", " nc", "non-commercial", "noncommercial", "non commercial"}) {
    if (text.find(term) != std::string::npos) return true;
  }
  return false;
}

std::string slot_text(const std::string& name, const Json& slot) {
  const std::optional<double> number = number_at(slot, "value");
  if (!number) return {};
  std::string out = name + " " + fixed(*number, 4);
  const Json::Array* ends = find_array(slot, "ci95");
  if (ends == nullptr || ends->size() != 2 || !(*ends)[0].as_number() || !(*ends)[1].as_number()) return out;
  return out + " [" + fixed(*(*ends)[0].as_number(), 4) + ", " + fixed(*(*ends)[1].as_number(), 4) + "]";
}

// One sentence of a score folder: its system, split and first values.
Result<std::string> result_sentence(const Path& folder, const std::string& benchmark) {
  const Path file = folder / "summary.json";
  FIDUCIAL_TRY(const std::string text, read_text_file(file));
  FIDUCIAL_TRY(const Json summary, parse_json(text).in_file(file.string()));
  std::string words[3];
  constexpr const char* names[] = {"benchmark", "system", "split"};
  for (std::size_t i = 0; i < 3; ++i) {
    FIDUCIAL_TRY(words[i], required_string(summary, names[i], "").in_file(file.string()));
  }
  if (words[0] != benchmark) {
    return Error(ErrorCode::invalid_data, "expected scores on " + benchmark + ", found " + words[0],
                 Place{.path = file.string()});
  }
  FIDUCIAL_TRY(const Json* metrics, required_field(summary, "metrics", "").in_file(file.string()));
  FIDUCIAL_TRY(const Json::Object* slots, expect_object(*metrics, "/metrics").in_file(file.string()));
  std::string values;
  std::size_t shown = 0;
  for (const auto& [name, slot] : *slots) {
    const std::string value = slot_text(name, slot);
    if (value.empty() || shown == 6) continue;
    append_joined(values, value);
    ++shown;
  }
  return words[1] + " on " + words[2] + ": " + values + ".";
}

}  // namespace

Result<CardConfig> parse_card_config(std::string_view text, const Path& folder) {
  FIDUCIAL_TRY(const Json document, parse_json(text));
  FIDUCIAL_TRY(const Json::Object* members, expect_object(document, ""));
  CardConfig out;
  for (const auto& [key, value] : *members) {
    if (key == "results") {
      FIDUCIAL_TRY_DONE(read_results(value, folder, out));
    } else if (key == "centres") {
      FIDUCIAL_TRY(out.centres, expect_integer(value, "/centres"));
    } else if (const CardSection* section = section_named(key)) {
      FIDUCIAL_TRY_DONE(check_section(*section, value));
      out.fields.set(key, value);
    } else {
      return at_pointer("/" + key, "expected a section of the card, results or centres");
    }
  }
  return out;
}

Result<CardConfig> read_card_config(const Path& path) {
  FIDUCIAL_TRY(const std::string text, read_text_file(path, std::uint64_t{16} << 20));
  FIDUCIAL_TRY(CardConfig out, parse_card_config(text, path.parent_path()).in_file(path.string()));
  out.file = path.filename().string();
  return out;
}

Outcome apply_config(const CardConfig& config, const std::string& benchmark, CardDraft& draft,
                     CardEvidence& evidence) {
  for (const auto& [section, fields] : *config.fields.as_object()) {
    for (const auto& [key, value] : *fields.as_object()) {
      std::string name = section;
      name += '.';
      name += key;
      draft.set(name, value, "configured: " + config.file);
      if (key == "data_licensing" && is_non_commercial(*value.as_string()))
        evidence.risks["non_commercial"] = *value.as_string();
    }
  }
  if (config.centres == 1) evidence.risks["single_centre"] = "configured: one centre";
  for (const Path& folder : config.results) {
    FIDUCIAL_TRY(std::string sentence, result_sentence(folder, benchmark));
    evidence.baselines.push_back(std::move(sentence));
  }
  return done();
}

}  // namespace fiducial
