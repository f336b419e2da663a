#include "fiducial/text/answer_statements.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fiducial/text/answer_verdicts.h"

namespace fiducial {

namespace {

// Reads one sentence.
class SentenceReader {
 public:
  SentenceReader(AnswerSentence tokens, bool is_question, bool is_first_line, AnswerReading& out)
      : tokens_(tokens), is_question_(is_question), is_first_line_(is_first_line), out_(out) {}

  void read() {
    answer_question();
    note_refusals();
    for (std::size_t at = 0; at < tokens_.size();) {
      if (!counts_as_mention(tokens_, at)) {
        ++at;
        continue;
      }
      const MentionGroup group = group_at(tokens_, at);
      judge(group);
      at = group.end;
    }
  }

 private:
  // "Yes" or "No" to what was asked before.
  void answer_question() {
    const std::string asked = std::move(out_.asked);
    out_.asked.clear();
    if (asked.empty() || tokens_.empty()) return;
    if (tokens_[0].role == AnswerRole::no) {
      add_letters(out_.rejected, asked);
    } else if (tokens_[0].role == AnswerRole::support) {
      add_letters(out_.named, asked);
      out_.statements.push_back({.strength = Commitment::stated, .letters = asked});
    }
  }

  void note_refusals() {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      const AnswerToken& token = tokens_[at];
      out_.refuses = out_.refuses || token.role == AnswerRole::refuse;
      out_.denies_all = out_.denies_all || token.role == AnswerRole::nothing || is_letter_beyond(at);
    }
  }

  // "Answer: F": a value of one letter or digit that no option has.
  bool is_letter_beyond(std::size_t at) const {
    const AnswerToken& token = tokens_[at];
    if (token.is_mention() || token.word.size() != 1 || at == 0) return false;
    if (at + 1 < tokens_.size() && !tokens_[at + 1].word.empty()) return false;
    std::size_t before = at - 1;
    while (before > 0 && is_bracket(tokens_[before])) --before;
    return tokens_[before].role == AnswerRole::is || tokens_[before].role == AnswerRole::cue ||
           tokens_[before].role == AnswerRole::choice;
  }

  void judge(const MentionGroup& group) {
    if (is_question_) return ask(group);
    if (is_spared(tokens_, group)) {
      add_letters(out_.named, group.letters);
      out_.statements.push_back(
          {.strength = Commitment::stated, .letters = group.letters, .is_text = group.is_text});
      return;
    }
    if (is_denied_before(tokens_, group)) return add_letters(out_.rejected, group.letters);
    MentionVerdict verdict = verdict_after(tokens_, group);
    std::string letters = group.letters;
    const std::optional<Commitment> tie = tie_before(tokens_, group);
    if (verdict == MentionVerdict::rejected && tie && group.letters.size() > group.first.size() &&
        group.first_join == ',') {
      letters = group.first;  // "Answer: B, C and D are excluded"
      std::string others = group.letters.substr(group.first.size());
      add_letters(out_.rejected, others);
      verdict = MentionVerdict::open;
    }
    if (verdict == MentionVerdict::rejected) return add_letters(out_.rejected, letters);
    if (tie && group.letters.size() > 1 && is_ranked(tokens_, group)) letters = group.first;
    add_letters(out_.named, letters);
    if (group.is_text) add_letters(out_.named_by_text, letters);
    if (is_hypothetical(tokens_, group)) return;
    commit(group, letters, tie, verdict);
  }

  // "B?" is a guess until the next sentence says yes or no; "Which of A to E is it?" is none.
  void ask(const MentionGroup& group) {
    const bool is_guess = group.begin == 0 || tokens_[group.begin - 1].mark == ':' ||
                          tokens_[group.begin - 1].role == AnswerRole::it ||
                          tokens_[group.begin - 1].role == AnswerRole::maybe;
    if (is_guess && group.end == tokens_.size()) out_.asked = group.letters;
  }

  void commit(const MentionGroup& group, const std::string& letters, std::optional<Commitment> tie,
              MentionVerdict verdict) {
    std::optional<Commitment> strength = tie;
    if (verdict == MentionVerdict::supported)
      strength = std::max(strength.value_or(Commitment::stated), Commitment::stated);
    if (!strength && verdict == MentionVerdict::indicated) strength = Commitment::indicated;
    if (!strength && leads_sentence(group)) strength = Commitment::bare;
    if (!strength || letters.size() == 5) return;  // all of them: "choose one of A, B, C, D, E"
    const bool is_boxed = group.begin >= 2 && tokens_[0].is_boxed;
    out_.statements.push_back({*strength, letters, group.is_text, is_boxed, is_first_line_});
  }

  // "B.", "(B)", "B, not A", "B because ...".
  bool leads_sentence(const MentionGroup& group) const {
    for (std::size_t at = 0; at < group.begin; ++at) {
      const AnswerToken& token = tokens_[at];
      if (!is_bracket(token) && token.role != AnswerRole::choice && token.role != AnswerRole::filler)
        return false;
    }
    if (group.end == tokens_.size()) return true;
    const AnswerToken& after = tokens_[group.end];
    return after.mark != 0 || after.role == AnswerRole::because || after.role == AnswerRole::no ||
           after.role == AnswerRole::instead;
  }

  AnswerSentence tokens_;
  bool is_question_;
  bool is_first_line_;
  AnswerReading& out_;
};

// One letter, perhaps in brackets, with "option" or with the text of its option.
bool is_letter_only(const std::vector<AnswerToken>& tokens) {
  std::size_t mentions = 0;
  for (const AnswerToken& token : tokens) {
    if (token.is_mention()) {
      if (token.is_text || token.letters.size() > 1) return false;
      ++mentions;
    } else if (token.mark == ',' || (token.mark == 0 && token.role != AnswerRole::choice)) {
      return false;
    }
  }
  return mentions == 1;
}

// "\boxed{A} or \boxed{B}" commits to no more than "A or B" does: each box is a sentence, and so is what
// joins them.
class BoxJoiner {
 public:
  void read(const AnswerSentence& sentence, std::vector<AnswerStatement>& statements) {
    const bool is_box = sentence[0].is_boxed && statements.size() > told_;
    if (is_box && is_joined_) add_letters(statements.back().letters, statements[told_ - 1].letters);
    is_joined_ = after_box_ && std::all_of(sentence.begin(), sentence.end(), [](const AnswerToken& token) {
                   return token.role == AnswerRole::join || token.mark == ',';
                 });
    after_box_ = is_box;
    told_ = statements.size();
  }

 private:
  std::size_t told_ = 0;  // statements of the sentences before
  bool after_box_ = false;
  bool is_joined_ = false;
};

}  // namespace

AnswerReading read_statements(const std::vector<AnswerToken>& tokens) {
  AnswerReading out;
  out.is_letter_only = is_letter_only(tokens);
  std::size_t begin = 0;
  bool is_first_line = true;
  BoxJoiner boxes;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!tokens[at].ends_sentence()) continue;
    const AnswerSentence sentence(tokens.data() + begin, at - begin);
    if (!sentence.empty()) {
      SentenceReader(sentence, tokens[at].mark == '?', is_first_line, out).read();
      boxes.read(sentence, out.statements);
      is_first_line = false;
    }
    begin = at + 1;
  }
  if (!out.asked.empty()) {  // nothing follows the guess
    add_letters(out.named, out.asked);
    out.statements.push_back({.strength = Commitment::bare, .letters = out.asked});
  }
  return out;
}

}  // namespace fiducial
