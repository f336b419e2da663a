#pragma once

#include <string>
#include <string_view>

#include "fiducial/curate/engine/stage_call.h"

namespace fiducial {

// The words of a prompt of data/prompts.txt, by its name without the version; and name with version.
struct Prompt {
  std::string id;
  std::string words;
};
const Prompt& prompt_named(std::string_view name);

// A request in the words of a prompt.
ModelRequest request_in_words_of(std::string_view prompt, const Json& user, Json schema);

// Builders of the JSON Schemas that replies are held against.
Json text_schema();
Json enum_schema(const std::vector<std::string>& values);
Json list_schema(Json items);
// Every key must be there, and no other may.
Json exact_object_schema(const std::vector<std::pair<std::string, Json>>& members);

// The same, where all members have one form; the keys, not the form, are written once each.
Json keyed_schema(const std::vector<std::string>& keys, Json member);
std::vector<std::string> key_names(const Json& object);

// Holds a reply against a schema: type, enum, required, properties, propertyNames, additionalProperties,
// items and prefixItems. The first thing wrong, or "ok": bad_form, missing_key, extra_key, unknown_code for a
// text that is none of an enum, wrong_flag where the enum is Y and N or 0 and 1.
ItemStatus check_reply_form(const Json& reply, const Json& schema);

}  // namespace fiducial
