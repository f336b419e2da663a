#include "fiducial/text/answer_ties.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace fiducial {

namespace {

// "B, then A": the next one of a ranking.
bool ranks_next(AnswerSentence tokens, std::size_t at) {
  return tokens[at].word == "then" && at > 1 && tokens[at - 1].mark == ',' &&
         (tokens[at - 2].is_mention() || is_bracket(tokens[at - 2]));
}

// "Possibly B" says less than "probably B".
bool is_weak_guess(const std::string& word) {
  constexpr std::string_view weak[] = {"maybe", "perhaps", "possibly",   "tal vez",  "quizás", "peut-être",
                                       "forse", "talvez",  "vielleicht", "возможно", "也许"};
  return std::find(std::begin(weak), std::end(weak), word) != std::end(weak);
}

bool is_item_number(const AnswerToken& token) {
  return !token.word.empty() && token.word.size() < 3 &&
         std::all_of(token.word.begin(), token.word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "The options are", "each option:", which introduces all of them and chooses none.
bool lists_options(AnswerSentence tokens, std::size_t at) {
  const std::string& word = tokens[at].word;
  if (word == "options" || word == "choices" || word == "letters" || word == "alternatives") return true;
  return at > 0 && (tokens[at - 1].word == "each" || tokens[at - 1].word == "every");
}

// "not A but B"
bool denied_before(AnswerSentence tokens, std::size_t end) {
  const AnswerSentence before = tokens.first(end).last(std::min(end, sentence_reach));
  return std::any_of(before.begin(), before.end(),
                     [](const AnswerToken& token) { return token.role == AnswerRole::no; });
}

Commitment strength_of_cue(AnswerSentence tokens, std::size_t at) {
  const AnswerToken& cue = tokens[at];
  if (cue.is_boxed) return Commitment::final;
  for (std::size_t i = at + 1; i-- > 0 && at - i < 4;) {
    if (tokens[i].word.starts_with("final") || tokens[i].role == AnswerRole::therefore)
      return Commitment::final;
  }
  return Commitment::stated;
}

// "the answer ... is", "it is", "most likely:".
std::optional<Commitment> tie_of_verb(AnswerSentence tokens, std::size_t verb, bool supported) {
  for (std::size_t at = verb; at-- > 0 && verb - at < sentence_reach;) {
    const AnswerToken& token = tokens[at];
    if (token.role == AnswerRole::hypothesis && token.word.starts_with("differential")) return std::nullopt;
    if (token.role == AnswerRole::cue) return strength_of_cue(tokens, at);
    if (token.role == AnswerRole::ranking) return Commitment::stated;
    if (token.role == AnswerRole::choice && lists_options(tokens, at)) return std::nullopt;
    if (token.role == AnswerRole::choice && !token.word.starts_with("alternativ"))
      return strength_of_cue(tokens, at);
    if (token.role == AnswerRole::therefore) return Commitment::final;
    if (token.role == AnswerRole::it || token.role == AnswerRole::support) return Commitment::stated;
    if (token.is_mention() && verb - at == 1 && tokens[verb].mark == ':') return std::nullopt;  // "B: ..."
  }
  if (supported || tokens[verb].mark != ':') return Commitment::stated;
  return Commitment::indicated;
}

}  // namespace

std::optional<Commitment> tie_before(AnswerSentence tokens, const MentionGroup& group) {
  std::size_t at = group.begin;
  bool supported = false;
  bool concluded = false;
  while (at > 0 && group.begin - at < word_reach) {
    const AnswerToken& token = tokens[at - 1];
    if (ranks_next(tokens, at - 1)) return std::nullopt;
    if (token.role == AnswerRole::support) {
      supported = true;
    } else if (token.role == AnswerRole::therefore) {
      concluded = true;
    } else if (token.role != AnswerRole::filler && token.role != AnswerRole::choice && token.mark != '(' &&
               token.mark != ',' && token.mark != '-' && !is_reversal(tokens, at - 1) &&
               !is_item_number(token)) {
      break;
    }
    if (is_reversal(tokens, at - 1)) concluded = true;
    --at;
  }
  if (at == 0) {
    if (concluded) return Commitment::final;
    if (supported) return Commitment::stated;
    return std::nullopt;
  }
  const AnswerToken& token = tokens[at - 1];
  switch (token.role) {
    case AnswerRole::is:
      if (leads_differential(tokens, group)) return Commitment::indicated;
      return tie_of_verb(tokens, at - 1, supported || concluded);
    case AnswerRole::cue:
      return strength_of_cue(tokens, at - 1);
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
  if (token.is_mention() && supported && is_mark(tokens[at], ','))
    return Commitment::stated;                                         // "A or B, likelier B"
  const bool is_turn = token.role == AnswerRole::contrast && at == 1;  // "However, D."
  if (is_turn && group.end == tokens.size()) return Commitment::stated;
  if (chooses_between(tokens, group.begin)) return Commitment::stated;
  if (concluded) return Commitment::stated;
  if (token.role == AnswerRole::contrast && denied_before(tokens, at - 1)) return Commitment::stated;
  return std::nullopt;
}

bool leads_differential(AnswerSentence tokens, const MentionGroup& group) {
  return group.begin > 2 && tokens[group.begin - 1].word == "1" && is_mark(tokens[group.begin - 2], ':') &&
         tokens[group.begin - 3].word.starts_with("differential");
}

bool is_ranked(AnswerSentence tokens, const MentionGroup& group) {
  const AnswerSentence before = tokens.first(group.begin);
  return std::any_of(before.begin(), before.end(),
                     [](const AnswerToken& token) { return token.role == AnswerRole::ranking; });
}

bool is_reversal(AnswerSentence tokens, std::size_t at) {
  const std::string& word = tokens[at].word;
  if (word != "no" && word != "nope" && word != "non" && word != "nein") return false;
  return at + 1 < tokens.size() && (tokens[at + 1].mark == ',' || tokens[at + 1].mark == '-');
}

}  // namespace fiducial
