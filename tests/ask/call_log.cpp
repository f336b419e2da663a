#include "call_log.h"

namespace fiducial::ask_test {

Result<CallLog> CallLog::open(const Path& file, const std::optional<Path>& bodies) {
  std::error_code failed;
  if (bodies) std::filesystem::create_directories(*bodies, failed);
  FIDUCIAL_TRY(OpenFile opened, OpenFile::create(file));
  return CallLog(std::move(opened), bodies);
}

Outcome CallLog::add(const Json& line) {
  const std::lock_guard lock(mutex_);
  return file_.write(as_bytes(line.compact() + "\n"));
}

Outcome CallLog::keep_body(const std::string& hash, std::string_view body) const {
  if (!bodies_) return done();
  const Path path = *bodies_ / (hash + ".json");
  if (is_file(path)) return done();
  return write_file(path, body);
}

}  // namespace fiducial::ask_test
