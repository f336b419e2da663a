#include "fiducial/chat/parameter_profile.h"

#include <algorithm>

#include "fiducial/base/file.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/suggestion.h"

namespace fiducial {

std::string_view embedded_profiles();  // data/profiles.json

namespace {

const std::vector<std::string>& parameter_names() {
  static const std::vector<std::string> names{"temperature", "top_p",  "max_tokens",
                                              "seed",        "effort", "logprobs"};
  return names;
}

Outcome check_parameter(const std::string& name, const Json& value) {
  const auto& known = parameter_names();
  const std::string pointer = "/parameters/" + name;
  if (std::find(known.begin(), known.end(), name) == known.end())
    return at_pointer(pointer, unknown_name("parameter", name, known));
  const bool is_right = name == "effort"                           ? value.as_string() != nullptr
                        : name == "temperature" || name == "top_p" ? value.as_number().has_value()
                                                                   : value.as_integer() != nullptr;
  if (!is_right)
    return at_pointer(pointer, "expected " + std::string(name == "effort" ? "a text" : "a number"));
  return done();
}

Result<ParameterProfile> parse_profile(const std::string& name, const Json& document) {
  FIDUCIAL_TRY_DONE(expect_object(document, ""));
  ParameterProfile out{.name = name, .about = text_at(document, "about")};
  for (const auto& [member, value] : *document.as_object()) {
    if (member == "about") continue;
    if (member != "parameters" && member != "extra")
      return at_pointer("/" + member, unknown_name("member", member, {"about", "parameters", "extra"}));
    FIDUCIAL_TRY_DONE(expect_object(value, "/" + member));
    if (member == "extra") {
      out.parameters.set("extra", value);
      continue;
    }
    for (const auto& [parameter, given] : *value.as_object()) {
      FIDUCIAL_TRY_DONE(check_parameter(parameter, given));
      out.parameters.set(parameter, given);
    }
  }
  if (out.parameters.as_object()->empty()) return invalid_data("expected \"parameters\" or \"extra\"");
  out.sha256 = fiducial::sha256(as_bytes(out.parameters.compact())).hex();
  return out;
}

std::vector<ParameterProfile> parse_ours() {
  const Result<Json> document = parse_json(embedded_profiles());
  FIDUCIAL_ASSERT(document.ok());
  std::vector<ParameterProfile> out;
  for (const auto& [name, profile] : *document->as_object()) {
    Result<ParameterProfile> parsed = parse_profile(name, profile);
    FIDUCIAL_ASSERT(parsed.ok());
    out.push_back(*std::move(parsed));
  }
  return out;
}

}  // namespace

Json ParameterProfile::json() const { return Json::object({{"name", name}, {"sha256", sha256}}); }

const std::vector<ParameterProfile>& all_profiles() {
  static const std::vector<ParameterProfile> profiles = parse_ours();
  return profiles;
}

Result<ParameterProfile> read_profile(const std::string& name_or_file) {
  if (name_or_file.ends_with(".json")) {
    const Path file(name_or_file);
    FIDUCIAL_TRY(const std::string text, read_text_file(file, 1 << 20));
    FIDUCIAL_TRY(const Json document, parse_json(text).in_file(file.string()));
    return parse_profile(file.filename().string(), document).in_file(file.string());
  }
  const auto& all = all_profiles();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name_or_file; });
  if (found != all.end()) return *found;
  std::vector<std::string> known;
  known.reserve(all.size());
  for (const ParameterProfile& each : all) known.push_back(each.name);
  return no_such_name("profile", name_or_file, known, "--profile: ");
}

Json with_profile(const ParameterProfile& profile, const Json& given) {
  Json out = profile.parameters;
  for (const auto& [name, value] : *given.as_object()) {
    const Json* extra = name == "extra" ? out.find("extra") : nullptr;
    if (extra == nullptr) {
      out.set(name, value);
      continue;
    }
    Json both = *extra;
    for (const auto& [member, each] : *value.as_object()) both.set(member, each);
    out.set("extra", std::move(both));
  }
  return out;
}

}  // namespace fiducial
