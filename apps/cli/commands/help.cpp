#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "usage_error.h"

namespace fiducial::cli {

Command help_command() {
  return {
      .name = "help",
      .summary = "Show the verbs, or the options of one",
      .example = "fiducial help score",
      .define = [](Verb verb) -> CommandBody {
        auto words = std::make_shared<std::vector<std::string>>();
        verb.add_option("VERB", *words, "Verb to explain, and its stage where it has stages");
        return [words, verb](Console& console) -> Result<int> {
          const TypedVerb found = typed_verb(verb.root(), *words);
          if (found.words < words->size())
            return bad_usage(usage_error(verb.root(), *words, "no verb \"" + (*words)[found.words] + "\""));
          console.print(found.verb.help_text());
          return 0;
        };
      },
      .shows_others = true};
}

}  // namespace fiducial::cli
