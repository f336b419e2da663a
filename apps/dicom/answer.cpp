#include "answer.h"

#include <cerrno>
#include <cstdlib>
#include <unistd.h>

namespace fiducial::dicom_reader {

void answer(ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) std::_Exit(1);
    bytes = bytes.subspan(static_cast<std::size_t>(wrote));
  }
}

void answer(const Json& line) { answer(as_bytes(line.compact() + "\n")); }

void answer_skipped(std::size_t file, const std::string& reason) {
  answer(Json::object({{"file", file}, {"skipped", reason}}));
}

void answer_error(std::size_t file, const std::string& message) {
  answer(Json::object({{"file", file}, {"error", message}}));
}

}  // namespace fiducial::dicom_reader
