#include "fiducial/text/cider.h"

#include "fiducial/metrics/text_metric.h"

namespace fiducial {

std::vector<TextMetric> cider_metrics() {
  MetricContract contract{
      .id = "cider_d",
      .title = "CIDEr-D",
      .input = "texts",
      .group = "cider",
      .range = "[0, 10]",
      .empty = {.both = "0", .reference = "0", .prediction = "0", .missing = "0", .missing_value = 0},
      .definition =
          "clipped cosine of word counts weighted by rarity, n = 1 to 4, times a penalty on the "
          "difference of bigram counts (sigma 6), times 10; mean over the texts",
      .parameters = "white-space tokens, case kept; rarity from the references of the same corpus",
      .valid_for = "corpora of more than one text",
      .citation = "Vedantam 2015; equal to the COCO caption evaluation"};
  return {{.contract = contract,
           .slot = "cider_d",
           .values = [](const TextPairs& pairs) { return pairs.cider_d(); },
           .weighs_words = true}};
}

}  // namespace fiducial
