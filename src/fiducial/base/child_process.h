#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/open_file.h"

namespace fiducial {

// What a child that reads hostile input may use. It can write no file, leaves no core and gains no
// privileges.
struct ChildLimits {
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  int cpu_s = 900;
};

// A command to run and what it may use.
struct ChildCommand {
  std::vector<std::string> words;  // the program, found by PATH, and its arguments
  Path folder;                     // where it runs; empty: here
  int timeout_s = 600;             // of run_child
  std::string input;               // what it finds on its standard input
  // Its standard output is an answer to be kept apart; else that goes to the tail like its words.
  bool keeps_output = false;
  std::uint64_t max_output_bytes = std::uint64_t{1} << 30;  // of run_child
  bool drops_words = false;                                 // its standard error is nobody's
  std::optional<ChildLimits> limits;
};

// A child process and the two streams it talks on. It has no open files but these, dies with this process,
// and is killed with all its own children at the end of its life. A wish to stop (base/interruption.h) ends
// it, too. One thread at a time.
class ChildProcess {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // An error means that it could not be started; a program that is missing ends with cannot_start.
  static constexpr int cannot_start = 127;
  static Result<ChildProcess> start(const ChildCommand& command);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  // What came next: bytes of a stream, the end of all of them, or nothing until the time was over.
  struct Heard {
    enum class What { words, answer, end, nothing };
    What what = What::end;
    std::size_t bytes = 0;
  };
  // Waits for bytes and puts them into the buffer.
  Result<Heard> listen(std::span<std::byte> buffer, Time until);

  // Waits until it ended by itself; false where the time was over.
  Result<bool> wait(Time until) const;

  // How it ended, once nothing of it runs any longer: what still does is killed.
  struct Ended {
    int status = 0;  // its exit status; 128 + signal where one ended it
    int signal = 0;
  };
  Ended end();

 private:
  ChildProcess(pid_t child, OpenFile words, OpenFile answer)
      : child_(child), words_(std::move(words)), answer_(std::move(answer)) {}

  pid_t child_;
  OpenFile words_;
  OpenFile answer_;
};

// How a command ended.
struct ChildEnd {
  int status = 0;                // exit status; 128 + signal where one ended it
  bool timed_out = false;        // killed, with all its own children, when its time was over
  bool too_much_output = false;  // killed in the same way for what it wrote
  std::string tail;              // the last of what it printed to both streams, or to standard error
  std::string output;            // what it answered, where that is kept
};

// Runs a command to its end. An error means that it could not be started, or that a stop was asked for.
Result<ChildEnd> run_child(const ChildCommand& command);

}  // namespace fiducial
