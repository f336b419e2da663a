#include "fiducial/eval/run/json_reader.h"

#include "fiducial/base/result.h"

namespace fiducial {

const Json& JsonReader::member(const char* key) {
  static const Json nothing;
  const Json* found = object_.find(key);
  return found == nullptr ? nothing : *found;
}

std::string JsonReader::text(const char* key) {
  const std::string* found = member(key).as_string();
  if (found == nullptr) refuse(key);
  return found == nullptr ? "" : *found;
}

std::int64_t JsonReader::integer(const char* key) {
  const std::int64_t* found = member(key).as_integer();
  if (found == nullptr) refuse(key);
  return found == nullptr ? 0 : *found;
}

double JsonReader::number(const char* key) {
  const auto found = member(key).as_number();
  if (!found) refuse(key);
  return found.value_or(0);
}

bool JsonReader::flag(const char* key) {
  const bool* found = member(key).as_bool();
  if (found == nullptr) refuse(key);
  return found != nullptr && *found;
}

const Json::Array& JsonReader::array(const char* key) {
  static const Json::Array nothing;
  const Json::Array* found = member(key).as_array();
  if (found == nullptr) refuse(key);
  return found == nullptr ? nothing : *found;
}

std::optional<Digest> JsonReader::optional_digest(const char* key) {
  if (member(key).is_null()) return std::nullopt;
  const auto out = parse_digest(text(key));
  if (!out) refuse(key);
  return out;
}

Digest JsonReader::digest(const char* key) {
  const auto out = optional_digest(key);
  if (!out) refuse(key);
  return out.value_or(Digest{});
}

void JsonReader::refuse(const char* key) {
  if (problem_.empty()) problem_ = key;
}

Outcome JsonReader::outcome(const char* what) const {
  if (problem_.empty()) return done();
  return invalid_data(std::string(what) + ": \"" + problem_ + "\" is missing or has the wrong type");
}

}  // namespace fiducial
