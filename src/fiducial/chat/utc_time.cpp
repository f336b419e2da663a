#include "fiducial/chat/utc_time.h"

#include <array>
#include <chrono>
#include <ctime>

#include "fiducial/base/number_text.h"

namespace fiducial {

std::string utc_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::time_t seconds = milliseconds / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  const std::string fraction = decimal(1000 + milliseconds % 1000);
  return std::string(text.data(), length) + "." + fraction.substr(1) + "Z";
}

std::int64_t unix_seconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

}  // namespace fiducial
