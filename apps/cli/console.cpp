#include "console.h"

#include <cstdio>
#include <unistd.h>

#include "fiducial/base/number_text.h"

namespace fiducial::cli {

namespace {

constexpr int bar_width = 30;
constexpr auto redraw_every = std::chrono::milliseconds(50);

void put(std::FILE* stream, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream); }

}  // namespace

Console::Console() : interactive_(::isatty(STDERR_FILENO) != 0) {}

void Console::print(std::string_view data) {
  const std::lock_guard lock(mutex_);
  wipe();
  put(stdout, data);
}

void Console::note(std::string_view message) { say("", message); }

void Console::warn(std::string_view message) { say("warning: ", message); }

void Console::say(std::string_view prefix, std::string_view message) {
  const std::lock_guard lock(mutex_);
  wipe();
  put(stderr, prefix);
  put(stderr, message);
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
  const std::string line = "\r" + what_ + " [" + std::string(filled, '#') +
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
