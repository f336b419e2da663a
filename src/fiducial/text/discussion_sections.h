#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

// The headings of a case discussion, in their order.
inline constexpr std::array<std::string_view, 6> discussion_headings{"Background",
                                                                     "Clinical Perspective",
                                                                     "Imaging Perspective",
                                                                     "Clinical Significance",
                                                                     "Outcome",
                                                                     "Take-Home Message/Teaching Points"};

struct DiscussionSection {
  std::size_t heading = 0;  // its place in discussion_headings
  std::string text;         // trimmed; may be empty
};

// A discussion as it is written: every section in the order of the text.
struct Discussion {
  std::string preamble;  // before the first heading
  std::vector<DiscussionSection> sections;

  std::vector<std::size_t> missing() const;   // headings that do not occur
  std::vector<std::size_t> repeated() const;  // headings that occur more than once
  std::vector<std::size_t> out_of_order()
      const;  // headings whose first place is before that of an earlier one
};

// Cuts a discussion at its headings. A heading begins a line, in any case, perhaps numbered or set off by
// Markdown (#, *, _), and either fills the line or is followed by a colon; the last one may be called by
// either of its names.
Discussion parse_discussion(std::string_view text);

// The heading that the text names, by any of its names; none: discussion_headings.size().
std::size_t find_discussion_heading(std::string_view text);

}  // namespace fiducial
