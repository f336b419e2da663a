#include "fiducial/metrics/text_metric.h"

#include <algorithm>
#include <numeric>

namespace fiducial {

const TextMetric* find_text_metric(std::string_view id) {
  for (const TextMetric& metric : all_text_metrics()) {
    if (metric.contract.id == id) return &metric;
  }
  return nullptr;
}

std::vector<const TextMetric*> text_metrics_of(std::string_view task) {
  std::vector<const TextMetric*> out;
  for (const TextMetric& metric : all_text_metrics()) {
    const auto& tasks = metric.tasks;
    if (!tasks || std::find(tasks->begin(), tasks->end(), task) != tasks->end()) out.push_back(&metric);
  }
  const auto rank = [](const TextMetric* metric) {
    return metric->values == nullptr ? 2 : metric->needs_synonyms ? 1 : 0;
  };
  std::stable_sort(out.begin(), out.end(),
                   [&rank](const TextMetric* a, const TextMetric* b) { return rank(a) < rank(b); });
  return out;
}

std::vector<std::string> text_groups_of(std::string_view task) {
  std::vector<std::string> out;
  for (const TextMetric* metric : text_metrics_of(task)) {
    const std::string& group = metric->contract.group;
    if (std::find(out.begin(), out.end(), group) == out.end()) out.push_back(group);
  }
  return out;
}

Score TextMetric::score(const TextPairs& pairs) const {
  if (needs_synonyms && !pairs.has_synonyms()) return Score::undefined("no WordNet");
  if (values == nullptr) return together(pairs);
  const std::vector<double> all = values(pairs);
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

}  // namespace fiducial
