#include "fiducial/text/answer_statements.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

namespace fiducial {

namespace {

using Tokens = std::span<const AnswerToken>;

constexpr std::size_t reach = 12;           // how far a word governs a mention, in tokens
constexpr std::size_t sentence_reach = 80;  // how far a sentence is held together

void add_letters(std::string& to, const std::string& letters) {
  for (const char letter : letters) {
    if (to.find(letter) == std::string::npos) to += letter;
  }
}

bool is_mark(const AnswerToken& token, char mark) { return token.mark == mark; }
bool is_bracket(const AnswerToken& token) { return token.mark == '(' || token.mark == ')'; }

// Mentions that stand together as one value: "B", "A or C", "A, B and D".
struct Group {
  std::size_t begin = 0;
  std::size_t end = 0;  // behind the last mention
  std::string letters;
  std::string first;  // the letters of its first mention
  bool is_text = false;
  bool has_words = false;  // joined by "and" or "or", not by commas alone
  char first_join = 0;     // what follows its first mention: ',' or a word
};

// Reads one sentence.
class SentenceReader {
 public:
  SentenceReader(Tokens tokens, bool is_question, bool is_first_line, AnswerReading& out)
      : tokens_(tokens), is_question_(is_question), is_first_line_(is_first_line), out_(out) {}

  void read() {
    answer_question();
    note_refusals();
    for (std::size_t at = 0; at < tokens_.size();) {
      if (!counts_as_mention(at)) {
        ++at;
        continue;
      }
      const Group group = group_at(at);
      judge(group);
      at = group.end;
    }
  }

 private:
  enum class Verdict { open, supported, indicated, rejected };

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

  // Small letters, which may be words, count where a letter is expected only.
  bool counts_as_mention(std::size_t at) const {
    const AnswerToken& token = tokens_[at];
    if (!token.is_mention()) return false;
    if (!token.is_small) return true;
    if (at + 1 < tokens_.size()) {
      const AnswerToken& after = tokens_[at + 1];
      const bool may_follow = after.mark != 0 || after.role == AnswerRole::because ||
                              after.role == AnswerRole::no || after.role == AnswerRole::join ||
                              after.role == AnswerRole::instead || is_own_text(token, after) ||
                              (token.word != "a" && token.word != "A" && token.letters != "A");
      if (!may_follow && after.role != AnswerRole::is) return false;
      if (token.word == "a" && !may_follow) return false;
    }
    if (at == 0) {
      return tokens_.size() == 1 || tokens_[1].mark != 0 || is_own_text(token, tokens_[1]) ||
             tokens_[1].role == AnswerRole::is;
    }
    const AnswerToken& before = tokens_[at - 1];
    return before.role == AnswerRole::is || before.role == AnswerRole::cue ||
           before.role == AnswerRole::choice || before.role == AnswerRole::choose || before.mark == '(' ||
           (before.role == AnswerRole::filler && at > 1 && is_answer_verb(tokens_[at - 2].role)) ||
           before.role == AnswerRole::therefore || is_mark(before, ',') || is_mark(before, '-') ||
           before.role == AnswerRole::no || before.role == AnswerRole::join;
  }

  static bool is_own_text(const AnswerToken& letter, const AnswerToken& after) {
    return after.is_text && after.letters == letter.letters;
  }

  static bool is_answer_verb(AnswerRole role) {
    return role == AnswerRole::is || role == AnswerRole::choose || role == AnswerRole::cue;
  }

  Group group_at(std::size_t at) const {
    Group group{.begin = at, .end = at + 1, .first = tokens_[at].letters, .is_text = tokens_[at].is_text};
    add_letters(group.letters, tokens_[at].letters);
    std::size_t next = at + 1;
    bool joined = false;
    while (next < tokens_.size() && next < at + 64) {
      const AnswerToken& token = tokens_[next];
      if (token.mark == ',' && (chooses_between(next + 1) || names_other(next + 1))) break;
      const bool is_join = token.role == AnswerRole::join || weighs(next) || spans(next);
      if (is_join || token.mark == ',') {
        joined = true;
        group.has_words = group.has_words || is_join;
        if (group.first_join == 0) group.first_join = token.mark == ',' ? ',' : 'w';
      } else if (joined && counts_joined(next) && !is_among(group.letters, token) &&
                 !(begins_clause(next) && !group.has_words)) {
        add_letters(group.letters, token.letters);
        group.is_text = group.is_text && token.is_text;
        group.end = next + 1;
        joined = false;
      } else if (token.role != AnswerRole::choice && token.role != AnswerRole::maybe && token.word != "the" &&
                 !is_bracket(token)) {
        break;
      }
      ++next;
    }
    return group;
  }

  // "A or B, probably B": what is named again is no third one.
  static bool is_among(const std::string& letters, const AnswerToken& mention) {
    return std::all_of(mention.letters.begin(), mention.letters.end(),
                       [&letters](char letter) { return letters.find(letter) != std::string::npos; });
  }

  // "A, alternative B": what is named beside an answer.
  bool names_other(std::size_t at) const {
    return at < tokens_.size() && tokens_[at].word.starts_with("alternativ");
  }

  // "B, then A": the next one of a ranking.
  bool ranks_next(std::size_t at) const {
    return tokens_[at].word == "then" && at > 1 && tokens_[at - 1].mark == ',' &&
           (tokens_[at - 2].is_mention() || is_bracket(tokens_[at - 2]));
  }

  // "B vs. A" names two candidates; only a choice before it ("I favour B over A") takes one of them.
  bool weighs(std::size_t at) const {
    if (tokens_[at].word != "vs" && tokens_[at].word != "versus") return false;
    const Tokens before = tokens_.first(at);
    return std::none_of(before.begin(), before.end(), [](const AnswerToken& token) {
      return token.role == AnswerRole::choose || token.word.starts_with("more ") || token.word == "better";
    });
  }

  // "A - E": from one letter to a later one.
  bool spans(std::size_t at) const {
    if (!is_mark(tokens_[at], '-') || at == 0 || at + 1 >= tokens_.size()) return false;
    const AnswerToken& before = tokens_[at - 1];
    const AnswerToken& after = tokens_[at + 1];
    if (!before.is_mention() || !after.is_mention() || before.is_text || after.is_text || after.is_small)
      return false;
    return before.letters < after.letters && !begins_clause(at + 1);
  }

  // "..., D is possible": a mention with a verb of its own.
  bool begins_clause(std::size_t at) const {
    if (at + 1 >= tokens_.size()) return false;
    const AnswerToken& after = tokens_[at + 1];
    return (after.role == AnswerRole::is && after.mark == 0) || after.role == AnswerRole::hypothesis ||
           after.word == "can" || after.word == "has" || after.word == "seems" ||
           after.role == AnswerRole::points;
  }

  bool counts_joined(std::size_t at) const {
    return tokens_[at].is_mention() && (!tokens_[at].is_small || counts_as_mention(at));
  }

  // Whether what stands before a group denies it: "not A", "cannot be A", "rather than A".
  bool is_denied_before(const Group& group) const {
    std::size_t others = 0;
    for (std::size_t at = group.begin; at-- > 0 && group.begin - at < reach;) {
      const AnswerToken& token = tokens_[at];
      switch (token.role) {
        case AnswerRole::no:
          return !is_reversal(at);
        case AnswerRole::instead:
        case AnswerRole::exclude:
          return true;
        case AnswerRole::reject:
          return others == 0 && !(token.mark == 0 && at > 0 && tokens_[at - 1].role == AnswerRole::is);
        case AnswerRole::contrast:
        case AnswerRole::because:
        case AnswerRole::therefore:
        case AnswerRole::choose:
        case AnswerRole::it:
          if (at > 0 && tokens_[at - 1].role == AnswerRole::exclude) break;  // "I doubt it is A"
          return false;
        case AnswerRole::denied:
        case AnswerRole::inferior:
        case AnswerRole::only:
          return false;
        case AnswerRole::cue:
          if (others > 0) return false;
          break;
        case AnswerRole::other:
          if (counts_joined(at) || ++others > 2) return false;  // "not E: the answer is C"
          break;
        default:
          if (token.mark == ',' && at + 1 == group.begin) return false;
          if (token.is_mention() ||
              (token.mark != 0 && token.mark != ',' && token.mark != '(' && token.mark != ':'))
            return false;
      }
    }
    return false;
  }

  // "No, D": the word turns from what was said before, and denies nothing that follows.
  bool is_reversal(std::size_t at) const {
    const std::string& word = tokens_[at].word;
    if (word != "no" && word != "nope" && word != "non" && word != "nein") return false;
    return at + 1 < tokens_.size() && (tokens_[at + 1].mark == ',' || tokens_[at + 1].mark == '-');
  }

  // "B not A", "B and not option A": the word belongs to what follows it.
  bool denies_next(std::size_t at) const {
    ++at;
    while (at < tokens_.size() && !tokens_[at].is_mention() &&
           (tokens_[at].role == AnswerRole::filler || tokens_[at].role == AnswerRole::choice ||
            tokens_[at].word == "likely"))
      ++at;
    return at < tokens_.size() && tokens_[at].is_mention();
  }

  // What is said of a group behind it: "is correct", "can be excluded".
  Verdict verdict_after(const Group& group) const {
    std::size_t others = 0;
    bool has_verb = false;
    const bool is_left = group.end + 1 == tokens_.size() && tokens_[group.end].word == "remains";
    if (is_left) return Verdict::supported;
    for (std::size_t at = group.end; at < tokens_.size() && at < group.end + reach; ++at) {
      const AnswerToken& token = tokens_[at];
      switch (token.role) {
        case AnswerRole::no:
          return denies_next(at) || tokens_[at - 1].mark == ',' ? Verdict::open : Verdict::rejected;
        case AnswerRole::reject:
          if (!has_verb && denies_next(at)) return Verdict::open;  // "B (less likely A)"
          return Verdict::rejected;
        case AnswerRole::denied:
        case AnswerRole::exclude:
        case AnswerRole::inferior:
          return Verdict::rejected;
        case AnswerRole::support:
          return Verdict::supported;
        case AnswerRole::points:
          return describes(token) ? Verdict::open : Verdict::indicated;
        case AnswerRole::cue:
        case AnswerRole::choose:
          return has_verb ? Verdict::supported : Verdict::open;
        case AnswerRole::is:
          has_verb = true;
          break;
        case AnswerRole::filler:
        case AnswerRole::choice:
        case AnswerRole::maybe:
          break;
        case AnswerRole::other:
          if (token.is_mention() || ++others > 2) return Verdict::open;
          break;
        default:
          if (is_bracket(token) || is_mark(token, '-')) break;
          return Verdict::open;
      }
    }
    return Verdict::open;
  }

  // "B shows a scar" tells what B looks like, not that it is there.
  static bool describes(const AnswerToken& token) {
    return token.word.starts_with("show") || token.word.starts_with("reveal") ||
           token.word.starts_with("demonstrate");
  }

  // "A if ..., otherwise B"
  bool depends(const Group& group) const {
    if (group.end >= tokens_.size() || tokens_[group.end].word != "if") return false;
    return std::any_of(
        tokens_.begin() + static_cast<std::ptrdiff_t>(group.end), tokens_.end(),
        [](const AnswerToken& token) { return token.word == "otherwise" || token.word == "else"; });
  }

  bool is_hypothetical(const Group& group) const {
    if (depends(group)) return true;
    if (leads_differential(group)) return false;
    bool same_clause = true;
    for (std::size_t at = group.begin; at-- > 0 && group.begin - at < sentence_reach;) {
      const AnswerToken& token = tokens_[at];
      same_clause = same_clause && token.mark != ',';
      if (token.role == AnswerRole::therefore || token.role == AnswerRole::contrast) return false;
      if (token.role == AnswerRole::choose && at + 3 >= group.begin) return false;
      if (token.role == AnswerRole::earlier) return true;
      if (token.role != AnswerRole::hypothesis) continue;
      if (token.word == "if" || token.word == "were" || token.word == "whether" || token.word == "unless" ||
          token.word == "suppose" || token.word == "assuming" || token.word == "supposing" ||
          (same_clause && group.begin - at <= 4))
        return true;
    }
    return false;
  }

  // What ties a group to an answer before it, if anything does.
  std::optional<Commitment> tie_before(const Group& group) const {
    std::size_t at = group.begin;
    bool supported = false;
    bool concluded = false;
    while (at > 0 && group.begin - at < reach) {
      const AnswerToken& token = tokens_[at - 1];
      if (ranks_next(at - 1)) return std::nullopt;
      if (token.role == AnswerRole::support) {
        supported = true;
      } else if (token.role == AnswerRole::therefore) {
        concluded = true;
      } else if (token.role != AnswerRole::filler && token.role != AnswerRole::choice && token.mark != '(' &&
                 token.mark != ',' && token.mark != '-' && !is_reversal(at - 1) && !is_item_number(token)) {
        break;
      }
      if (is_reversal(at - 1)) concluded = true;
      --at;
    }
    if (at == 0) {
      if (concluded) return Commitment::final;
      if (supported) return Commitment::stated;
      return std::nullopt;
    }
    const AnswerToken& token = tokens_[at - 1];
    switch (token.role) {
      case AnswerRole::is:
        if (leads_differential(group)) return Commitment::indicated;
        return tie_of_verb(at - 1, supported || concluded);
      case AnswerRole::cue:
        return strength_of_cue(at - 1);
      case AnswerRole::choose:
      case AnswerRole::ranking:
        return Commitment::stated;
      case AnswerRole::maybe:
        return is_weak_guess(token.word) ? Commitment::guessed : Commitment::indicated;
      case AnswerRole::points:
      case AnswerRole::inferior:
        return Commitment::indicated;
      default:
        break;
    }
    if (token.is_mention() && supported && is_mark(tokens_[at], ','))
      return Commitment::stated;                                         // "A or B, likelier B"
    const bool is_turn = token.role == AnswerRole::contrast && at == 1;  // "However, D."
    if (is_turn && group.end == tokens_.size()) return Commitment::stated;
    if (chooses_between(group.begin)) return Commitment::stated;
    if (concluded) return Commitment::stated;
    if (token.role == AnswerRole::contrast && denied_before(at - 1)) return Commitment::stated;
    return std::nullopt;
  }

  // "Possibly B" says less than "probably B".
  static bool is_weak_guess(const std::string& word) {
    constexpr std::string_view weak[] = {"maybe", "perhaps", "possibly",   "tal vez",  "quizás", "peut-être",
                                         "forse", "talvez",  "vielleicht", "возможно", "也许"};
    return std::find(std::begin(weak), std::end(weak), word) != std::end(weak);
  }

  // "Differential diagnosis: 1. B", whose first is the likeliest.
  bool leads_differential(const Group& group) const {
    return group.begin > 2 && tokens_[group.begin - 1].word == "1" &&
           is_mark(tokens_[group.begin - 2], ':') &&
           tokens_[group.begin - 3].word.starts_with("differential");
  }

  static bool is_item_number(const AnswerToken& token) {
    return !token.word.empty() && token.word.size() < 3 &&
           std::all_of(token.word.begin(), token.word.end(), [](char c) { return c >= '0' && c <= '9'; });
  }

  // "The options are", "each option:", which introduces all of them and chooses none.
  bool lists_options(std::size_t at) const {
    const std::string& word = tokens_[at].word;
    if (word == "options" || word == "choices" || word == "letters" || word == "alternatives") return true;
    return at > 0 && (tokens_[at - 1].word == "each" || tokens_[at - 1].word == "every");
  }

  // "Between A and B, B"
  bool chooses_between(std::size_t at) const {
    return at > 3 && tokens_[at - 1].mark == ',' && tokens_[0].role == AnswerRole::hypothesis &&
           tokens_[1].is_mention();
  }

  // "not A but B"
  bool denied_before(std::size_t end) const {
    const Tokens before = tokens_.first(end).last(std::min(end, sentence_reach));
    return std::any_of(before.begin(), before.end(),
                       [](const AnswerToken& token) { return token.role == AnswerRole::no; });
  }

  Commitment strength_of_cue(std::size_t at) const {
    const AnswerToken& cue = tokens_[at];
    if (cue.is_boxed) return Commitment::final;
    for (std::size_t i = at + 1; i-- > 0 && at - i < 4;) {
      if (tokens_[i].word.starts_with("final") || tokens_[i].role == AnswerRole::therefore)
        return Commitment::final;
    }
    return Commitment::stated;
  }

  // "the answer ... is", "it is", "most likely:".
  std::optional<Commitment> tie_of_verb(std::size_t verb, bool supported) const {
    for (std::size_t at = verb; at-- > 0 && verb - at < sentence_reach;) {
      const AnswerToken& token = tokens_[at];
      if (token.role == AnswerRole::hypothesis && token.word.starts_with("differential")) return std::nullopt;
      if (token.role == AnswerRole::cue) return strength_of_cue(at);
      if (token.role == AnswerRole::ranking) return Commitment::stated;
      if (token.role == AnswerRole::choice && lists_options(at)) return std::nullopt;
      if (token.role == AnswerRole::choice && !token.word.starts_with("alternativ"))
        return strength_of_cue(at);
      if (token.role == AnswerRole::therefore) return Commitment::final;
      if (token.role == AnswerRole::it || token.role == AnswerRole::support) return Commitment::stated;
      if (token.is_mention() && verb - at == 1 && tokens_[verb].mark == ':') return std::nullopt;  // "B: ..."
    }
    if (supported || tokens_[verb].mark != ':') return Commitment::stated;
    return Commitment::indicated;
  }

  void judge(const Group& group) {
    if (is_question_) return ask(group);
    if (is_spared(group)) {
      add_letters(out_.named, group.letters);
      out_.statements.push_back(
          {.strength = Commitment::stated, .letters = group.letters, .is_text = group.is_text});
      return;
    }
    if (is_denied_before(group)) return add_letters(out_.rejected, group.letters);
    Verdict verdict = verdict_after(group);
    std::string letters = group.letters;
    const std::optional<Commitment> tie = tie_before(group);
    if (verdict == Verdict::rejected && tie && group.letters.size() > group.first.size() &&
        group.first_join == ',') {
      letters = group.first;  // "Answer: B, C and D are excluded"
      std::string others = group.letters.substr(group.first.size());
      add_letters(out_.rejected, others);
      verdict = Verdict::open;
    }
    if (verdict == Verdict::rejected) return add_letters(out_.rejected, letters);
    if (tie && group.letters.size() > 1 && is_ranked(group)) letters = group.first;
    add_letters(out_.named, letters);
    if (group.is_text) add_letters(out_.named_by_text, letters);
    if (is_hypothetical(group)) return;
    commit(group, letters, tie, verdict);
  }

  // "Everything but B is excluded"
  bool is_spared(const Group& group) const {
    std::size_t at = group.begin;
    while (at > 0 && (tokens_[at - 1].role == AnswerRole::filler ||
                      tokens_[at - 1].role == AnswerRole::choice || is_bracket(tokens_[at - 1])))
      --at;
    return at > 0 && tokens_[at - 1].role == AnswerRole::only;
  }

  // "Ranked: B, A, C"
  bool is_ranked(const Group& group) const {
    const Tokens before = tokens_.first(group.begin);
    return std::any_of(before.begin(), before.end(),
                       [](const AnswerToken& token) { return token.role == AnswerRole::ranking; });
  }

  // "B?" is a guess until the next sentence says yes or no; "Which of A to E is it?" is none.
  void ask(const Group& group) {
    const bool is_guess = group.begin == 0 || tokens_[group.begin - 1].mark == ':' ||
                          tokens_[group.begin - 1].role == AnswerRole::it ||
                          tokens_[group.begin - 1].role == AnswerRole::maybe;
    if (is_guess && group.end == tokens_.size()) out_.asked = group.letters;
  }

  void commit(const Group& group, const std::string& letters, std::optional<Commitment> tie,
              Verdict verdict) {
    std::optional<Commitment> strength = tie;
    if (verdict == Verdict::supported)
      strength = std::max(strength.value_or(Commitment::stated), Commitment::stated);
    if (!strength && verdict == Verdict::indicated) strength = Commitment::indicated;
    if (!strength && leads_sentence(group)) strength = Commitment::bare;
    if (!strength || letters.size() == 5) return;  // all of them: "choose one of A, B, C, D, E"
    const bool is_boxed = group.begin >= 2 && tokens_[0].is_boxed;
    out_.statements.push_back({*strength, letters, group.is_text, is_boxed, is_first_line_});
  }

  // "B.", "(B)", "B, not A", "B because ...".
  bool leads_sentence(const Group& group) const {
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

  Tokens tokens_;
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
  void read(const Tokens& sentence, std::vector<AnswerStatement>& statements) {
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
    const Tokens sentence(tokens.data() + begin, at - begin);
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
