#include "fiducial/text/rouge.h"

#include "fiducial/metrics/text_metric.h"

namespace fiducial {

namespace {

template <RougeScore RougeScores::*part, Stemming stemming>
std::vector<double> f1_values(const TextPairs& pairs) {
  std::vector<double> out;
  for (const RougeScores& scores : pairs.rouge(stemming)) out.push_back((scores.*part).f1);
  return out;
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

// As the publications of these tasks have it: steps by stems, reports by words, and no Lsum of reports.
std::optional<std::vector<std::string>> rouge_tasks(const TextMetric& metric, Stemming stemming) {
  if (stemming == Stemming::porter) return std::vector<std::string>{"diagnosis"};
  if (metric.slot == "rouge_lsum") return std::vector<std::string>{};
  return std::vector<std::string>{"region_tables", "grounded_reports"};
}

template <Stemming stemming>
std::vector<TextMetric> variants(const std::string& suffix, const std::string& parameters) {
  const std::string words = "words of a-z and 0-9 in lower case, ";
  std::vector<TextMetric> out{
      {contract("rouge_1" + suffix, "ROUGE-1", words + "clipped matches of single words"), "rouge_1",
       f1_values<&RougeScores::rouge_1, stemming>},
      {contract("rouge_2" + suffix, "ROUGE-2", words + "clipped matches of pairs of words"), "rouge_2",
       f1_values<&RougeScores::rouge_2, stemming>},
      {contract("rouge_l" + suffix, "ROUGE-L", words + "longest common subsequence of the whole texts"),
       "rouge_l", f1_values<&RougeScores::rouge_l, stemming>},
      {contract("rouge_lsum" + suffix, "ROUGE-Lsum",
                words + "union of the longest common subsequences, sentence by sentence"),
       "rouge_lsum", f1_values<&RougeScores::rouge_lsum, stemming>}};
  for (TextMetric& metric : out) {
    metric.contract.parameters = parameters;
    metric.tasks = rouge_tasks(metric, stemming);
  }
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
