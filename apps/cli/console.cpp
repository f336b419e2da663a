#include "console.h"

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <unistd.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/printable.h"
#include "fiducial/base/quoted_lines.h"
#include "fiducial/terminal/folded_text.h"

#include "terminal_width.h"

namespace fiducial::cli {

namespace {

constexpr int bar_width = 30;
constexpr auto redraw_every = std::chrono::milliseconds(50);

constexpr std::size_t longest_word = 2000;  // bytes of a message

bool put(std::FILE* stream, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size();
}

// Messages quote what they are about, which may be megabytes.
std::string shortened(std::string text) {
  if (text.size() <= longest_word) return text;
  std::size_t end = longest_word;
  while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "... (" + decimal(text.size()) + " bytes in all)";
}

}  // namespace

Console::Console() : interactive_(::isatty(STDERR_FILENO) != 0), width_(terminal_width()) {}

void Console::print(std::string_view data) {
  const std::lock_guard lock(mutex_);
  wipe();
  if (!put(stdout, printable_lines(data)) && refused_ == 0) refused_ = errno;
}

void Console::show(std::string_view text) { print(folded_text(text, width_)); }

Outcome Console::finish() {
  const std::lock_guard lock(mutex_);
  errno = 0;
  const bool is_refused = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (is_refused && refused_ == 0) refused_ = errno != 0 ? errno : EIO;
  if (refused_ == 0) return done();
  return Error(ErrorCode::io,
               "cannot write to standard output: " + std::generic_category().message(refused_));
}

void Console::note(std::string_view message) { say("", message); }

void Console::warn(std::string_view message) { say("warning: ", message); }

void Console::tell(const Json& error) {
  const std::lock_guard lock(mutex_);
  wipe();
  put(stderr, printable_lines(error.compact()));
  put(stderr, "\n");
}

void Console::say(std::string_view prefix, std::string_view message) {
  const std::lock_guard lock(mutex_);
  wipe();
  put(stderr, prefix);
  put(stderr, shortened(printable_message(message)));
  put(stderr, "\n");
}

void Console::begin(std::string_view what, std::int64_t total) {
  const std::lock_guard lock(mutex_);
  what_ = what;
  total_ = total;
  current_ = 0;
  draw();
}

void Console::advance(std::int64_t steps) {
  const std::lock_guard lock(mutex_);
  current_ += steps;
  if (std::chrono::steady_clock::now() - last_drawn_ >= redraw_every) draw();
}

void Console::end() {
  const std::lock_guard lock(mutex_);
  wipe();
  total_ = 0;
}

void Console::draw() {
  if (!interactive_ || total_ <= 0) return;
  const auto filled = static_cast<std::size_t>(bar_width * current_ / total_);
  const std::string line = "\r" + printable(what_) + " [" + std::string(filled, '#') +
                           std::string(bar_width - filled, '.') + "] " + decimal(current_) + "/" +
                           decimal(total_);
  put(stderr, line);
  std::fflush(stderr);
  drawn_ = true;
  last_drawn_ = std::chrono::steady_clock::now();
}

void Console::wipe() {
  if (!drawn_) return;
  put(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace fiducial::cli
