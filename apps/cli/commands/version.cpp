#include "fiducial/base/version.h"

#include "command.h"

namespace fiducial::cli {

Command version_command() {
  return {.name = "version",
          .summary = "Print the version; 'fiducial info' says more",
          .example = "fiducial version",
          .define = [](Verb) -> CommandBody {
            return [](Console& console) -> Result<int> {
              console.print(std::string("fiducial ") + tool_version + "\n");
              return 0;
            };
          }};
}

}  // namespace fiducial::cli
