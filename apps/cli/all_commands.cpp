#include "command.h"

namespace fiducial::cli {

#define FIDUCIAL_COMMAND(name) Command name##_command();
#include "all_commands.def"
#undef FIDUCIAL_COMMAND

std::vector<Command> all_commands() {
  return {
#define FIDUCIAL_COMMAND(name) name##_command(),
#include "all_commands.def"
#undef FIDUCIAL_COMMAND
  };
}

}  // namespace fiducial::cli
