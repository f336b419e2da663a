#include "ask_line.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"

#include "terminal_width.h"

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

struct Part {
  std::string text;
  int rank = 0;  // the highest goes first where there is no room
};

std::string joined_parts(const std::vector<Part>& parts) {
  std::string out;
  for (const Part& part : parts) append_joined(out, part.text, ", ");
  return out;
}

// A line that is as wide as the terminal would be wrapped, and could not be wiped.
std::string fitting(std::vector<Part> parts, std::size_t width) {
  while (width > 0 && parts.size() > 1 && joined_parts(parts).size() >= width) {
    parts.erase(std::max_element(parts.begin(), parts.end(),
                                 [](const Part& a, const Part& b) { return a.rank < b.rank; }));
  }
  return joined_parts(parts);
}

}  // namespace

AskLine::AskLine(bool has_price)
    : has_price_(has_price),
      interactive_(isatty(STDERR_FILENO) == 1),
      width_(terminal_width()),
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
  if (state.answered == 0) known_items_ = state.items.finished;
  const std::string text = line(state, std::chrono::duration<double>(now - began_).count());
  std::fputs(("\r\x1b[K" + text).c_str(), stderr);
  std::fflush(stderr);
}

std::string AskLine::line(const AskState& state, double seconds) {
  const auto [finished, all] = state.items;
  const double a_minute = seconds > 0 ? 60 * static_cast<double>(state.answered) / seconds : 0;
  const std::string done = all > 0 ? decimal(finished) + " of " + decimal(all)
                                   : decimal(state.answered + state.known + state.failed);
  std::vector<Part> parts{
      {done + " done", 0},
      {decimal(state.failed) + " failed", 0},
      {fixed(a_minute, 0) + " replies/min", 2},
      {decimal(state.in_flight) + " in flight", 4},
      {tokens_text(state.usage.prompt) + " + " + tokens_text(state.usage.completion) + " tokens", 3}};
  if (has_price_) parts.push_back({"cost " + fixed(state.cost, 2), 1});
  if (finished > known_items_ && finished < all) {
    const double an_item = seconds / static_cast<double>(finished - known_items_);
    parts.push_back({time_text(an_item * static_cast<double>(all - finished)) + " left", 1});
  }
  return fitting(std::move(parts), width_);
}

}  // namespace fiducial::cli
