#include <memory>
#include <string>

#include "fiducial/base/plain_text.h"

#include "command.h"

namespace fiducial::cli {

namespace {

std::string option_words(Verb verb) {
  std::string words;
  for (const std::string& name : verb.long_options()) words += (words.empty() ? "--" : " --") + name;
  return words;
}

// bash and zsh (through bashcompinit) both understand this: a case per verb, file names everywhere else.
std::string completion_script(Verb app) {
  std::string verbs;
  std::string cases;
  for (Verb verb : app.subcommands()) {
    append_joined(verbs, verb.name(), " ");
    cases += "    " + verb.name() + ") words='" + option_words(verb) + "' ;;\n";
  }
  return "_fiducial() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" words=''\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W '" +
         verbs +
         "' -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  case \"${COMP_WORDS[1]}\" in\n" +
         cases +
         "  esac\n"
         "  case \"$current\" in\n"
         "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -F _fiducial fiducial\n";
}

}  // namespace

Command completion_command() {
  return {.name = "completion",
          .summary = "Print the completion script for a shell",
          .example = "source <(fiducial completion bash)",
          .define = [](Verb verb) -> CommandBody {
            auto shell = std::make_shared<std::string>("bash");
            verb.add_option("SHELL", *shell, "bash or zsh")->one_of({"bash", "zsh"});
            return [shell, verb](Console& console) -> Result<int> {
              if (*shell == "zsh") console.print("autoload -U +X bashcompinit && bashcompinit\n");
              console.print(completion_script(verb.parent()));
              return 0;
            };
          }};
}

}  // namespace fiducial::cli
