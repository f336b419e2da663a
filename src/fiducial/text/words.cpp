#include "fiducial/text/words.h"

#include <array>
#include <cstdint>
#include <utility>

#include "fiducial/base/ascii.h"

namespace fiducial {

namespace {

bool is_stop(char c) { return c == '.' || c == ','; }

// ASCII punctuation except ' , - and full stop.
constexpr bool is_split_punctuation(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

std::string replaced_everywhere(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = text.find(from); at != std::string_view::npos; at = text.find(from)) {
    out.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
  return out.append(text);
}

std::string unescaped(std::string text) {
  if (text.find('&') == std::string::npos) return text;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> entities{
      {{"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}}};
  for (const auto& [from, to] : entities) text = replaced_everywhere(text, from, to);
  return text;
}

// Asked of every byte of every text.
constexpr std::array<bool, 256> split_punctuation = [] {
  std::array<bool, 256> out{};
  for (int c = 0; c < 128; ++c) out[static_cast<std::size_t>(c)] = is_split_punctuation(static_cast<char>(c));
  return out;
}();

std::string punctuation_spaced(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 4);
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!split_punctuation[static_cast<unsigned char>(text[at])]) continue;
    out.append(text.substr(begin, at - begin)).append({' ', text[at], ' '});
    begin = at + 1;
  }
  return out.append(text.substr(begin));
}

// Walks over two neighbours at a time, as a regular expression of two characters does: a pair that fits is
// consumed as a whole.
template <typename Fits, typename Write>
std::string pairs_rewritten(std::string_view text, Fits fits, Write write) {
  std::string out;
  out.reserve(text.size() + text.size() / 4);
  std::size_t begin = 0;
  for (std::size_t at = 0; at + 1 < text.size();) {
    if (!fits(text[at], text[at + 1])) {
      ++at;
      continue;
    }
    out.append(text.substr(begin, at - begin));
    write(out, text[at], text[at + 1]);
    at += 2;
    begin = at;
  }
  return out.append(text.substr(begin));
}

}  // namespace

std::size_t white_space_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first == ' ' || (first >= 0x09 && first <= 0x0D) || (first >= 0x1C && first <= 0x1F)) return 1;
  if (first == 0xC2 && text.size() >= 2 && (byte(1) == 0x85 || byte(1) == 0xA0)) return 2;
  if (text.size() < 3) return 0;
  const std::uint32_t three = std::uint32_t{first} << 16U | std::uint32_t{byte(1)} << 8U | byte(2);
  const bool space = three == 0xE19A80 || (three >= 0xE28080 && three <= 0xE2808A) || three == 0xE280A8 ||
                     three == 0xE280A9 || three == 0xE280AF || three == 0xE2819F || three == 0xE38080;
  return space ? 3 : 0;
}

std::vector<std::string_view> white_space_words(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t space = byte > ' ' && byte < 0x80 ? 0 : white_space_length(text.substr(at));
    if (space == 0) {
      ++at;
      continue;
    }
    if (at > begin) out.push_back(text.substr(begin, at - begin));
    at += space;
    begin = at;
  }
  if (at > begin) out.push_back(text.substr(begin));
  return out;
}

std::string spaced_13a(std::string_view text) {
  std::string line = replaced_everywhere(replaced_everywhere(text, "<skipped>", ""), "-\n", "");
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  line = punctuation_spaced(" " + unescaped(std::move(line)) + " ");
  line = pairs_rewritten(
      line, [](char a, char b) { return !is_digit(a) && is_stop(b); },
      [](std::string& out, char a, char b) {
        out.append({a, ' ', b, ' '});
      });
  line = pairs_rewritten(
      line, [](char a, char b) { return is_stop(a) && !is_digit(b); },
      [](std::string& out, char a, char b) {
        out.append({' ', a, ' ', b});
      });
  return pairs_rewritten(
      line, [](char a, char b) { return is_digit(a) && b == '-'; },
      [](std::string& out, char a, char b) {
        out.append({a, ' ', b, ' '});
      });
}

std::vector<std::string> words_13a(std::string_view text) {
  const std::string line = spaced_13a(text);
  const std::vector<std::string_view> words = white_space_words(line);
  return {words.begin(), words.end()};
}

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

}  // namespace fiducial
