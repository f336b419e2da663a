#include "command.h"

namespace fiducial::cli {

Command greet_command() {
  return {.name = "greet",
          .summary = "Say hello",
          .example = "fiducial greet",
          .define = [](Verb) -> CommandBody {
            return [](Console& console) -> Result<int> {
              console.print("hello\n");
              return 0;
            };
          }};
}

}  // namespace fiducial::cli
