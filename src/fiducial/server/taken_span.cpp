#include "fiducial/server/taken_span.h"

#include <vector>

#include "fiducial/base/ascii.h"
#include "fiducial/eval/inputs/reply_cleanup.h"
#include "fiducial/text/answer_extraction.h"

namespace fiducial {

namespace {

// The places where sentences begin, and the end.
std::vector<std::size_t> cuts_of(std::string_view text) {
  constexpr std::string_view stops = ".!?;";
  std::vector<std::size_t> out{0};
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool behind_stop = is_space(text[i - 1]) && i > 1 && stops.find(text[i - 2]) != stops.npos;
    if (text[i - 1] == '\n' || behind_stop) out.push_back(i);
  }
  out.push_back(text.size());
  return out;
}

class SpanSearch {
 public:
  SpanSearch(std::string_view reply, const std::array<std::string, 5>& options)
      : reply_(reply), options_(options), whole_(read({0, reply.size()})) {}

  const ExtractedAnswer& whole() const { return whole_; }

  // Cuts off what is not needed: first the front, as what is said last counts, then the end.
  ReplySpan narrowed() const {
    const std::vector<std::size_t> cuts = cuts_of(reply_);
    std::size_t first = 0;
    std::size_t last = cuts.size() - 1;
    while (first + 1 < last && says_the_same({cuts[first + 1], cuts[last]})) ++first;
    while (last > first + 1 && says_the_same({cuts[first], cuts[last - 1]})) --last;
    return {cuts[first], cuts[last]};
  }

 private:
  ExtractedAnswer read(ReplySpan span) const {
    const std::string part(reply_.substr(span.begin, span.end - span.begin));
    return extract_answer(cleaned_reply(part, Scorer::strict), options_);
  }
  bool says_the_same(ReplySpan span) const { return read(span) == whole_; }

  std::string_view reply_;
  const std::array<std::string, 5>& options_;
  ExtractedAnswer whole_;
};

}  // namespace

std::optional<ReplySpan> taken_span(std::string_view reply, const std::array<std::string, 5>& options,
                                    char letter) {
  const SpanSearch search(reply, options);
  if (search.whole().letter != letter) return std::nullopt;
  ReplySpan span = search.narrowed();
  while (span.end > span.begin && is_space(reply[span.end - 1])) --span.end;
  while (span.begin < span.end && is_space(reply[span.begin])) ++span.begin;
  return span;
}

}  // namespace fiducial
