#include "fiducial/text/meteor.h"

#include "fiducial/metrics/text_metric.h"

namespace fiducial {

std::vector<TextMetric> meteor_metrics() {
  MetricContract plain{
      .id = "meteor_nltk",
      .title = "METEOR",
      .input = "texts",
      .group = "meteor",
      .range = "[0, 1]",
      .empty = {.both = "0", .reference = "0", .prediction = "0", .missing = "0", .missing_value = 0},
      .definition =
          "PR / (0.9 P + 0.1 R) of aligned words times 1 - 0.5 (chunks / matches)^3; mean over the "
          "texts",
      .parameters = "Treebank words in lower case; exact words, then Porter stems",
      .valid_for = "English text",
      .citation = "Banerjee and Lavie 2005; as NLTK 3 computes it without WordNet"};
  MetricContract synonyms = plain;
  synonyms.id = "meteor_nltk_wordnet";
  synonyms.title = "METEOR with synonyms";
  synonyms.parameters += ", then synonyms of WordNet";
  synonyms.citation = "Banerjee and Lavie 2005; as NLTK 3 computes it";
  return {{.contract = plain,
           .slot = "meteor",
           .values = [](const TextPairs& pairs) { return pairs.meteor(false); }},
          {.contract = synonyms,
           .slot = "meteor_wordnet",
           .values = [](const TextPairs& pairs) { return pairs.meteor(true); },
           .needs_synonyms = true}};
}

}  // namespace fiducial
