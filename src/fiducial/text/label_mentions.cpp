#include "fiducial/text/label_mentions.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/utf8.h"
#include "fiducial/text/folded_words.h"

namespace fiducial {

namespace {

constexpr std::size_t most_mentions = 64;
constexpr std::size_t words_before = 6;  // how far a cue reaches
constexpr std::size_t words_after = 4;
constexpr std::size_t short_name = 3;

using Words = std::vector<FoldedWord>;

template <std::size_t count>
using WordList = std::array<std::string_view, count>;

constexpr WordList<12> negations = {"no",       "not",     "without", "denies",  "denied", "denying",
                                    "negative", "absence", "never",   "neither", "nor",    "excluding"};
constexpr WordList<4> later_negations = {"excluded", "unlikely", "absent", "ruled"};
constexpr WordList<30> doubts = {"possible",   "possibly",     "probable",     "probably",   "suspected",
                                 "suspect",    "suspicion",    "suspicious",   "presumed",   "presumptive",
                                 "likely",     "query",        "maybe",        "may",        "might",
                                 "could",      "concern",      "concerning",   "versus",     "vs",
                                 "exclude",    "rule",         "consider",     "considered", "thought",
                                 "questioned", "questionable", "differential", "consistent", "?"};
// Words that together put a label in doubt or in the past, which counts as an uncertain mention.
constexpr std::array<std::array<std::string_view, 2>, 5> doubt_pairs = {
    {{"r", "o"}, {"history", "of"}, {"hx", "of"}, {"known", "case"}, {"h", "o"}}};
constexpr WordList<7> later_doubts = {"?",      "suspected", "possible",  "probable",
                                      "likely", "versus",    "considered"};
// A cue does not reach over these.
constexpr WordList<9> barriers = {"but",     "however",  "although",  "though", "except",
                                  "because", "revealed", "diagnosed", "showed"};
// Words that many diagnoses share.
constexpr WordList<14> weak_words = {"disease", "syndrome", "acute",    "chronic",  "with",
                                     "tumor",   "lesion",   "disorder", "type",     "from",
                                     "left",    "right",    "primary",  "secondary"};

template <std::size_t count>
bool is_in(const WordList<count>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// A name to look for.
struct Term {
  std::vector<std::string> words;  // folded
  std::string verbatim;            // of a short name, which counts only in its own case; else empty
  LeakLevel level = LeakLevel::l3;
};

std::string folded_text(const Words& words) {
  return joined(words, " ", [](const FoldedWord& word) { return word.text; });
}

bool is_in_capitals(std::string_view word) {
  return std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

void add_term(std::vector<Term>& terms, std::string_view name, LeakLevel level) {
  Term term{.level = level};
  std::size_t letters_seen = 0;
  for (const FoldedWord& word : folded_words(name)) {
    if (word.text == "?") continue;
    letters_seen += word.end - word.begin;
    term.verbatim = word.verbatim;
    term.words.push_back(word.text);
  }
  if (letters_seen < 2) return;
  if (term.words.size() > 1 || !(letters_seen <= short_name || is_in_capitals(term.verbatim)))
    term.verbatim.clear();
  const bool is_known = std::any_of(terms.begin(), terms.end(),
                                    [&term](const Term& known) { return known.words == term.words; });
  if (!is_known) terms.push_back(std::move(term));
}

// "Antisynthetase" for "Anti-synthetase": a prefix and its word as one.
std::string with_joined_prefixes(std::string_view name) {
  std::string out;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const bool joins = name[at] == '-' && at > 0 && at + 1 < name.size() && is_letter(name[at - 1]) &&
                       is_letter(name[at + 1]);
    if (!joins) out += name[at];
  }
  return out;
}

// "X / Y" in its alternatives; a slash without blanks joins words that belong together ("and/or").
std::vector<std::string_view> alternatives_in(std::string_view name) {
  std::vector<std::string_view> out;
  constexpr std::string_view slash = " / ";
  for (std::size_t at = name.find(slash); at != std::string_view::npos; at = name.find(slash)) {
    out.push_back(name.substr(0, at));
    name.remove_prefix(at + slash.size());
  }
  if (!out.empty()) out.push_back(name);
  return out;
}

// A name in the parts outside and inside of its round brackets.
std::pair<std::string, std::vector<std::string>> bracket_parts(std::string_view name) {
  std::pair<std::string, std::vector<std::string>> out;
  while (true) {
    const std::size_t open = name.find('(');
    const std::size_t close = open == std::string_view::npos ? open : name.find(')', open);
    if (close == std::string_view::npos) break;
    out.first += std::string(name.substr(0, open)) + " ";
    out.second.emplace_back(name.substr(open + 1, close - open - 1));
    name.remove_prefix(close + 1);
  }
  out.first += name;
  return out;
}

std::vector<Term> terms_of(const std::string& label, const LabelSynonyms& synonyms) {
  std::vector<Term> out;
  add_term(out, label, LeakLevel::l3);
  const auto [outside, inside] = bracket_parts(label);
  add_term(out, outside, LeakLevel::l3);
  for (const std::string_view each : alternatives_in(outside)) add_term(out, each, LeakLevel::l3);
  for (const std::string& name : {label, outside}) add_term(out, with_joined_prefixes(name), LeakLevel::l3);
  for (const std::string& part : inside) add_term(out, part, LeakLevel::l2);
  for (const std::string& name : {label, outside}) {
    for (const std::string& synonym : synonyms.of(name)) add_term(out, synonym, LeakLevel::l2);
  }
  return out;
}

class MentionSearch {
 public:
  MentionSearch(std::string_view text, std::span<const std::string> labels, const LabelSynonyms& synonyms)
      : text_(text), words_(folded_words(text)), labels_(labels), synonyms_(synonyms) {}

  std::vector<LabelMention> mentions() {
    for (std::size_t label = 0; label < labels_.size(); ++label) find_label(label);
    drop_covered();
    std::sort(found_.begin(), found_.end(), [](const LabelMention& a, const LabelMention& b) {
      return std::tie(a.begin, a.end, a.label) < std::tie(b.begin, b.end, b.label);
    });
    return std::move(found_);
  }

 private:
  void find_label(std::size_t label) {
    const std::size_t before = found_.size();
    const std::vector<Term> terms = terms_of(labels_[label], synonyms_);
    for (const Term& term : terms) {
      for (std::size_t at = 0; at < words_.size() && found_.size() - before < most_mentions; ++at) {
        if (is_at(term, at)) add(label, at, at + term.words.size(), term.level);
      }
    }
    if (found_.size() > before) return;
    std::vector<Term> own;
    add_term(own, bracket_parts(labels_[label]).first, LeakLevel::l3);
    if (!own.empty()) find_apart(label, own.front());
  }

  bool is_at(const Term& term, std::size_t at) const {
    if (term.words.size() > words_.size() - at) return false;
    for (std::size_t i = 0; i < term.words.size(); ++i) {
      if (words_[at + i].text != term.words[i] || words_[at + i].sentence != words_[at].sentence)
        return false;
    }
    return term.verbatim.empty() || words_[at].verbatim == term.verbatim;
  }

  // All telling words of a label in one sentence, in any order.
  void find_apart(std::size_t label, const Term& term) {
    std::set<std::string_view> wanted;
    for (const std::string& word : term.words) {
      if (word.size() > short_name && !is_in(weak_words, word)) wanted.insert(word);
    }
    if (wanted.size() < 2) return;
    for (std::size_t begin = 0; begin < words_.size();) {
      std::size_t end = begin;
      while (end < words_.size() && words_[end].sentence == words_[begin].sentence) ++end;
      std::set<std::string_view> seen;
      std::size_t first = end;
      std::size_t last = begin;
      for (std::size_t i = begin; i < end; ++i) {
        if (!wanted.contains(words_[i].text)) continue;
        seen.insert(words_[i].text);
        first = std::min(first, i);
        last = i;
      }
      if (seen.size() == wanted.size()) return add(label, first, last + 1, LeakLevel::l1);
      begin = end;
    }
  }

  void add(std::size_t label, std::size_t first, std::size_t end, LeakLevel level) {
    const std::string_view from = words_[first].verbatim;
    const std::string_view to = words_[end - 1].verbatim;
    LabelMention out{
        .label = label, .level = level, .begin = words_[first].begin, .end = words_[end - 1].end};
    out.text.assign(from.data(), to.data() + to.size());
    look_before(out, first);
    if (out.cue.empty()) look_after(out, end);
    if (out.is_uncertain) out.level = LeakLevel::l1;
    found_.push_back(std::move(out));
  }

  void look_before(LabelMention& mention, std::size_t first) const {
    for (std::size_t i = 1; i <= words_before && i <= first; ++i) {
      const FoldedWord& word = words_[first - i];
      if (word.sentence != words_[first].sentence || is_in(barriers, word.text)) return;
      const bool is_negation = is_in(negations, word.text);
      // "no history of": a denial before the words that doubt is one of the label.
      if (!is_negation && mention.is_uncertain) continue;
      mention.is_negated = is_negation;
      mention.is_uncertain = !is_negation && (is_in(doubts, word.text) || ends_doubt_pair(first - i));
      if (!mention.is_negated && !mention.is_uncertain) continue;
      mention.cue = word.text;
      if (is_negation || !ends_doubt_pair(first - i)) return;
    }
  }

  bool ends_doubt_pair(std::size_t at) const {
    return at > 0 && words_[at - 1].sentence == words_[at].sentence &&
           std::any_of(doubt_pairs.begin(), doubt_pairs.end(), [&](const auto& pair) {
             return words_[at - 1].text == pair[0] && words_[at].text == pair[1];
           });
  }

  // "cannot be excluded" is a doubt, "was excluded" a negation.
  void look_after(LabelMention& mention, std::size_t end) const {
    bool is_turned = false;
    for (std::size_t i = end; i < words_.size() && i < end + words_after; ++i) {
      const FoldedWord& word = words_[i];
      if (word.sentence != words_[end - 1].sentence || is_in(barriers, word.text)) return;
      if (word.text == "cannot" || word.text == "not") is_turned = true;
      const bool is_negation = is_in(later_negations, word.text);
      mention.is_negated = is_negation && !is_turned;
      mention.is_uncertain = (is_negation && is_turned) || is_in(later_doubts, word.text);
      if (!mention.is_negated && !mention.is_uncertain) continue;
      mention.cue = word.text;
      return;
    }
  }

  void drop_covered() {
    const std::vector<LabelMention> all = found_;
    std::erase_if(found_, [&all](const LabelMention& mention) {
      return std::any_of(all.begin(), all.end(), [&mention](const LabelMention& other) {
        const bool covers = other.begin <= mention.begin && mention.end <= other.end;
        const bool is_longer = other.end - other.begin > mention.end - mention.begin;
        return covers && is_longer && (other.level > LeakLevel::l1 || other.is_uncertain);
      });
    });
  }

  std::string_view text_;
  Words words_;
  std::span<const std::string> labels_;
  const LabelSynonyms& synonyms_;
  std::vector<LabelMention> found_;
};

Error at_line(std::size_t line, std::string message) {
  return {ErrorCode::invalid_data, std::move(message), Place{.line = line}};
}

}  // namespace

std::string_view to_string(LeakLevel level) {
  constexpr std::string_view names[] = {"L1", "L2", "L3"};
  return names[static_cast<std::size_t>(level) - 1];
}

Result<LabelSynonyms> LabelSynonyms::read(const Path& path) {
  constexpr std::uint64_t max_bytes = std::uint64_t{64} << 20;
  FIDUCIAL_TRY(const std::string text, read_text_file(path, max_bytes));
  return parse(text).in_file(path.string());
}

Result<LabelSynonyms> LabelSynonyms::parse(std::string_view text) {
  LabelSynonyms out;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (first_invalid_utf8(rest)) return at_line(line, "not valid UTF-8");
    if (rest.starts_with('#') || is_blank(rest)) continue;
    std::vector<std::string> group;
    while (true) {
      const std::size_t bar = std::min(rest.find('|'), rest.size());
      const std::string name = folded_text(folded_words(rest.substr(0, bar)));
      if (!name.empty()) {
        out.by_name_.emplace(name, out.groups_.size());
        group.emplace_back(rest.substr(0, bar));
      }
      if (bar == rest.size()) break;
      rest.remove_prefix(bar + 1);
    }
    if (group.size() < 2) {
      return at_line(line, "expected names separated by '|', found " + decimal(group.size()));
    }
    out.groups_.push_back(std::move(group));
  }
  return out;
}

std::vector<std::string> LabelSynonyms::of(std::string_view name) const {
  const std::string folded = folded_text(folded_words(name));
  std::vector<std::string> out;
  const auto [begin, end] = by_name_.equal_range(folded);
  for (auto at = begin; at != end; ++at) {
    for (const std::string& other : groups_[at->second]) {
      if (folded_text(folded_words(other)) != folded) out.push_back(other);
    }
  }
  return out;
}

std::vector<LabelMention> label_mentions(std::string_view text, std::span<const std::string> labels,
                                         const LabelSynonyms& synonyms) {
  return MentionSearch(text, labels, synonyms).mentions();
}

}  // namespace fiducial
