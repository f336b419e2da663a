#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "completion_words.h"

namespace fiducial::cli {

namespace {

// Every script asks the command itself, which knows its verbs, options and their values, and leaves file
// names to the shell.
constexpr const char* bash_script = R"shell(_fiducial() {
  local IFS=$'\n' current="${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
  # With "=" among the characters that part words, only what stands behind it is replaced.
  if [[ $current == "=" ]]; then COMPREPLY=("${COMPREPLY[@]#*=}"); fi
}
complete -o default -F _fiducial fiducial
)shell";

constexpr const char* zsh_script = R"shell(#compdef fiducial
_fiducial() {
  local -a lines words_with_meanings
  lines=("${(@f)$("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  local line
  for line in $lines; do
    [[ -n $line ]] && words_with_meanings+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  if (( $#words_with_meanings )); then _describe fiducial words_with_meanings; else _files; fi
}
compdef _fiducial fiducial
)shell";

constexpr const char* fish_script = R"shell(function __fiducial_words
  set -l typed (commandline -opc) (commandline -ct)
  $typed[1] completion words -- $typed[2..-1] 2>/dev/null
end
complete -c fiducial -f -n 'test -n "$(__fiducial_words)"' -a '(__fiducial_words)'
complete -c fiducial -F -n 'test -z "$(__fiducial_words)"'
)shell";

// The first line of a text, which a shell shows beside a word.
std::string first_line(const std::string& text) { return text.substr(0, text.find_first_of("\n\t")); }

std::string words_text(Verb root, const std::vector<std::string>& typed) {
  std::string out;
  for (const CompletionWord& each : completion_words(root, typed))
    out += each.word + "\t" + first_line(each.meaning) + "\n";
  return out;
}

struct CompletionOptions {
  std::string shell = "bash";
  std::vector<std::string> typed;
};

Result<int> completion(const CompletionOptions& options, Verb root, Console& console) {
  if (options.shell == "words") {
    console.print(words_text(root, options.typed));
  } else if (options.shell == "zsh") {
    console.print(zsh_script);
  } else {
    console.print(options.shell == "fish" ? fish_script : bash_script);
  }
  return 0;
}

}  // namespace

Command completion_command() {
  return {.name = "completion",
          .summary = "Print the completion script of a shell: bash, zsh or fish",
          .example = "source <(fiducial completion bash)",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<CompletionOptions>();
            verb.add_option("SHELL", options->shell,
                            "bash, zsh or fish; words: what completes WORD, for scripts")
                ->one_of({"bash", "zsh", "fish", "words"});
            verb.add_option("WORD", options->typed, "Words typed so far, behind --");
            return [options, verb](Console& console) { return completion(*options, verb.root(), console); };
          },
          .shows_others = true};
}

}  // namespace fiducial::cli
