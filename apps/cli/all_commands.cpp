#include "command.h"

namespace fiducial::cli {

#define FIDUCIAL_HEADING(text)
#define FIDUCIAL_COMMAND(name) Command name##_command();
#include "all_commands.def"
#undef FIDUCIAL_COMMAND
#undef FIDUCIAL_HEADING

std::vector<Command> all_commands() {
  std::vector<Command> out;
  std::string heading;
#define FIDUCIAL_HEADING(text) heading = (text);
#define FIDUCIAL_COMMAND(name)     \
  out.push_back(name##_command()); \
  out.back().heading = heading;
#include "all_commands.def"
#undef FIDUCIAL_COMMAND
#undef FIDUCIAL_HEADING
  return out;
}

}  // namespace fiducial::cli
