#include "fiducial/text/discussion_sentences.h"

#include <algorithm>
#include <map>

#include "fiducial/base/ascii.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

namespace {

// A sentence as it stands, with its final stop; empty for white space, and for the number of a list's item.
std::string_view whole_sentence(const Sentence& sentence, std::string_view text) {
  const std::string_view words = sentence.content.of(text);
  if (std::all_of(words.begin(), words.end(), is_digit)) return {};
  return trimmed(text.substr(sentence.content.begin, sentence.span.end - sentence.content.begin));
}

std::vector<DiscussionSection> sections_of(const Discussion& discussion) {
  if (!discussion.sections.empty()) return discussion.sections;
  return {{discussion_headings.size(), discussion.preamble}};
}

}  // namespace

std::string DiscussionSentence::section() const {
  return heading < discussion_headings.size() ? std::string(discussion_headings.at(heading)) : "";
}

std::vector<DiscussionSentence> discussion_sentences(const Discussion& discussion) {
  std::vector<DiscussionSentence> out;
  std::map<std::size_t, std::int64_t> counts;
  for (const DiscussionSection& section : sections_of(discussion)) {
    for (const Sentence& sentence : split_sentences(section.text)) {
      const std::string_view text = whole_sentence(sentence, section.text);
      if (text.empty()) continue;
      out.push_back(
          {.heading = section.heading, .number = ++counts[section.heading], .text = std::string(text)});
    }
  }
  return out;
}

}  // namespace fiducial
