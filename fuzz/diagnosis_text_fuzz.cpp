// label_mentions, identifier_hints and LabelSynonyms on any text: spans lie inside it, in order, and say what
// they stand for. Any reply is cleaned and gives one letter by a rule, or none; any text gives words.
#include <algorithm>

#include "fiducial/eval/inputs/reply_cleanup.h"
#include "fiducial/text/answer_extraction.h"
#include "fiducial/text/identifier_hints.h"
#include "fiducial/text/label_mentions.h"
#include "fiducial/text/porter_stemmer.h"
#include "fiducial/text/treebank_words.h"

#include "fuzz_input.h"

namespace {

using namespace fiducial;

void use_as_reply(std::string_view text) {
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    const ExtractedAnswer answer =
        extract_answer(cleaned_reply(text, scorer), {"a", "Crohn's disease", "b b", "", "b"});
    fuzz::require(answer.letter.has_value() == (answer.rule < AnswerRule::ambiguous));
    fuzz::require(!answer.letter || (*answer.letter >= 'A' && *answer.letter <= 'E'));
  }
  for (const std::string& word : treebank_words(text)) {
    fuzz::require(!word.empty());
    fuzz::require(porter_stem(word).size() <= word.size() + 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = as_text(fuzz::view(bytes, size));
  use_as_reply(text);
  const std::size_t cut = std::min(text.find('\n'), text.size());
  const std::vector<std::string> labels = {std::string(text.substr(0, cut)), "Crohn's disease (CD)", "a"};
  const std::string_view history = text.substr(std::min(cut + 1, text.size()));
  const Result<LabelSynonyms> synonyms = LabelSynonyms::parse(text);
  for (const LabelMention& mention :
       label_mentions(history, labels, synonyms.ok() ? *synonyms : LabelSynonyms())) {
    fuzz::require(mention.label < labels.size() && mention.begin < mention.end &&
                  mention.end <= history.size());
    fuzz::require(history.find(mention.text) != std::string_view::npos);
    fuzz::require((mention.is_negated || mention.is_uncertain) == !mention.cue.empty());
  }
  std::size_t end = 0;
  for (const IdentifierHint& hint : identifier_hints(history)) {
    fuzz::require(hint.begin >= end && hint.begin < hint.end && hint.end <= history.size());
    end = hint.end;
  }
  return 0;
}
