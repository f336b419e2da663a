#include "ask_line.h"

#include <cstdio>
#include <string>
#include <unistd.h>

#include "fiducial/base/number_text.h"

namespace fiducial::cli {

namespace {

std::string time_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds);
  if (whole < 120) return decimal(whole) + " s";
  if (whole < 7200) return decimal(whole / 60) + " min";
  return fixed(seconds / 3600, 1) + " h";
}

std::string tokens_text(std::int64_t tokens) {
  if (tokens < 10'000) return decimal(tokens);
  if (tokens < 10'000'000) return decimal(tokens / 1000) + "k";
  return decimal(tokens / 1'000'000) + "M";
}

}  // namespace

AskLine::AskLine(std::int64_t items, bool has_price)
    : items_(items),
      has_price_(has_price),
      interactive_(isatty(STDERR_FILENO) == 1),
      began_(std::chrono::steady_clock::now()) {}

AskLine::~AskLine() {
  if (is_drawn_) std::fputs("\r\x1b[K", stderr);
}

void AskLine::changed(const AskState& state) {
  constexpr std::chrono::milliseconds pace{200};
  const auto now = std::chrono::steady_clock::now();
  if (!interactive_ || (is_drawn_ && now - drawn_at_ < pace)) return;
  drawn_at_ = now;
  is_drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - began_).count();
  const double rate = seconds > 0 ? static_cast<double>(state.answered) / seconds : 0;
  const std::int64_t done = state.answered + state.known + state.failed;
  std::string line = decimal(done) + " of " + decimal(items_) + " questions, " + decimal(state.failed) +
                     " failed, " + fixed(rate * 60, 0) + "/min, " + decimal(state.in_flight) +
                     " in flight, " + tokens_text(state.usage.prompt) + " + " +
                     tokens_text(state.usage.completion) + " tokens";
  if (has_price_) line += ", cost " + fixed(state.cost, 2);
  if (rate > 0 && done < items_)
    line += ", " + time_text(static_cast<double>(items_ - done) / rate) + " left";
  std::fputs(("\r\x1b[K" + line).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace fiducial::cli
