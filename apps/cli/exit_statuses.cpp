#include "exit_statuses.h"

#include "fiducial/base/error.h"
#include "fiducial/base/number_text.h"

namespace fiducial::cli {

namespace {

struct Meaning {
  ErrorCode code;
  const char* words;
};

constexpr Meaning meanings[] = {
    {ErrorCode::too_many_failures, "finished, with more failures than allowed"},
    {ErrorCode::bad_usage, "bad usage"},
    {ErrorCode::invalid_data, "invalid input data"},
    {ErrorCode::unfinished, "unfinished; the same command resumes"},
    {ErrorCode::integrity, "integrity failure"},
    {ErrorCode::refused, "refused by policy"},
    {ErrorCode::remote, "remote endpoint failed"},
    {ErrorCode::unavailable, "not available here"},
    {ErrorCode::internal, "internal error"},
    {ErrorCode::io, "the system refused: disk full, permission denied, a failed read or write"},
    {ErrorCode::interrupted, "stopped by a signal after a clean flush"},
};

}  // namespace

std::string exit_status_table() {
  std::string out = "Exit status:\n   0  done";
  for (const Meaning& each : meanings) {
    const std::string number = decimal(exit_status(each.code));
    out += "\n" + std::string(number.size() < 4 ? 4 - number.size() : 1, ' ') + number + "  " + each.words;
  }
  return out;
}

}  // namespace fiducial::cli
