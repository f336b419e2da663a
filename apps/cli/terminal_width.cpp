#include "terminal_width.h"

#include <algorithm>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fiducial/base/number_text.h"

namespace fiducial::cli {

namespace {

constexpr std::int64_t least_width = 40;
constexpr std::int64_t most_width = 10'000;

}  // namespace

std::size_t terminal_width() {
  std::int64_t width = 0;
  if (const char* columns = std::getenv("COLUMNS")) width = parse_integer(columns).value_or(0);
  winsize size{};
  if (width <= 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width <= 0 ? 0 : static_cast<std::size_t>(std::clamp(width, least_width, most_width));
}

}  // namespace fiducial::cli
