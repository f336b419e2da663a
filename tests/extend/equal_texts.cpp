#include "fiducial/metrics/text_metric.h"

namespace fiducial {

std::vector<TextMetric> equal_texts_metrics() {
  MetricContract contract{.id = "equal_texts",
                          .title = "Equal texts",
                          .input = "texts",
                          .group = "equal",
                          .range = "[0, 1]",
                          .empty = {"1", "0", "0", "0", 0},
                          .definition = "texts that are their reference / texts",
                          .parameters = "none",
                          .valid_for = "any text",
                          .citation = "none"};
  return {{.contract = contract, .slot = "equal_texts", .values = [](const TextPairs& pairs) {
             std::vector<double> out;
             for (std::size_t i = 0; i < pairs.size(); ++i)
               out.push_back(pairs.reference(i) == pairs.prediction(i) ? 1 : 0);
             return out;
           }}};
}

}  // namespace fiducial
