#include "fiducial/datasets/co_occurrence.h"

#include <algorithm>

namespace fiducial {

void add_pairs(const std::set<std::string>& names, PairCounts& counts) {
  for (auto first = names.begin(); first != names.end(); ++first) {
    for (auto second = std::next(first); second != names.end(); ++second) ++counts[{*first, *second}];
  }
}

Json pairs_json(const PairCounts& counts, const char* key, const char* things) {
  Json out{Json::Array{}};
  for (const auto& [pair, count] : counts)
    out.push(Json::object({{key, Json::array({pair.first, pair.second})}, {things, count}}));
  return out;
}

DescribedDistribution drawn_pairs(DescribedDistribution head, const std::string& things,
                                  const std::vector<SplitPairs>& splits) {
  constexpr std::size_t most_pairs = 20;
  PairCounts all;
  for (const SplitPairs& split : splits) {
    for (const auto& [pair, count] : *split.counts) all[pair] += count;
  }
  std::vector<std::pair<NamePair, std::int64_t>> pairs(all.begin(), all.end());
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  pairs.resize(std::min(pairs.size(), most_pairs));
  head.value_title = "share of the split's " + things;
  head.labels_are_names = true;
  for (const auto& [pair, count] : pairs) head.labels.push_back(pair.first + " and " + pair.second);
  for (const SplitPairs& split : splits) {
    if (split.whole == 0) continue;
    DescribedSeries series{.name = split.name, .things = things, .whole = split.whole};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto found = split.counts->find(pairs[i].first);
      series.counts.push_back({found == split.counts->end() ? std::int64_t{0} : found->second,
                               split.name + ", " + head.labels[i]});
    }
    head.series.push_back(std::move(series));
  }
  return head;
}

}  // namespace fiducial
