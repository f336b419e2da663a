#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fiducial/text/discussion_sections.h"

namespace fiducial {

// A sentence of a discussion, by which people and judges rate it.
struct DiscussionSentence {
  std::size_t heading = 0;  // its place in discussion_headings; their number where there is no heading
  std::int64_t number = 1;  // in its section, from 1; a section that is repeated goes on counting
  std::string text;         // as it stands, with its final stop

  std::string section() const;  // "" without a heading
};

// In the order of the text. Numbers of lists are no sentences; a discussion without headings is one section.
std::vector<DiscussionSentence> discussion_sentences(const Discussion& discussion);

}  // namespace fiducial
