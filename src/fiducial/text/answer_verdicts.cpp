#include "fiducial/text/answer_verdicts.h"

#include <algorithm>

#include "fiducial/text/answer_ties.h"

namespace fiducial {

namespace {

// "B not A", "B and not option A": the word belongs to what follows it.
bool denies_next(AnswerSentence tokens, std::size_t at) {
  ++at;
  while (at < tokens.size() && !tokens[at].is_mention() &&
         (tokens[at].role == AnswerRole::filler || tokens[at].role == AnswerRole::choice ||
          tokens[at].word == "likely"))
    ++at;
  return at < tokens.size() && tokens[at].is_mention();
}

// "B shows a scar" tells what B looks like, not that it is there.
bool describes(const AnswerToken& token) {
  return token.word.starts_with("show") || token.word.starts_with("reveal") ||
         token.word.starts_with("demonstrate");
}

// "A if ..., otherwise B"
bool depends(AnswerSentence tokens, const MentionGroup& group) {
  if (group.end >= tokens.size() || tokens[group.end].word != "if") return false;
  return std::any_of(
      tokens.begin() + static_cast<std::ptrdiff_t>(group.end), tokens.end(),
      [](const AnswerToken& token) { return token.word == "otherwise" || token.word == "else"; });
}

}  // namespace

MentionVerdict verdict_after(AnswerSentence tokens, const MentionGroup& group) {
  std::size_t others = 0;
  bool has_verb = false;
  const bool is_left = group.end + 1 == tokens.size() && tokens[group.end].word == "remains";
  if (is_left) return MentionVerdict::supported;
  for (std::size_t at = group.end; at < tokens.size() && at < group.end + word_reach; ++at) {
    const AnswerToken& token = tokens[at];
    switch (token.role) {
      case AnswerRole::no:
        return denies_next(tokens, at) || tokens[at - 1].mark == ',' ? MentionVerdict::open
                                                                     : MentionVerdict::rejected;
      case AnswerRole::reject:
        if (!has_verb && denies_next(tokens, at)) return MentionVerdict::open;  // "B (less likely A)"
        return MentionVerdict::rejected;
      case AnswerRole::denied:
      case AnswerRole::exclude:
      case AnswerRole::inferior:
        return MentionVerdict::rejected;
      case AnswerRole::support:
        return MentionVerdict::supported;
      case AnswerRole::points:
        return describes(token) ? MentionVerdict::open : MentionVerdict::indicated;
      case AnswerRole::cue:
      case AnswerRole::choose:
        return has_verb ? MentionVerdict::supported : MentionVerdict::open;
      case AnswerRole::is:
        has_verb = true;
        break;
      case AnswerRole::filler:
      case AnswerRole::choice:
      case AnswerRole::maybe:
        break;
      case AnswerRole::other:
        if (token.is_mention() || ++others > 2) return MentionVerdict::open;
        break;
      default:
        if (is_bracket(token) || is_mark(token, '-')) break;
        return MentionVerdict::open;
    }
  }
  return MentionVerdict::open;
}

bool is_denied_before(AnswerSentence tokens, const MentionGroup& group) {
  std::size_t others = 0;
  for (std::size_t at = group.begin; at-- > 0 && group.begin - at < word_reach;) {
    const AnswerToken& token = tokens[at];
    switch (token.role) {
      case AnswerRole::no:
        return !is_reversal(tokens, at);
      case AnswerRole::instead:
      case AnswerRole::exclude:
        return true;
      case AnswerRole::reject:
        return others == 0 && !(token.mark == 0 && at > 0 && tokens[at - 1].role == AnswerRole::is);
      case AnswerRole::contrast:
      case AnswerRole::because:
      case AnswerRole::therefore:
      case AnswerRole::choose:
      case AnswerRole::it:
        if (at > 0 && tokens[at - 1].role == AnswerRole::exclude) break;  // "I doubt it is A"
        return false;
      case AnswerRole::denied:
      case AnswerRole::inferior:
      case AnswerRole::only:
        return false;
      case AnswerRole::cue:
        if (others > 0) return false;
        break;
      case AnswerRole::other:
        if (counts_joined(tokens, at) || ++others > 2) return false;  // "not E: the answer is C"
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

bool is_hypothetical(AnswerSentence tokens, const MentionGroup& group) {
  if (depends(tokens, group)) return true;
  if (leads_differential(tokens, group)) return false;
  bool same_clause = true;
  for (std::size_t at = group.begin; at-- > 0 && group.begin - at < sentence_reach;) {
    const AnswerToken& token = tokens[at];
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

bool is_spared(AnswerSentence tokens, const MentionGroup& group) {
  std::size_t at = group.begin;
  while (at > 0 && (tokens[at - 1].role == AnswerRole::filler || tokens[at - 1].role == AnswerRole::choice ||
                    is_bracket(tokens[at - 1])))
    --at;
  return at > 0 && tokens[at - 1].role == AnswerRole::only;
}

}  // namespace fiducial
