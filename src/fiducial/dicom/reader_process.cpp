#include "fiducial/dicom/reader_process.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <system_error>
#include <unistd.h>

#include "fiducial/base/number_text.h"

namespace fiducial {

ReaderProcess::ReaderProcess(ChildProcess child, const ReaderLimits& limits)
    : child_(std::move(child)),
      limits_(limits),
      deadline_(std::chrono::steady_clock::now() + std::chrono::seconds(limits.wall_s)) {}

Result<std::unique_ptr<ReaderProcess>> ReaderProcess::start(const Path& program, const std::string& mode,
                                                            const std::string& question,
                                                            const ReaderLimits& limits) {
  if (::access(program.c_str(), X_OK) != 0) {
    return Error(
        ErrorCode::unavailable,
        "DICOM is read by the program " + program.filename().string() +
            " beside the command, which is not there; it is built where GDCM (libgdcm-dev) is installed");
  }
  FIDUCIAL_TRY(ChildProcess child,
               ChildProcess::start(
                   {.words = {program.string(), mode},
                    .input = question,
                    .keeps_output = true,
                    .drops_words = true,
                    .limits = ChildLimits{.memory_bytes = limits.memory_bytes, .cpu_s = limits.cpu_s}}));
  return std::unique_ptr<ReaderProcess>(new ReaderProcess(std::move(child), limits));
}

Result<std::size_t> ReaderProcess::read(std::span<std::byte> out) {
  std::size_t filled = 0;
  while (filled < out.size() && child_ && over_time_.empty()) {
    const auto silence = std::chrono::steady_clock::now() + std::chrono::seconds(limits_.silent_s);
    FIDUCIAL_TRY(const ChildProcess::Heard heard,
                 child_->listen(out.subspan(filled), std::min(silence, deadline_)));
    if (heard.what == ChildProcess::Heard::What::end) break;
    if (heard.what == ChildProcess::Heard::What::nothing) {
      over_time_ = silence < deadline_ ? "did not answer for " + decimal(limits_.silent_s) + " s"
                                       : "took longer than " + decimal(limits_.wall_s) + " s";
    }
    filled += heard.bytes;
  }
  return filled;
}

Result<std::optional<std::string>> ReaderProcess::failure() {
  if (!child_) return std::optional<std::string>();
  // Nobody listens any longer to a reader that goes on talking.
  std::array<std::byte, 1> more{};
  FIDUCIAL_TRY(const std::size_t rest, read(more));
  if (rest == 0 && over_time_.empty()) FIDUCIAL_TRY_DONE(child_->wait(deadline_));
  const ChildProcess::Ended ended = child_->end();
  child_.reset();
  if (rest > 0) return std::optional<std::string>();
  if (!over_time_.empty()) return std::optional(over_time_);
  return told(ended);
}

// What an end other than that of success is called.
std::optional<std::string> ReaderProcess::told(const ChildProcess::Ended& ended) const {
  if (ended.signal == 0) {
    if (ended.status == 0) return std::nullopt;
    return ended.status == ChildProcess::cannot_start ? "could not be started"
                                                      : "ended with status " + decimal(ended.status);
  }
  if (ended.signal == SIGXCPU || ended.signal == SIGKILL) {
    return "was stopped after " + decimal(limits_.cpu_s) + " s of processor time or by the system";
  }
  const char* name = ::sigdescr_np(ended.signal);
  return "crashed (" + std::string(name == nullptr ? "signal" : name) + ")";
}

Path installed_reader() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "fiducial-dicom";
}

}  // namespace fiducial
