#include "fiducial/terminal/folded_text.h"

#include <algorithm>

#include "fiducial/text/readable.h"

namespace fiducial {

namespace {

constexpr std::size_t further_indent = 2;

void append_folded(std::string& out, std::string_view line, std::size_t width) {
  if (character_count(line) <= width) {
    out += line;
    return;
  }
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  std::size_t begin = indent;
  std::string current(line.substr(0, indent));
  bool is_empty = true;
  while (begin < line.size()) {
    const std::size_t end = std::min(line.find(' ', begin + 1), line.size());
    const std::string_view word = line.substr(begin, end - begin);  // with the spaces before it
    if (!is_empty && character_count(current) + character_count(word) > width) {
      out += current + "\n";
      current = std::string(indent + further_indent, ' ');
      is_empty = true;
    }
    current += is_empty ? word.substr(std::min(word.find_first_not_of(' '), word.size())) : word;
    is_empty = is_empty && word.find_first_not_of(' ') == std::string_view::npos;
    begin = end;
  }
  current.erase(current.find_last_not_of(' ') + 1);
  out += current;
}

}  // namespace

std::string folded_text(std::string_view text, std::size_t width) {
  if (width == 0) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    append_folded(out, text.substr(0, end), width);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace fiducial
