#include "fiducial/server/file_key.h"

#include <system_error>

#include "fiducial/base/number_text.h"

namespace fiducial {

std::string file_key(const Path& path) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(path, error);
  const auto size = std::filesystem::is_directory(path, error) ? 0 : std::filesystem::file_size(path, error);
  return path.string() + "|" + decimal(size) + "|" + decimal(time.time_since_epoch().count());
}

}  // namespace fiducial
