#include "fiducial/base/staged_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace fiducial {

namespace {

Error staged_file_error(const Path& path, const char* doing) {
  return {ErrorCode::invalid_data, std::string("cannot ") + doing + ": " + std::strerror(errno),
          Place{.path = path.string()}};
}

}  // namespace

Outcome write_staged_file(const Path& path, std::string_view text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return staged_file_error(path, "create");
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      Error error = staged_file_error(path, "write");
      ::close(descriptor);
      return error;
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return ::close(descriptor) == 0 ? done() : staged_file_error(path, "close");
}

Outcome flush_folder(const Path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return staged_file_error(folder, "open");
  const bool flushed = ::syncfs(descriptor) == 0;
  Outcome outcome = flushed ? done() : Outcome(staged_file_error(folder, "flush"));
  ::close(descriptor);
  return outcome;
}

}  // namespace fiducial
