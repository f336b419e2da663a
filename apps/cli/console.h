#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "fiducial/base/json.h"
#include "fiducial/base/log.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"

namespace fiducial::cli {

// The terminal: data go to standard output, words to standard error.
//
// Control characters in either are written out (base/printable.h): names and titles come from strangers. A
// word is one line of bounded length, but for what it quotes of another program (base/quoted_lines.h). What
// standard output does not take is an error that finish() tells. A progress bar is drawn only where standard
// error is a terminal, and is wiped before any other line.
class Console final : public Log, public Progress {
 public:
  Console();

  void print(std::string_view data);  // to standard output, as it is
  void show(std::string_view text);   // likewise, for a person: in lines as wide as the terminal
  // Characters in a line of standard output; 0 where it is no terminal and nothing says so.
  std::size_t width() const { return width_; }
  void note(std::string_view message) override;
  void warn(std::string_view message) override;
  // An error, for programs: a line of JSON on standard error, whole.
  void tell(const Json& error);

  void begin(std::string_view what, std::int64_t total) override;
  void advance(std::int64_t steps) override;
  void end() override;

  // Whether standard output took all that was printed. Asked once, last.
  Outcome finish();

 private:
  void say(std::string_view prefix, std::string_view message);
  void draw();
  void wipe();

  bool interactive_;
  std::size_t width_;
  int refused_ = 0;  // the number of the first error of standard output
  std::mutex mutex_;
  std::string what_;
  std::int64_t total_ = 0;
  std::int64_t current_ = 0;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_drawn_;
};

}  // namespace fiducial::cli
