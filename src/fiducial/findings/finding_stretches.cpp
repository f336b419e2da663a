#include <algorithm>

#include "fiducial/findings/finding_phrases.h"
#include "fiducial/findings/finding_wording.h"

// Of FindingExtractor: the stretches of a clause that are a finding each, and the places they are said to lie
// in.
namespace fiducial {

namespace {

constexpr std::string_view adjective_ends[] = {"al", "ar", "ic", "ary", "eous"};

// "mediastinal and", "hilar,"; not "aorta and", and not "mesenteric fat".
bool is_adjective_before_another(std::string_view text, const TextSpan& place) {
  const std::string_view after = text.substr(place.end);
  const bool is_joined = after.starts_with(" and ") || after.starts_with(" or ") || after.starts_with(", ");
  return is_joined && std::any_of(std::begin(adjective_ends), std::end(adjective_ends),
                                  [&](std::string_view end) { return place.of(text).ends_with(end); });
}

}  // namespace

bool FindingExtractor::opens_stretch(std::span<const Mention> part, std::string_view text) const {
  // "calcified mediastinal and hilar lymph nodes": what is calcified comes after the last adjective.
  const bool lacks_noun = anatomy_[part.back().what] && is_adjective_before_another(text, part.back().span);
  const bool placed = std::any_of(part.begin(), part.end(),
                                  [this](const Mention& mention) { return anatomy_[mention.what]; });
  for (const Mention& mention : part) {
    if (guesses_[mention.what]) return false;
    if (lexicon_.concepts()[mention.what].kind != ConceptKind::finding) continue;
    if (!weak_[mention.what] || (placed && !lacks_noun)) return true;
  }
  return false;
}

Clause FindingExtractor::narrowed(const Clause& clause, std::size_t first_mention,
                                  std::size_t end_mention) const {
  Clause out = clause;
  out.first_mention = first_mention;
  out.end_mention = end_mention;
  out.concepts.reset();
  for (const Mention& mention : reader_.mentions(out)) add_with_whole(out.concepts, mention.what, lexicon_);
  out.concepts[judgement_] = clause.concepts[judgement_];
  out.concepts[prior_] = clause.concepts[prior_];
  if ((out.concepts & sides_).none()) out.concepts |= clause.concepts & sides_;
  out.places = out.concepts & anatomy_;
  out.known = out.concepts;
  if ((out.known & sides_).none()) out.known |= clause.known & sides_;
  if (out.places.any()) return out;
  out.places = clause.places;
  out.known |= clause.known & anatomy_;
  return out;
}

std::vector<Clause> FindingExtractor::stretches_of(const Clause& clause, std::string_view text) const {
  const std::span<const Mention> mentions = reader_.mentions(clause);
  const bool denies =
      std::any_of(mentions.begin(), mentions.end(), [](const Mention& mention) { return mention.denied; });
  std::vector<Clause> stretches{narrowed(clause, clause.first_mention, clause.first_mention)};
  bool found = false;  // the last stretch has a finding
  const auto is_tied = [&](std::size_t next) {
    return has_link(text, mentions[next - 1].span.end, mentions[next].span.begin);
  };
  const auto is_strong = [this](const Mention& mention) {
    return lexicon_.concepts()[mention.what].kind == ConceptKind::finding && !weak_[mention.what];
  };
  for (std::size_t first = 0, end = 0; first < mentions.size() && !denies; first = end) {
    ++end;
    while (end < mentions.size() && mentions[end].part == mentions[first].part && !is_tied(end)) ++end;
    const std::span<const Mention> part = mentions.subspan(first, end - first);
    // "a nodule with calcification in the thyroid": what is tied needs a name of its own.
    const bool is_weak = first > 0 && is_tied(first) && std::none_of(part.begin(), part.end(), is_strong);
    const bool opens = opens_stretch(part, text) && !is_weak;
    const std::size_t begin = opens && found ? clause.first_mention + first : stretches.back().first_mention;
    const Clause grown = narrowed(clause, begin, clause.first_mention + end);
    found = found || opens;
    if (begin == stretches.back().first_mention) {
      stretches.back() = grown;
      continue;
    }
    const auto code = category_of(grown, text);
    const auto before = category_of(stretches.back(), text);
    const auto name = [](std::size_t rule) { return category_rules().rules()[rule].name; };
    if (!code || !before || name(*code) == name(*before)) {
      stretches.back() = narrowed(clause, stretches.back().first_mention, clause.first_mention + end);
    } else {
      stretches.push_back(grown);
    }
  }
  if (stretches.size() == 1) return {clause};
  set_spans(stretches, text);
  return stretches;
}

void FindingExtractor::set_spans(std::vector<Clause>& stretches, std::string_view text) const {
  for (std::size_t i = 1; i < stretches.size(); ++i) {
    const std::size_t after = reader_.mentions(stretches[i - 1]).back().span.end;
    const std::size_t before = reader_.mentions(stretches[i]).front().span.begin;
    const std::size_t cut = after + last_conjunction(text.substr(after, before - after));
    stretches[i - 1].span.end = cut;
    stretches[i].span.begin = cut;
  }
}

std::string_view FindingExtractor::place_words(const std::vector<Clause>& stretches, std::size_t index,
                                               std::string_view text) const {
  const auto names = [&](std::size_t i, const ConceptSet& wanted) {
    const std::span<const Mention> mentions = reader_.mentions(stretches[i]);
    return std::any_of(mentions.begin(), mentions.end(),
                       [&wanted](const Mention& mention) { return wanted[mention.what]; });
  };
  if (stretches.size() == 1 || names(index, anatomy_ | sides_) ||
      !lies_in_lungs(category_of(stretches[index], text))) {
    return {};
  }
  std::size_t from = index + 1;
  while (from < stretches.size() && !names(from, lungs_)) ++from;
  for (std::size_t i = index; from == stretches.size() && i-- > 0;) {
    if (names(i, lungs_)) from = i;
  }
  if (from == stretches.size() || !lies_in_lungs(category_of(stretches[from], text))) return {};
  TextSpan words;
  for (const Mention& mention : reader_.mentions(stretches[from])) {
    const bool places = lungs_[mention.what] || sides_[mention.what];
    const bool finds = lexicon_.concepts()[mention.what].kind == ConceptKind::finding;
    if (places && words.end == 0) words.begin = mention.span.begin;
    if (places) words.end = mention.span.end;
    if (finds && words.end != 0) break;
  }
  return words.of(text);
}

std::string_view FindingExtractor::opening_words(const Clause& clause, std::string_view text) const {
  const bool is_placed = (clause.concepts & anatomy_).any();
  const ConceptSet wanted = is_placed ? sides_ & ~clause.concepts : anatomy_;
  const bool continues = !is_placed || ((clause.concepts & sides_).none() && (clause.known & sides_).any());
  if (!continues || (clause.opening & wanted).none()) return {};
  return without_end(clause.opening_words.of(text));
}

}  // namespace fiducial
