#include "usage_error.h"

#include <optional>

#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"

namespace fiducial::cli {

namespace {

std::string unknown_verb(Verb above, const std::string& word) {
  std::vector<std::string> known;
  for (const Verb& each : above.subcommands()) known.push_back(each.name());
  const std::string advice = did_you_mean(word, known);
  return above.full_name() + " has no verb \"" + word + "\"" +
         (advice.empty() ? "; there is " + joined(known) : advice);
}

std::optional<std::string> unknown_option(Verb verb, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> known;
  for (const OptionFacts& option : verb.options()) {
    for (const std::string& each : option.names) {
      if (each == name) return std::nullopt;
      if (each.starts_with("--")) known.push_back(each.substr(2));
    }
  }
  const std::optional<std::string> near = nearest_name(name.substr(2), known);
  return verb.full_name() + " has no option " + name + (near ? "; did you mean --" + *near + "?" : "");
}

// "check DIR PREDICTIONS": `score` takes them so, other verbs by an option.
std::string place_of_predictions(Verb verb, const std::string& parser_says) {
  if (parser_says.find("not expected") == std::string::npos) return "";
  for (const OptionFacts& option : verb.options()) {
    for (const std::string& name : option.names) {
      if (name == "--predictions") return "; predictions go behind --predictions";
    }
  }
  return "";
}

}  // namespace

TypedVerb typed_verb(Verb root, const std::vector<std::string>& words) {
  TypedVerb out{.verb = root};
  while (out.words < words.size()) {
    const std::optional<Verb> below = out.verb.subcommand(words[out.words]);
    if (!below) break;
    out.verb = *below;
    ++out.words;
  }
  return out;
}

std::string usage_error(Verb root, const std::vector<std::string>& words, const std::string& parser_says) {
  const TypedVerb found = typed_verb(root, words);
  const bool has_more = found.words < words.size();
  if (has_more && !found.verb.subcommands().empty() && !words[found.words].starts_with('-'))
    return unknown_verb(found.verb, words[found.words]);
  for (std::size_t i = found.words; i < words.size() && words[i] != "--"; ++i) {
    if (!words[i].starts_with("--")) continue;
    const std::optional<std::string> unknown = unknown_option(found.verb, words[i]);
    if (unknown) return *unknown;
  }
  return found.verb.full_name() + ": " + parser_says + place_of_predictions(found.verb, parser_says);
}

}  // namespace fiducial::cli
