#include "planted_effects.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"

#include "json_members.h"
#include "schema_instance.h"

namespace fiducial::ask_test {

namespace {

constexpr std::int64_t million = 1'000'000;
constexpr std::string_view self_hint = "ownhint";
constexpr std::string_view self_summary = "ownsummary";

bool has(const Asked& asked, std::string_view words) { return asked.text.find(words) != std::string::npos; }

Result<std::string> required_text(const Json& json, std::string_view name) {
  std::optional<std::string> found = text_at(json, name);
  if (!found) return invalid_data("no text " + std::string(name));
  return *std::move(found);
}

Result<std::vector<std::string>> texts_of(const Json& json) {
  std::vector<std::string> out;
  if (json.as_array() == nullptr) return invalid_data("expected a list of texts");
  for (const Json& item : *json.as_array()) {
    if (item.as_string() == nullptr) return invalid_data("expected a list of texts");
    out.push_back(*item.as_string());
  }
  return out;
}

std::map<std::string, std::int64_t, std::less<>> numbers_at(const Json& json, std::string_view name) {
  std::map<std::string, std::int64_t, std::less<>> out;
  const Json* found = json.find(name);
  if (found == nullptr || found->as_object() == nullptr) return out;
  for (const auto& [key, value] : *found->as_object()) {
    if (value.as_integer() != nullptr) out[key] = *value.as_integer();
  }
  return out;
}

std::int64_t number_of(const std::map<std::string, std::int64_t, std::less<>>& numbers,
                       std::string_view key) {
  const auto found = numbers.find(key);
  return found == numbers.end() ? 0 : found->second;
}

// The letter behind a key, A behind E: what is answered wrongly.
std::string wrong_letter(const std::string& key) {
  return {static_cast<char>('A' + (key.at(0) - 'A' + 1) % 5)};
}

}  // namespace

std::int64_t draw_of(const std::string& id) {
  const Digest digest = sha256(as_bytes("draw " + id));
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value = (value << 8) | digest.bytes.at(i);
  return static_cast<std::int64_t>(value % static_cast<std::uint64_t>(million));
}

Result<PlantedEffects::Case> PlantedEffects::parse_case(const Json& json) {
  Case its;
  FIDUCIAL_TRY(its.id, required_text(json, "id"));
  FIDUCIAL_TRY(its.word, required_text(json, "word"));
  FIDUCIAL_TRY(its.key, required_text(json, "key"));
  const Json* images = json.find("images");
  const Json* marks = json.find("marks");
  if (images == nullptr || marks == nullptr || marks->as_object() == nullptr)
    return invalid_data("a case in part");
  FIDUCIAL_TRY(its.images, texts_of(*images));
  for (const auto& [field, words] : *marks->as_object()) {
    FIDUCIAL_TRY(its.marks[field], texts_of(words));
  }
  its.draw_ppm = draw_of(its.id);
  return its;
}

Result<PlantedEffects::Effects> PlantedEffects::parse_effects(const Json& json) {
  const std::optional<std::int64_t> base = number_at(json, "base");
  const std::optional<std::int64_t> share = number_at(json, "share");
  if (!base || !share) return invalid_data("no whole numbers for base and share");
  return Effects{.base = *base,
                 .share = *share,
                 .cues = numbers_at(json, "cues"),
                 .efforts = numbers_at(json, "efforts"),
                 .effort_tokens = numbers_at(json, "effort_tokens")};
}

Result<PlantedEffects> PlantedEffects::read(const Path& table) {
  FIDUCIAL_TRY(const std::string text, read_text_file(table));
  FIDUCIAL_TRY(const Json json, parse_json(text));
  PlantedEffects planted;
  FIDUCIAL_TRY(planted.scans_, PlantedScans::parse(json));
  if (!planted.scans_.empty()) return planted;
  const Json* effects = json.find("effects");
  const Json* cases = json.find("cases");
  if (effects == nullptr || cases == nullptr || cases->as_array() == nullptr)
    return invalid_data("no cases, no effects");
  FIDUCIAL_TRY(planted.effects_, parse_effects(*effects));
  for (const Json& item : *cases->as_array()) {
    FIDUCIAL_TRY(Case its, parse_case(item));
    planted.cases_.push_back(std::move(its));
  }
  return planted;
}

Result<const PlantedEffects::Case*> PlantedEffects::find_case(const Asked& asked) const {
  const Case* found = nullptr;
  for (const Case& its : cases_) {
    if (!has(asked, its.word)) continue;
    if (found != nullptr) return invalid_data("words of two cases: " + found->id + " and " + its.id);
    found = &its;
  }
  if (found == nullptr) return invalid_data("the words of no case");
  return found;
}

Outcome PlantedEffects::check_marks(const Asked& asked, const Case& its) const {
  for (const Case& other : cases_) {
    for (const auto& [field, words] : other.marks) {
      if (&other == &its && allowed_.contains(field)) continue;
      const auto seen =
          std::ranges::find_if(words, [&](const std::string& word) { return has(asked, word); });
      if (seen != words.end()) {
        return invalid_data("the request about " + its.id + " holds " + *seen + ", which marks " + field +
                            " of " + other.id);
      }
    }
  }
  return done();
}

Result<std::int64_t> PlantedEffects::images_of(const Asked& asked, const Case& its) {
  std::set<std::string_view> seen;
  for (const std::string& image : asked.images) {
    if (std::ranges::find(its.images, image) == its.images.end()) {
      return invalid_data("an image that is none of " + its.id);
    }
    if (!seen.insert(image).second) return invalid_data("an image of " + its.id + " twice");
  }
  return static_cast<std::int64_t>(seen.size());
}

std::int64_t PlantedEffects::chance_ppm(const Asked& asked, const Case& its, std::int64_t images) const {
  const auto all_words = [&](std::string_view field) {
    const auto words = its.marks.find(std::string(field));
    return words != its.marks.end() && !words->second.empty() &&
           std::ranges::all_of(words->second, [&](const std::string& word) { return has(asked, word); });
  };
  const auto total = static_cast<std::int64_t>(its.images.size());
  std::int64_t chance = effects_.base + (total == 0 ? 0 : effects_.share * images / total);
  if (all_words("caption")) chance += number_of(effects_.cues, "expert_hint");
  if (all_words("findings")) chance += number_of(effects_.cues, "expert_summary");
  if (has(asked, self_hint)) chance += number_of(effects_.cues, "self_hint");
  if (has(asked, self_summary)) chance += number_of(effects_.cues, "self_summary");
  return chance + number_of(effects_.efforts, asked.effort);
}

Json PlantedEffects::letter_reply(const Asked& asked, const std::string& letter, const std::string& word) {
  Json reply = asked.schema.is_null() ? Json(Json::Object{}) : schema_instance(asked.schema, 0);
  reply.set("answer", letter);
  if (reply.find("explanation") != nullptr || asked.schema.is_null()) {
    reply.set("explanation", "The images of " + word + " show it.");
  }
  return reply;
}

Result<Answer> PlantedEffects::answer(const Asked& asked) const {
  if (!scans_.empty()) return scans_.answer(asked);
  FIDUCIAL_TRY(const Case* its, find_case(asked));
  FIDUCIAL_TRY_DONE(check_marks(asked, *its));
  FIDUCIAL_TRY(const std::int64_t images, images_of(asked, *its));
  Answer answer{.prompt_tokens = 100 + 1000 * images,
                .completion_tokens = 50 + number_of(effects_.effort_tokens, asked.effort),
                .reasoning_tokens = number_of(effects_.effort_tokens, asked.effort)};
  if (has(asked, its->word + "optiona")) {
    const bool right = its->draw_ppm < chance_ppm(asked, *its, images);
    answer.text = letter_reply(asked, right ? its->key : wrong_letter(its->key), its->word).compact();
    return answer;
  }
  const Json* properties = asked.schema.find("properties");
  const bool is_summary = properties != nullptr ? properties->find("summary") != nullptr
                                                : has(asked, self_hint) || has(asked, "captionmark");
  const std::string mark(is_summary ? self_summary : self_hint);
  const std::string text = "An opacity, " + mark + " of " + its->word + ".";
  if (asked.schema.is_null()) {
    answer.text = text;
    return answer;
  }
  Json reply = schema_instance(asked.schema, 0);
  const Json::Object members = *reply.as_object();
  for (const auto& [name, value] : members) {
    if (value.as_string() != nullptr) reply.set(name, text);
  }
  answer.text = reply.compact();
  return answer;
}

}  // namespace fiducial::ask_test
