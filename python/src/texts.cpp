#include "texts.h"

#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/agreement/rating_table.h"
#include "fiducial/metrics/text_metric.h"
#include "fiducial/text/wordnet.h"

#include "errors.h"
#include "json_value.h"
#include "long_call.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

// What `fiducial metric text` gives: slot, contract id, and a value or why there is none.
nb::list text_scores(const std::vector<std::string>& references, const std::vector<std::string>& predictions,
                     bool stem, const std::string& bleu, const std::optional<Path>& wordnet) {
  if (references.size() != predictions.size() || references.empty()) {
    throw RaisedError(bad_usage(decimal(references.size()) + " references and " +
                                decimal(predictions.size()) +
                                " predictions; expected as many of both, and at least one"));
  }
  struct Value {
    const TextMetric* metric;
    Score score;
  };
  const auto values = long_call(
      nb::none(), [references, predictions, stem, bleu, wordnet](Progress&) -> Result<std::vector<Value>> {
        TextPairs pairs(references, predictions);
        std::optional<WordNet> synonyms;
        if (wordnet) {
          FIDUCIAL_TRY(synonyms, WordNet::open(*wordnet));
          pairs.use_synonyms(&*synonyms);
        }
        std::vector<Value> out;
        for (const TextMetric& metric : all_text_metrics()) {
          const std::string& id = metric.contract.id;
          const std::string variant = id.substr(id.find('_') + 1);
          const bool is_bleu = metric.contract.group == "bleu";
          const bool is_rouge = metric.contract.group == "rouge";
          if (is_rouge && !id.ends_with(stem ? "_stem" : "_nostem")) continue;
          if (is_bleu && variant != bleu && variant != bleu + "_mean") continue;
          out.push_back({&metric, metric.score(pairs)});
        }
        return out;
      });
  nb::list out;
  for (const Value& each : values) {
    out.append(nb::make_tuple(text(each.metric->slot), text(each.metric->contract.id),
                              each.score.defined() ? nb::cast(each.score.value()) : nb::none(),
                              text(each.score.reason())));
  }
  return out;
}

nb::any agreement(const std::vector<std::vector<std::optional<double>>>& ratings,
                  const std::vector<std::string>& raters, int resamples, std::uint64_t seed) {
  for (const auto& item : ratings) {
    if (item.size() == raters.size()) continue;
    throw RaisedError(bad_usage("an item has " + decimal(item.size()) + " ratings; expected one a rater, " +
                                decimal(raters.size())));
  }
  if (ratings.empty() || raters.size() < 2)
    throw RaisedError(bad_usage("items and two raters at least are needed"));
  if (resamples < 1) throw RaisedError(bad_usage("at least one resample is needed"));
  const RatingTable table{raters, ratings, true, {}};
  return to_python(long_call(nb::none(), [table, resamples, seed](Progress&) -> Result<Json> {
    return agreement_json(table, {.resamples = resamples, .seed = seed});
  }));
}

}  // namespace

void define_texts(nb::module_& module) {
  module.def("text_scores", text_scores, nb::arg("references"), nb::arg("predictions"), nb::arg("stem"),
             nb::arg("bleu"), nb::arg("wordnet").none());
  module.def("agreement", agreement, nb::arg("ratings"), nb::arg("raters"), nb::arg("resamples"),
             nb::arg("seed"));
}

}  // namespace fiducial::python
