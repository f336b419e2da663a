#include "fiducial/text/answer_mentions.h"

#include <algorithm>

namespace fiducial {

namespace {

bool is_own_text(const AnswerToken& letter, const AnswerToken& after) {
  return after.is_text && after.letters == letter.letters;
}

bool is_answer_verb(AnswerRole role) {
  return role == AnswerRole::is || role == AnswerRole::choose || role == AnswerRole::cue;
}

// "A or B, probably B": what is named again is no third one.
bool is_among(const std::string& letters, const AnswerToken& mention) {
  return std::all_of(mention.letters.begin(), mention.letters.end(),
                     [&letters](char letter) { return letters.find(letter) != std::string::npos; });
}

// "A, alternative B": what is named beside an answer.
bool names_other(AnswerSentence tokens, std::size_t at) {
  return at < tokens.size() && tokens[at].word.starts_with("alternativ");
}

// "B vs. A" names two candidates; only a choice before it ("I favour B over A") takes one of them.
bool weighs(AnswerSentence tokens, std::size_t at) {
  if (tokens[at].word != "vs" && tokens[at].word != "versus") return false;
  const AnswerSentence before = tokens.first(at);
  return std::none_of(before.begin(), before.end(), [](const AnswerToken& token) {
    return token.role == AnswerRole::choose || token.word.starts_with("more ") || token.word == "better";
  });
}

// "..., D is possible": a mention with a verb of its own.
bool begins_clause(AnswerSentence tokens, std::size_t at) {
  if (at + 1 >= tokens.size()) return false;
  const AnswerToken& after = tokens[at + 1];
  return (after.role == AnswerRole::is && after.mark == 0) || after.role == AnswerRole::hypothesis ||
         after.word == "can" || after.word == "has" || after.word == "seems" ||
         after.role == AnswerRole::points;
}

// "A - E": from one letter to a later one.
bool spans(AnswerSentence tokens, std::size_t at) {
  if (!is_mark(tokens[at], '-') || at == 0 || at + 1 >= tokens.size()) return false;
  const AnswerToken& before = tokens[at - 1];
  const AnswerToken& after = tokens[at + 1];
  if (!before.is_mention() || !after.is_mention() || before.is_text || after.is_text || after.is_small)
    return false;
  return before.letters < after.letters && !begins_clause(tokens, at + 1);
}

}  // namespace

void add_letters(std::string& to, const std::string& letters) {
  for (const char letter : letters) {
    if (to.find(letter) == std::string::npos) to += letter;
  }
}

bool counts_as_mention(AnswerSentence tokens, std::size_t at) {
  const AnswerToken& token = tokens[at];
  if (!token.is_mention()) return false;
  if (!token.is_small) return true;
  if (at + 1 < tokens.size()) {
    const AnswerToken& after = tokens[at + 1];
    const bool may_follow = after.mark != 0 || after.role == AnswerRole::because ||
                            after.role == AnswerRole::no || after.role == AnswerRole::join ||
                            after.role == AnswerRole::instead || is_own_text(token, after) ||
                            (token.word != "a" && token.word != "A" && token.letters != "A");
    if (!may_follow && after.role != AnswerRole::is) return false;
    if (token.word == "a" && !may_follow) return false;
  }
  if (at == 0) {
    return tokens.size() == 1 || tokens[1].mark != 0 || is_own_text(token, tokens[1]) ||
           tokens[1].role == AnswerRole::is;
  }
  const AnswerToken& before = tokens[at - 1];
  return before.role == AnswerRole::is || before.role == AnswerRole::cue ||
         before.role == AnswerRole::choice || before.role == AnswerRole::choose || before.mark == '(' ||
         (before.role == AnswerRole::filler && at > 1 && is_answer_verb(tokens[at - 2].role)) ||
         before.role == AnswerRole::therefore || is_mark(before, ',') || is_mark(before, '-') ||
         before.role == AnswerRole::no || before.role == AnswerRole::join;
}

bool counts_joined(AnswerSentence tokens, std::size_t at) {
  return tokens[at].is_mention() && (!tokens[at].is_small || counts_as_mention(tokens, at));
}

MentionGroup group_at(AnswerSentence tokens, std::size_t at) {
  MentionGroup group{.begin = at, .end = at + 1, .first = tokens[at].letters, .is_text = tokens[at].is_text};
  add_letters(group.letters, tokens[at].letters);
  std::size_t next = at + 1;
  bool joined = false;
  while (next < tokens.size() && next < at + 64) {
    const AnswerToken& token = tokens[next];
    if (token.mark == ',' && (chooses_between(tokens, next + 1) || names_other(tokens, next + 1))) break;
    const bool is_join = token.role == AnswerRole::join || weighs(tokens, next) || spans(tokens, next);
    if (is_join || token.mark == ',') {
      joined = true;
      group.has_words = group.has_words || is_join;
      if (group.first_join == 0) group.first_join = token.mark == ',' ? ',' : 'w';
    } else if (joined && counts_joined(tokens, next) && !is_among(group.letters, token) &&
               !(begins_clause(tokens, next) && !group.has_words)) {
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

bool chooses_between(AnswerSentence tokens, std::size_t at) {
  return at > 3 && tokens[at - 1].mark == ',' && tokens[0].role == AnswerRole::hypothesis &&
         tokens[1].is_mention();
}

}  // namespace fiducial
