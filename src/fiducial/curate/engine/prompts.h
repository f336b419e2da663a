#pragma once

#include <string>
#include <string_view>

#include "fiducial/chat/reply_schema.h"
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

std::vector<std::string> key_names(const Json& object);

// Holds a reply against a schema (chat/reply_schema.h): "ok", or rejected with what is wrong first.
ItemStatus check_reply_form(const Json& reply, const Json& schema);

}  // namespace fiducial
