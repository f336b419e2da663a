#include "fiducial/text/rouge.h"

#include "fiducial/metrics/text_mean.h"
#include "fiducial/metrics/text_metric.h"

namespace fiducial {

namespace {

template <RougeScore RougeScores::*part, Stemming stemming>
Score mean_f1(const TextPairs& pairs) {
  return mean_over(pairs.rouge(stemming), [](const RougeScores& scores) { return (scores.*part).f1; });
}

MetricContract contract(const std::string& id, const std::string& title, const std::string& definition) {
  return {.id = id,
          .title = title,
          .input = "texts",
          .group = "rouge",
          .range = "[0, 1]",
          .empty = {.both = "0", .reference = "0", .prediction = "0", .missing = "0", .missing_value = 0},
          .definition = definition + "; mean of F1 over the texts",
          .valid_for = "English text",
          .citation = "Lin 2004, ROUGE; equal to the package rouge-score to the last bit",
          .less_is_never_better = true};
}

template <Stemming stemming>
std::vector<TextMetric> variants(const std::string& suffix, const std::string& parameters) {
  const std::string words = "words of a-z and 0-9 in lower case, ";
  std::vector<TextMetric> out{
      {contract("rouge_1" + suffix, "ROUGE-1", words + "clipped matches of single words"), "rouge_1",
       mean_f1<&RougeScores::rouge_1, stemming>},
      {contract("rouge_2" + suffix, "ROUGE-2", words + "clipped matches of pairs of words"), "rouge_2",
       mean_f1<&RougeScores::rouge_2, stemming>},
      {contract("rouge_l" + suffix, "ROUGE-L", words + "longest common subsequence of the whole texts"),
       "rouge_l", mean_f1<&RougeScores::rouge_l, stemming>},
      {contract("rouge_lsum" + suffix, "ROUGE-Lsum",
                words + "union of the longest common subsequences, sentence by sentence"),
       "rouge_lsum", mean_f1<&RougeScores::rouge_lsum, stemming>}};
  for (TextMetric& metric : out) metric.contract.parameters = parameters;
  return out;
}

}  // namespace

std::vector<TextMetric> rouge_metrics() {
  std::vector<TextMetric> out = variants<Stemming::none>("_nostem", "no stemmer");
  for (TextMetric& metric : variants<Stemming::porter>(
           "_stem", "Porter stemmer with NLTK's extensions for words of more than 3 letters")) {
    out.push_back(std::move(metric));
  }
  return out;
}

}  // namespace fiducial
