#include "fiducial/text/reasoning_steps.h"

#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

bool white_space_follows(std::string_view text, std::size_t at) {
  return at < text.size() && is_white_space(first_code_point(text.substr(at)).value);
}

std::size_t white_space_end(std::string_view text, std::size_t at) {
  while (white_space_follows(text, at)) at += first_code_point(text.substr(at)).bytes;
  return at;
}

// Without spaces, tabs, '-' and bullets at the ends.
std::string_view without_bullets(std::string_view text) {
  constexpr std::string_view bullet = "\xE2\x80\xA2";
  const auto is_mark = [](char c) { return c == ' ' || c == '\t' || c == '-'; };
  while (!text.empty() && (is_mark(text.front()) || text.starts_with(bullet))) {
    text.remove_prefix(is_mark(text.front()) ? 1 : bullet.size());
  }
  while (!text.empty() && (is_mark(text.back()) || text.ends_with(bullet))) {
    text.remove_suffix(is_mark(text.back()) ? 1 : bullet.size());
  }
  return text;
}

// Where a piece ends and the next one begins.
struct Cut {
  std::size_t end = 0;
  std::size_t next = 0;
};

// The cut at this byte, if there is one: end == next == 0 otherwise.
Cut cut_at(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '\n') {
    std::size_t next = at;
    while (next < text.size() && text[next] == '\n') ++next;
    return {at, next};
  }
  if (!white_space_follows(text, at + 1)) return {};
  if (c == ';') return {at, white_space_end(text, at + 1)};
  if (c == '.' || c == '!' || c == '?') return {at + 1, white_space_end(text, at + 1)};
  return {};
}

}  // namespace

std::vector<std::string> split_reasoning_steps(std::string_view explanation, bool keeps_empty) {
  const std::string_view text = white_space_trimmed(explanation);
  std::vector<std::string> out;
  const auto add = [&](std::string_view piece) {
    const std::string collapsed = white_space_collapsed(piece);
    if (collapsed.empty()) return;
    const std::string_view step = without_bullets(collapsed);
    if ((keeps_empty || !step.empty()) && out.size() < max_reasoning_steps) out.emplace_back(step);
  };
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Cut cut = cut_at(text, at);
    if (cut.next == 0) {
      ++at;
      continue;
    }
    add(text.substr(begin, cut.end - begin));
    begin = at = cut.next;
  }
  add(text.substr(begin));
  return out;
}

}  // namespace fiducial
