#pragma once

#include <string>
#include <vector>

#include "verb.h"

namespace fiducial::cli {

// What is wrong with a command line that was refused: the first word that no verb, stage or option is called,
// with what was probably meant, else what the parser says.
std::string usage_error(Verb root, const std::vector<std::string>& words, const std::string& parser_says);

// A verb, and how many words it took to name it.
struct TypedVerb {
  Verb verb;
  std::size_t words = 0;
};

// The verb that the words lead to, as far as they do.
TypedVerb typed_verb(Verb root, const std::vector<std::string>& words);

}  // namespace fiducial::cli
