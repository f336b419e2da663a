#include "fiducial/text/step_splitter.h"

#include "fiducial/text/unicode.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

constexpr std::string_view bullet = "\xE2\x80\xA2";

std::size_t white_space_run(std::string_view text) {
  std::size_t length = 0;
  while (const std::size_t one = white_space_length(text.substr(length))) length += one;
  return length;
}

// Bytes of the separator that begins here, 0 if none does. Before says what stands in front of it.
std::size_t separator_length(std::string_view text, char before) {
  const bool ends_sentence = before == '.' || before == '!' || before == '?';
  if (ends_sentence) {
    if (const std::size_t run = white_space_run(text)) return run;
  }
  if (text.front() == ';') {
    const std::size_t run = white_space_run(text.substr(1));
    return run == 0 ? 0 : run + 1;
  }
  const std::size_t lines = text.find_first_not_of('\n');
  return lines == std::string_view::npos ? text.size() : lines;
}

std::string without_bullets(std::string text) {
  std::string_view rest = text;
  const auto strip = [&rest](auto begins, auto remove) {
    for (;;) {
      if (begins(bullet)) {
        remove(bullet.size());
      } else if (begins(" ") || begins("-") || begins("\t")) {
        remove(1);
      } else {
        return;
      }
    }
  };
  strip([&](std::string_view part) { return rest.starts_with(part); },
        [&](std::size_t n) { rest.remove_prefix(n); });
  strip([&](std::string_view part) { return rest.ends_with(part); },
        [&](std::size_t n) { rest.remove_suffix(n); });
  return std::string(rest);
}

}  // namespace

std::vector<std::string> split_steps(std::string_view explanation, BulletOnly bullets) {
  const std::string_view text = white_space_trimmed(explanation);
  std::vector<std::string> out;
  const auto add = [&](std::string_view piece) {
    if (white_space_trimmed(piece).empty() || out.size() == max_steps) return;
    std::string step = without_bullets(white_space_collapsed(piece));
    if (!step.empty() || bullets == BulletOnly::keep_empty) out.push_back(std::move(step));
  };
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t separator = separator_length(text.substr(at), at == 0 ? ' ' : text[at - 1]);
    if (separator == 0) {
      ++at;
      continue;
    }
    add(text.substr(begin, at - begin));
    at += separator;
    begin = at;
  }
  add(text.substr(begin));
  return out;
}

}  // namespace fiducial
