#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "fiducial/base/json.h"
#include "fiducial/base/open_file.h"

namespace fiducial::ask_test {

// A line of JSON for every request, in the order of arrival, written before it is answered; and the bodies,
// once each, under their SHA-256. Safe from any thread.
class CallLog {
 public:
  static Result<CallLog> open(const Path& file, const std::optional<Path>& bodies);
  CallLog(CallLog&& other) noexcept : file_(std::move(other.file_)), bodies_(std::move(other.bodies_)) {}

  Outcome add(const Json& line);
  Outcome keep_body(const std::string& hash, std::string_view body) const;

 private:
  CallLog(OpenFile file, std::optional<Path> bodies) : file_(std::move(file)), bodies_(std::move(bodies)) {}

  std::mutex mutex_;
  OpenFile file_;
  std::optional<Path> bodies_;
};

}  // namespace fiducial::ask_test
