#include "fiducial/findings/lexicon.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/findings/phrase_pattern.h"

namespace fiducial {

std::string_view embedded_lexicon();

namespace {

// Shorter words have too many neighbours that mean something else.
constexpr std::size_t shortest_misspelt = 9;

// Most phrases go on in few ways, which are found faster one after the other.
constexpr std::size_t few_steps = 8;

Error at_line(std::uint64_t line, std::string message) {
  return {ErrorCode::invalid_data, std::move(message), Place{.path = "lexicon", .line = line}};
}

std::optional<ConceptKind> kind_of(std::string_view word) {
  if (word == "cue") return ConceptKind::cue;
  if (word == "anatomy") return ConceptKind::anatomy;
  if (word == "finding") return ConceptKind::finding;
  if (word == "disorder") return ConceptKind::disorder;
  return std::nullopt;
}

}  // namespace

class LexiconParser {
 public:
  Result<Lexicon> lexicon(std::string_view text) {
    lexicon_.nodes_.resize(1);
    for (const RuleLine& line : rule_lines(text)) {
      FIDUCIAL_TRY_DONE(line.text.front() == '[' ? open_concept(line) : add_phrases(line));
    }
    if (lexicon_.concepts_.empty()) return at_line(1, "no concept");
    finish();
    return std::move(lexicon_);
  }

 private:
  Outcome open_concept(const RuleLine& line) {
    const std::size_t space = line.text.find(' ');
    if (line.text.back() != ']' || space == std::string_view::npos) {
      return at_line(line.number, "expected \"[kind name]\", found \"" + std::string(line.text) + "\"");
    }
    const auto kind = kind_of(line.text.substr(1, space - 1));
    if (!kind) return at_line(line.number, "a kind is cue, anatomy, finding or disorder");
    const std::vector<std::string_view> words = split_trimmed(line.text.substr(1, line.text.size() - 2), ' ');
    const std::string name(words[1]);
    Concept made{.name = name, .kind = *kind, .part_of = std::nullopt};
    if (words.size() == 4 && words[2] == "of") {
      made.part_of = lexicon_.find_concept(words[3]);
      if (!made.part_of) return at_line(line.number, "no concept \"" + std::string(words[3]) + "\" above");
    } else if (words.size() != 2) {
      return at_line(line.number, "expected \"[kind name]\" or \"[kind name of whole]\"");
    }
    if (lexicon_.find_concept(name)) return at_line(line.number, "a second concept \"" + name + "\"");
    if (lexicon_.concepts_.size() >= Lexicon::max_concepts) return at_line(line.number, "too many concepts");
    lexicon_.concepts_.push_back(std::move(made));
    return done();
  }

  Outcome add_phrases(const RuleLine& line) {
    if (lexicon_.concepts_.empty()) return at_line(line.number, "a phrase before the first concept");
    for (const std::string_view pattern : split_trimmed(line.text, '|')) {
      Result<std::vector<std::string>> phrases = expanded_pattern(pattern);
      if (!phrases.ok())
        return std::move(phrases).error().context("reading \"" + std::string(pattern) + "\"");
      for (const std::string& phrase : *phrases) {
        FIDUCIAL_TRY_DONE(add_phrase(phrase, line.number));
      }
    }
    return done();
  }

  Outcome add_phrase(const std::string& written, std::uint64_t line) {
    std::string_view phrase = written;
    const auto concept_id = static_cast<ConceptId>(lexicon_.concepts_.size() - 1);
    std::uint32_t node = 0;
    while (!phrase.empty()) {  // its words have single spaces between them
      const std::string_view word = phrase.substr(0, phrase.find(' '));
      phrase.remove_prefix(std::min(word.size() + 1, phrase.size()));
      const bool close = word.front() == '_';
      if (close && (node == 0 || word.size() == 1)) return at_line(line, "\"_\" stands between two words");
      node = child(node, close ? word_id(word.substr(1)) | Lexicon::close : word_id(word));
    }
    if (node == 0) return at_line(line, "an empty phrase");
    std::int32_t& accepts = lexicon_.nodes_[node].accepts;
    if (accepts >= 0 && accepts != concept_id) {
      return at_line(line, "\"" + written + "\" already means " +
                               lexicon_.concepts_[static_cast<std::size_t>(accepts)].name);
    }
    accepts = concept_id;
    return done();
  }

  WordId word_id(std::string_view word) {
    const WordId id = lexicon_.words_.insert(word, static_cast<WordId>(lexicon_.words_.size() + 1));
    if (word.size() >= shortest_misspelt && lexicon_.concepts_.back().kind != ConceptKind::cue)
      add_misspelt(word, id);
    return id;
  }

  void add_misspelt(std::string_view word, WordId id) {
    if (may_be_misspelt_.size() <= id) may_be_misspelt_.resize(std::size_t{id} * 2 + 1);
    if (may_be_misspelt_[id]) return;
    may_be_misspelt_[id] = true;
    std::string shorter(word.substr(1));  // without its first letter, its second, and so on
    for (std::size_t i = 0; i < word.size(); ++i) {
      lexicon_.misspelt_.insert(shorter, id);
      if (i < shorter.size()) shorter[i] = word[i];
    }
    lexicon_.misspelt_.insert(word, id);
  }

  std::uint32_t child(std::uint32_t node, WordId word) {
    for (const auto& [known, next] : lexicon_.nodes_[node].next) {
      if (known == word) return next;
    }
    const auto made = static_cast<std::uint32_t>(lexicon_.nodes_.size());
    lexicon_.nodes_.emplace_back();
    lexicon_.nodes_[node].next.emplace_back(word, made);
    return made;
  }

  void finish() {
    for (Lexicon::Node& node : lexicon_.nodes_) std::sort(node.next.begin(), node.next.end());
    lexicon_.first_.assign(lexicon_.words_.size() + 1, 0);
    for (const auto& [word, next] : lexicon_.nodes_[0].next) lexicon_.first_[word] = next;
  }

  Lexicon lexicon_;
  std::vector<bool> may_be_misspelt_;  // by number: words that have been added to those
};

Result<Lexicon> Lexicon::parse(std::string_view text) { return LexiconParser().lexicon(text); }

const Lexicon& Lexicon::chest_ct() {
  static const Lexicon lexicon = [] {
    Result<Lexicon> parsed = parse(embedded_lexicon());
    FIDUCIAL_ASSERT(parsed.ok());
    return std::move(parsed).value();
  }();
  return lexicon;
}

ConceptId Lexicon::required_concept(std::string_view name) const {
  const auto found = find_concept(name);
  FIDUCIAL_ASSERT(found.has_value());
  return *found;
}

std::optional<ConceptId> Lexicon::find_concept(std::string_view name) const {
  for (std::size_t i = 0; i < concepts_.size(); ++i) {
    if (concepts_[i].name == name) return static_cast<ConceptId>(i);
  }
  return std::nullopt;
}

// Two words are one letter apart exactly when they are equal after at most one letter is left out of each, or
// of one of them; swapped neighbours are among those.
WordId Lexicon::word(std::string_view lower, std::uint64_t hash) const {
  if (const WordId known = words_.find(lower, hash)) return known;
  if (lower.size() < shortest_misspelt || lower.size() > WordTable::longest_word) return unknown_word;
  return misspelt_.find_without_a_letter(lower);
}

WordId Lexicon::word(std::string_view lower) const {
  std::uint64_t hash = 0;
  for (const char c : lower) hash = WordTable::hash_with(hash, c);
  return word(lower, hash);
}

std::uint32_t Lexicon::step(std::uint32_t node, WordId word) const {
  const auto& next = nodes_[node].next;
  if (next.size() <= few_steps) {
    for (const auto& [known, after] : next) {
      if (known == word) return after;
    }
    return 0;
  }
  const auto found = std::lower_bound(next.begin(), next.end(), std::pair<WordId, std::uint32_t>(word, 0));
  return found != next.end() && found->first == word ? found->second : 0;
}

std::optional<Lexicon::Match> Lexicon::longest_match(std::span<const WordId> words) const {
  std::optional<Match> best;
  std::uint32_t node = words.empty() || !begins_phrase(words[0]) ? 0 : first_[words[0]];
  for (std::size_t i = 1; node != 0; ++i) {
    if (nodes_[node].accepts >= 0) best = Match{static_cast<ConceptId>(nodes_[node].accepts), i};
    const std::size_t after = i;
    while (i < words.size() && words[i] == joining_sign) ++i;
    if (i >= words.size()) break;
    const auto& next = nodes_[node].next;
    const bool may_be_close = i == after && !next.empty() && next.back().first >= close;
    const std::uint32_t closely = may_be_close ? step(node, words[i] | close) : 0;
    node = closely != 0 ? closely : step(node, words[i]);
  }
  return best;
}

}  // namespace fiducial
