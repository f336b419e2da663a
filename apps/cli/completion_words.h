#pragma once

#include <string>
#include <vector>

#include "verb.h"

namespace fiducial::cli {

// A word that completes a command line, and what it means.
struct CompletionWord {
  std::string word;
  std::string meaning;
};

// What the last word of a command line may become: a verb or stage, an option, or a value of the option
// before it. None where a file name goes; the shell knows those.
std::vector<CompletionWord> completion_words(Verb root, const std::vector<std::string>& typed);

}  // namespace fiducial::cli
