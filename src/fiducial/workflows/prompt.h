#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"

namespace fiducial {

// Values of the variables of a prompt: "history" for {{history}}.
using PromptValues = std::map<std::string, std::string>;

// The words around a case: a text with the sections [system] and [user], and variables as {{name}}.
class PromptWords {
 public:
  // Refuses a section or a variable that is not known, with the line. place names the text in errors.
  static Result<PromptWords> parse(std::string_view text, const std::vector<std::string>& variables,
                                   const std::string& place);

  const std::string& sha256() const { return sha256_; }
  std::string system(const PromptValues& values) const { return filled(system_, values); }  // "" where none
  std::string user(const PromptValues& values) const { return filled(user_, values); }

 private:
  static std::string filled(const std::string& words, const PromptValues& values);

  std::string sha256_;
  std::string system_;
  std::string user_;
};

// The prompts of a run, by name: our own, or those of a folder (NAME.txt) where it has them.
class PromptSet {
 public:
  // source tells where words of others come from: a folder, or "upstream=FOLDER", the checkout of a
  // publication.
  static Result<PromptSet> load(const std::vector<std::string>& names, const std::string& source);

  const PromptWords& at(const std::string& name) const { return prompts_.at(name); }
  Json json() const;  // name, hash and whose words they are, of each
  // The checkout that words come from: its commit (null where it is no checkout) and the hash of the words
  // that were taken; null where none are.
  const Json& upstream() const { return upstream_; }

 private:
  Json upstream_;
  std::map<std::string, PromptWords> prompts_;
  std::map<std::string, std::string> sources_;
};

// The text of a prompt of ours.
std::string_view embedded_prompt(std::string_view name);
std::vector<std::string> prompt_variables(std::string_view name);
// The names of all of them, in order.
std::vector<std::string> prompt_names();

}  // namespace fiducial
