#include "fiducial/findings/prior_sizes.h"

#include <algorithm>

namespace fiducial {

namespace {

// Bytes between a size and the examination it is of: "which was measured as 6 mm in the previous
// examination".
constexpr std::size_t farthest_examination = 40;

std::size_t bytes_between(const TextSpan& a, const TextSpan& b) {
  if (a.end <= b.begin) return b.begin - a.end;
  return b.end <= a.begin ? a.begin - b.end : 0;
}

}  // namespace

std::vector<ClauseSize> sizes_of_clause(std::string_view text, const Clause& clause,
                                        const ClauseReader& reader) {
  std::vector<ClauseSize> out;
  for (Measurement& size : find_measurements(clause.span.of(text))) {
    size.span.begin += clause.span.begin;
    size.span.end += clause.span.begin;
    out.push_back({.size = size, .prior = clause.past});
  }
  if (out.size() < 2) return out;
  static const ConceptId earlier = Lexicon::chest_ct().required_concept("earlier");
  for (const Mention& mention : reader.mentions(clause)) {
    if (mention.what != earlier) continue;
    const auto nearest =
        std::min_element(out.begin(), out.end(), [&mention](const ClauseSize& a, const ClauseSize& b) {
          return bytes_between(a.size.span, mention.span) < bytes_between(b.size.span, mention.span);
        });
    if (bytes_between(nearest->size.span, mention.span) <= farthest_examination) nearest->prior = true;
  }
  return out;
}

}  // namespace fiducial
