#pragma once

#include <string>
#include <vector>

#include "fiducial/base/json.h"

namespace fiducial {

// Parameters that belong together, as a backend or a publication sets them: one of ours (data/profiles.json)
// or a file {"about": TEXT, "parameters": {...}, "extra": {...}}.
struct ParameterProfile {
  std::string name;  // of ours, or the file's name
  std::string about;
  Json parameters = Json::Object{};  // as ChatRequest has them, "extra" among them
  std::string sha256;                // of the parameters as compact JSON

  Json json() const;  // name and hash, for plans
};

// A profile by its name, or by its file where the text ends in .json. Refuses an unknown name, member or
// parameter.
Result<ParameterProfile> read_profile(const std::string& name_or_file);
const std::vector<ParameterProfile>& all_profiles();

// The parameters of a profile, those given one by one instead of its own.
Json with_profile(const ParameterProfile& profile, const Json& given);

}  // namespace fiducial
