#include "fiducial/text/answer_tokens.h"

#include "fiducial/text/answer_letters.h"
#include "fiducial/text/answer_option_texts.h"
#include "fiducial/text/answer_pieces.h"

namespace fiducial {

namespace {

// Joins words that have a role together.
std::vector<AnswerPiece> with_phrases(std::vector<AnswerPiece> pieces) {
  std::vector<AnswerPiece> out;
  for (std::size_t at = 0; at < pieces.size();) {
    std::string phrase;
    std::size_t best = 1;
    for (std::size_t i = at; i < pieces.size() && i < at + longest_answer_phrase; ++i) {
      const AnswerToken& token = pieces[i].token;
      if (token.word.empty() || token.is_boxed) break;
      phrase += (i == at ? "" : " ") + token.word;
      const AnswerRole role = i == at ? AnswerRole::other : answer_role(phrase);
      if (role == AnswerRole::other) continue;
      best = i + 1 - at;
      pieces[at].token.role = role;
    }
    out.push_back(std::move(pieces[at]));
    if (best > 1) out.back().token.word += " ...";
    at += best;
  }
  return out;
}

// Makes one mention of a letter and the text of its own option, whichever stands first.
std::vector<AnswerToken> with_own_texts(std::vector<AnswerPiece> pieces) {
  std::vector<AnswerToken> out;
  for (AnswerPiece& piece : pieces) {
    AnswerToken& token = piece.token;
    if (!token.is_mention() || out.empty()) {
      out.push_back(std::move(token));
      continue;
    }
    std::size_t before = out.size();
    while (before > 0 && out.size() - before < 3 && out[before - 1].mark != 0 &&
           out[before - 1].mark != '\n' && out[before - 1].mark != '?')
      --before;
    if (before == out.size() && out.back().role == AnswerRole::join && out.back().word == "/") --before;
    AnswerToken* earlier = before > 0 ? &out[before - 1] : nullptr;
    const bool is_pair = earlier != nullptr && earlier->is_mention() && earlier->is_text != token.is_text &&
                         earlier->letters == token.letters;
    // A letter before the text of another option counts as it stands; a comma parts them.
    const bool is_label = earlier != nullptr && earlier->is_mention() && !earlier->is_text && token.is_text &&
                          out.back().mark != ',' && before < out.size();
    if (is_pair && earlier->is_small && before == out.size()) {
      out.back() = std::move(token);  // "a viral pneumonia"
    } else if (is_pair || is_label) {
      out.resize(before);
      out.back().is_text = false;
      out.back().is_small = false;
    } else {
      out.push_back(std::move(token));
    }
  }
  return out;
}

}  // namespace

std::vector<AnswerToken> answer_tokens(std::string_view reply, const std::array<std::string, 5>& options,
                                       bool first_of_equal) {
  std::vector<AnswerPiece> pieces = answer_pieces(reply, options);
  pieces = with_option_texts(std::move(pieces), options, first_of_equal);
  return with_own_texts(with_option_letters(with_phrases(std::move(pieces))));
}

}  // namespace fiducial
