#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

// What went wrong, in the terms a caller can act on. exit_status() maps each to a process exit status.
enum class ErrorCode {
  too_many_failures,  // finished, with failures beyond the allowed budget
  bad_usage,          // the caller asked for something that makes no sense
  invalid_data,       // input that breaks its format or its promises
  unfinished,         // stopped half way; the same command resumes
  integrity,          // a checksum or a recorded hash does not agree
  refused,            // a policy forbids it
  remote,             // a remote endpoint failed
  unavailable,        // weights, data or a service is not here
  internal,           // our own mistake
  io,                 // the system refused: disk full, permission denied, a read or a write that failed
  interrupted,        // stopped by a signal after a clean flush
};

// What an error is about, where its code says too little to act on: a caller corrects a name or a path. Only
// this decides which class an error has in Python and what is suggested, never the words of its message.
enum class ErrorReason {
  other,
  unknown_name,   // a name that is none of those there are: a metric, a split, a column
  path_missing,   // a path that leads nowhere
  path_not_file,  // something else where a file goes
  not_archive,    // a file where a folder or an archive goes
};

// The process exit status of an error code.
int exit_status(ErrorCode code);

// The stable name of a code, as written in JSON.
std::string_view to_string(ErrorCode code);
std::string_view to_string(ErrorReason reason);

// Where in an input something was found. Empty fields are not known.
struct Place {
  std::string path;
  std::optional<std::uint64_t> byte;
  std::optional<std::uint64_t> line;
  std::string pointer;  // place inside a document, e.g. a JSON pointer

  std::string text() const;  // "file.nii.gz, byte 40"; empty when nothing is known
};

// A failure as a value: code, reason, message, place, and what was being done, innermost first.
class Error {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}
  Error(ErrorCode code, std::string message, Place place)
      : code_(code), message_(std::move(message)), place_(std::move(place)) {}

  ErrorCode code() const { return code_; }
  ErrorReason reason() const { return reason_; }
  const std::string& message() const { return message_; }
  const Place& place() const { return place_; }
  const std::vector<std::string>& contexts() const { return contexts_; }

  // Adds what was being done when the error passed by.
  Error&& context(std::string doing) &&;
  // Says what it is about.
  Error&& because(ErrorReason reason) &&;
  // The same failure elsewhere, without what was being done.
  Error at(Place place) const;
  // Names the file unless a deeper level already did.
  Error&& in_file(std::string path) &&;

  std::string text() const;  // one line: place, message, then "while ..." contexts

 private:
  ErrorCode code_;
  ErrorReason reason_ = ErrorReason::other;
  std::string message_;
  Place place_;
  std::vector<std::string> contexts_;
};

// Whether an error says nothing about the case at hand: a wish to stop, a store that does not answer, an
// object that somebody is writing. The run ends; once that is mended, it goes on.
bool stops_a_run(const Error& error);

Error invalid_data(std::string message);
Error bad_usage(std::string message);
// A path of the input that leads nowhere; what is missing there is said in words.
Error path_missing(std::string message, std::string path);

// Ends the process: our own mistake, never reachable from input.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace fiducial

#define FIDUCIAL_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::fiducial::assertion_failed(#condition, __FILE__, __LINE__))
