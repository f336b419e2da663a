#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/child_process.h"
#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// What the process that reads DICOM may use.
struct ReaderLimits {
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  int cpu_s = 900;
  int wall_s = 3600;
  int silent_s = 120;  // without a byte of answer
};

// A program that reads hostile files and answers on its standard output, while this process stays safe.
//
// It has limits on memory, processor time and time altogether, and what ChildLimits says. One thread at a
// time.
class ReaderProcess final : public ByteStream {
 public:
  // question is what it finds on its standard input.
  static Result<std::unique_ptr<ReaderProcess>> start(const Path& program, const std::string& mode,
                                                      const std::string& question,
                                                      const ReaderLimits& limits);

  // The next bytes of the answer; it ends early when the process ended or its time was over. An error only
  // where a stop was asked for.
  Result<std::size_t> read(std::span<std::byte> out) override;

  // Waits for the end of the process. Nothing where it ended as it should, else what happened, in words that
  // follow "the DICOM reader ".
  Result<std::optional<std::string>> failure();

 private:
  ReaderProcess(ChildProcess child, const ReaderLimits& limits);
  std::optional<std::string> told(const ChildProcess::Ended& ended) const;

  std::optional<ChildProcess> child_;  // until its end was waited for
  ReaderLimits limits_;
  ChildProcess::Time deadline_;
  std::string over_time_;
};

// The reader beside the running program, fiducial-dicom.
Path installed_reader();

}  // namespace fiducial
