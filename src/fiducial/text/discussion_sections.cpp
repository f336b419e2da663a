#include "fiducial/text/discussion_sections.h"

#include <algorithm>
#include <optional>

#include "fiducial/base/plain_text.h"
#include "fiducial/text/unicode.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

struct Name {
  std::string_view words;  // in lower case, hyphens as spaces
  std::size_t heading;
};

constexpr Name names[] = {{"take home message/teaching points", 5},
                          {"take home messages/teaching points", 5},
                          {"take home message / teaching points", 5},
                          {"take home messages", 5},
                          {"take home message", 5},
                          {"take home points", 5},
                          {"teaching points", 5},
                          {"teaching point", 5},
                          {"clinical perspective", 1},
                          {"imaging perspective", 2},
                          {"clinical significance", 3},
                          {"background", 0},
                          {"outcome", 4}};

// What stands before a heading in its line: Markdown, a number, brackets.
std::string_view without_decoration(std::string_view line) {
  constexpr std::string_view decoration = "#*_>-[]() \t";
  const auto strip = [&](std::string_view set) {
    line.remove_prefix(std::min(line.find_first_not_of(set), line.size()));
  };
  strip(decoration);
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits > 0 && digits <= 2 && digits < line.size() && (line[digits] == '.' || line[digits] == ')')) {
    line.remove_prefix(digits + 1);
    strip(decoration);
  }
  return line;
}

std::string heading_words(std::string_view text) {
  std::string out = ascii_lower(text);
  std::replace(out.begin(), out.end(), '-', ' ');
  return out;
}

struct HeadingLine {
  std::size_t heading = 0;
  std::string_view rest;  // of the line, after the colon
};

std::optional<HeadingLine> heading_of(std::string_view line) {
  const std::string_view text = without_decoration(line);
  const std::string words = heading_words(text.substr(0, std::min<std::size_t>(text.size(), 60)));
  for (const Name& name : names) {
    if (!words.starts_with(name.words)) continue;
    std::string_view rest = text.substr(name.words.size());
    rest.remove_prefix(std::min(rest.find_first_not_of("*_])# \t\r"), rest.size()));
    if (rest.empty()) return HeadingLine{name.heading, rest};
    if (rest.front() != ':') continue;
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of("*_ \t"), rest.size()));
    return HeadingLine{name.heading, rest};
  }
  return std::nullopt;
}

template <typename Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::vector<std::size_t> Discussion::missing() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < discussion_headings.size(); ++i) {
    const bool occurs = std::any_of(sections.begin(), sections.end(),
                                    [i](const DiscussionSection& each) { return each.heading == i; });
    if (!occurs) out.push_back(i);
  }
  return out;
}

std::vector<std::size_t> Discussion::repeated() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < discussion_headings.size(); ++i) {
    const auto count = std::count_if(sections.begin(), sections.end(),
                                     [i](const DiscussionSection& each) { return each.heading == i; });
    if (count > 1) out.push_back(i);
  }
  return out;
}

std::vector<std::size_t> Discussion::out_of_order() const {
  std::vector<std::size_t> seen;
  std::vector<std::size_t> out;
  for (const DiscussionSection& each : sections) {
    if (std::find(seen.begin(), seen.end(), each.heading) != seen.end()) continue;
    const bool follows_later =
        std::any_of(seen.begin(), seen.end(), [&](std::size_t earlier) { return earlier > each.heading; });
    if (follows_later) out.push_back(each.heading);
    seen.push_back(each.heading);
  }
  std::sort(out.begin(), out.end());
  return out;
}

Discussion parse_discussion(std::string_view text) {
  Discussion out;
  for_each_line(text, [&out](std::string_view line) {
    const auto heading = heading_of(line);
    if (heading) {
      out.sections.push_back({heading->heading, std::string(white_space_trimmed(heading->rest))});
    } else {
      append_joined(out.sections.empty() ? out.preamble : out.sections.back().text, white_space_trimmed(line),
                    "\n");
    }
  });
  for (DiscussionSection& each : out.sections) each.text = white_space_trimmed(std::string(each.text));
  out.preamble = white_space_trimmed(std::string(out.preamble));
  return out;
}

std::size_t find_discussion_heading(std::string_view text) {
  const std::string words = heading_words(white_space_trimmed(text));
  for (const Name& name : names) {
    if (words == name.words) return name.heading;
  }
  return discussion_headings.size();
}

}  // namespace fiducial
