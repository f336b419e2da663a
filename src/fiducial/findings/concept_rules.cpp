#include "fiducial/findings/concept_rules.h"

#include <algorithm>

#include "fiducial/findings/phrase_pattern.h"

namespace fiducial {

namespace {

constexpr std::string_view asked_word = "question";

std::optional<std::string_view> after_word(std::string_view line, std::string_view word) {
  if (!line.starts_with(word) || line.size() <= word.size() || line[word.size()] != ' ') return std::nullopt;
  return line.substr(word.size() + 1);
}

}  // namespace

class ConceptRuleParser {
 public:
  ConceptRuleParser(std::string_view heading, const Lexicon& lexicon) : heading_(heading), lexicon_(lexicon) {
    rules_.lexicon_ = &lexicon;
    rules_.by_subject_.resize(lexicon.concepts().size());
  }

  Result<ConceptRules> rules(std::string_view text) {
    for (const RuleLine& line : rule_lines(text)) {
      FIDUCIAL_TRY_DONE(read_line(line));
    }
    if (rules_.names_.empty()) return at_line(1, "no " + heading_);
    return std::move(rules_);
  }

 private:
  Error at_line(std::uint64_t line, std::string message) const {
    return {ErrorCode::invalid_data, std::move(message), Place{.path = heading_ + " rules", .line = line}};
  }

  Outcome read_line(const RuleLine& line) {
    if (const auto name = after_word(line.text, heading_)) {
      open_name(*name);
      return done();
    }
    if (const auto concepts = after_word(line.text, "generic")) {
      FIDUCIAL_TRY(const ConceptSet said, concepts_in(*concepts, ',', line.number));
      rules_.generic_ = with_parts(said, lexicon_);
      return done();
    }
    const auto body = after_word(line.text, "when");
    if (!body) {
      return at_line(line.number,
                     "expected \"" + heading_ + "\" or \"when\", found \"" + std::string(line.text) + "\"");
    }
    if (rules_.names_.empty()) return at_line(line.number, "a rule before the first " + heading_);
    return read_rule(*body, line);
  }

  // A name may be opened again, where other rules come first.
  void open_name(std::string_view name) {
    const auto known = std::find(rules_.names_.begin(), rules_.names_.end(), name);
    name_ = static_cast<std::size_t>(known - rules_.names_.begin());
    if (known == rules_.names_.end()) rules_.names_.emplace_back(name);
  }

  Outcome read_rule(std::string_view body, const RuleLine& line) {
    constexpr std::string_view excluding = " without ";
    ConceptRules::Rule rule{.text = std::string(line.text), .name = name_};
    const std::size_t without = body.find(excluding);
    const std::string_view needed = body.substr(0, without);
    FIDUCIAL_TRY(rule.needed, concepts_in(needed, '+', line.number));
    const std::vector<std::string_view> subjects = split_trimmed(needed, '+');
    if (subjects.empty()) return at_line(line.number, "a rule without a concept");
    FIDUCIAL_TRY(rule.subject, concept_at(subjects.front(), line.number));
    if (without != std::string_view::npos) {
      for (const std::string_view name : split_trimmed(body.substr(without + excluding.size()), ',')) {
        if (name == asked_word) {
          rule.not_if_asked = true;
          continue;
        }
        FIDUCIAL_TRY(const ConceptId what, concept_at(name, line.number));
        rule.excluded.set(what);
      }
    }
    rules_.by_subject_[rule.subject].push_back(static_cast<std::uint32_t>(rules_.rules_.size()));
    rules_.rules_.push_back(std::move(rule));
    return done();
  }

  Result<ConceptSet> concepts_in(std::string_view names, char separator, std::uint64_t line) const {
    ConceptSet found;
    for (const std::string_view name : split_trimmed(names, separator)) {
      FIDUCIAL_TRY(const ConceptId what, concept_at(name, line));
      found.set(what);
    }
    return found;
  }

  Result<ConceptId> concept_at(std::string_view name, std::uint64_t line) const {
    if (const auto found = lexicon_.find_concept(name)) return *found;
    return at_line(line, "the lexicon has no concept \"" + std::string(name) + "\"");
  }

  std::string heading_;
  const Lexicon& lexicon_;
  ConceptRules rules_;
  std::size_t name_ = 0;  // the one that is open
};

Result<ConceptRules> ConceptRules::parse(std::string_view text, std::string_view heading,
                                         const Lexicon& lexicon) {
  return ConceptRuleParser(heading, lexicon).rules(text);
}

}  // namespace fiducial
