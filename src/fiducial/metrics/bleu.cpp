#include "fiducial/text/bleu.h"

#include "fiducial/base/number_text.h"
#include "fiducial/metrics/text_metric.h"

namespace fiducial {

namespace {

using Formula = double (*)(const BleuCounts& counts, int order);

double sacre_corpus(const BleuCounts& counts, int order) { return bleu_sacre(counts, order, false); }
double sacre_sentence(const BleuCounts& counts, int order) { return bleu_sacre(counts, order, true); }

template <BleuWords words, Formula formula, int order>
Score corpus_bleu(const TextPairs& pairs) {
  BleuCounts sum;
  for (const BleuCounts& counts : pairs.bleu_counts(words)) sum += counts;
  return formula(sum, order);
}

template <BleuWords words, Formula formula, int order>
std::vector<double> bleu_values(const TextPairs& pairs) {
  std::vector<double> out;
  for (const BleuCounts& counts : pairs.bleu_counts(words)) out.push_back(formula(counts, order));
  return out;
}

// What the four orders of a variant share.
struct Variant {
  std::string name;  // "13a_smooth"
  std::string range = "[0, 1]";
  std::string unit = "1";
  std::string definition;
  std::string parameters;
  std::string citation;
  bool is_shown = false;  // by tasks; the others are for comparisons of texts
};

template <BleuWords words, Formula corpus, Formula single, int order>
void append_order(std::vector<TextMetric>& out, const Variant& variant) {
  const std::string n = decimal(order);
  MetricContract contract{
      .id = "bleu" + n + "_" + variant.name,
      .title = "BLEU-" + n,
      .input = "texts",
      .group = "bleu",
      .range = variant.range,
      .unit = variant.unit,
      .empty = {.both = "0", .reference = "near 0", .prediction = "0", .missing = "0", .missing_value = 0},
      .definition = variant.definition + ", of orders 1 to " + n + "; counts summed over the texts",
      .parameters = variant.parameters,
      .valid_for = "corpora of texts with one reference each",
      .citation = variant.citation};
  MetricContract mean = contract;
  mean.id += "_mean";
  mean.title = "mean BLEU-" + n;
  mean.definition = variant.definition + ", of orders 1 to " + n + "; per text, then the mean";
  using Tasks = std::vector<std::string>;
  out.push_back({.contract = contract,
                 .slot = "bleu_" + n,
                 .together = corpus_bleu<words, corpus, order>,
                 .corpus_order = variant.is_shown ? order : 0,
                 .tasks = variant.is_shown ? Tasks{"diagnosis"} : Tasks{}});
  out.push_back({.contract = mean, .slot = "mean_bleu_" + n, .values = bleu_values<words, single, order>});
  if (!variant.is_shown) out.back().tasks = Tasks{};
}

template <BleuWords words, Formula corpus, Formula single>
void append_variant(std::vector<TextMetric>& out, const Variant& variant) {
  append_order<words, corpus, single, 1>(out, variant);
  append_order<words, corpus, single, 2>(out, variant);
  append_order<words, corpus, single, 3>(out, variant);
  append_order<words, corpus, single, 4>(out, variant);
}

}  // namespace

std::vector<TextMetric> bleu_metrics() {
  std::vector<TextMetric> out;
  append_variant<BleuWords::words_13a, bleu_add_one, bleu_add_one>(
      out, {.name = "13a_smooth",
            .definition = "geometric mean of (matches + 1) / (possible + 1) times the brevity penalty",
            .parameters = "tokens 13a, case kept; add-one smoothing at every order",
            .citation = "Papineni 2002; Lin and Och 2004 smoothing, as used for RadGenome-Chest CT",
            .is_shown = true});
  append_variant<BleuWords::white_space, bleu_coco, bleu_coco>(
      out, {.name = "coco",
            .definition = "root of the product of (matches + 1e-15) / (possible + 1e-9) times the penalty",
            .parameters = "white-space tokens, case kept",
            .citation = "Papineni 2002; as the COCO caption evaluation and RadEval compute it"});
  append_variant<BleuWords::white_space, bleu_nltk, bleu_nltk>(
      out, {.name = "nltk",
            .definition = "geometric mean of the precisions, a zero count being the smallest double",
            .parameters = "white-space tokens, case kept; NLTK smoothing method 0",
            .citation = "Papineni 2002; as NLTK 3 computes it"});
  append_variant<BleuWords::words_13a, sacre_corpus, sacre_sentence>(
      out, {.name = "sacre",
            .range = "[0, 100]",
            .unit = "percent",
            .definition = "geometric mean of the precisions, the k-th zero count being 1 / 2^k",
            .parameters = "tokens 13a, case kept; exponential smoothing; effective order for single texts",
            .citation = "Post 2018, A call for clarity in reporting BLEU scores; as sacrebleu computes it"});
  return out;
}

}  // namespace fiducial
