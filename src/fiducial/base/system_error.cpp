#include "fiducial/base/system_error.h"

#include <cerrno>
#include <string>

namespace fiducial {

namespace {

bool is_wrong_path(int number) {
  for (const int wrong : {ENOENT, ENOTDIR, EISDIR, EEXIST, ENOTEMPTY, ELOOP, ENAMETOOLONG}) {
    if (number == wrong) return true;
  }
  return false;
}

}  // namespace

Error system_error(std::string_view doing, int number, const Path& path) {
  return system_error(doing, std::error_code(number, std::generic_category()), path);
}

Error system_error(std::string_view doing, const std::error_code& failure, const Path& path) {
  Error out(is_wrong_path(failure.value()) ? ErrorCode::invalid_data : ErrorCode::io,
            "cannot " + std::string(doing) + ": " + failure.message(), Place{.path = path.string()});
  if (failure.value() != ENOENT) return out;
  return std::move(out).because(ErrorReason::path_missing);
}

Outcome make_folders(const Path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return system_error("create the folder", failure, folder);
  return done();
}

Outcome rename_path(const Path& from, const Path& to) {
  std::error_code failure;
  std::filesystem::rename(from, to, failure);
  if (failure) return system_error("publish", failure, to);
  return done();
}

}  // namespace fiducial
