#include "fiducial/metrics/text_metric.h"

#include <set>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/random.h"

namespace fiducial {
namespace {

using Texts = std::vector<std::string>;

std::string random_sentence(Random& random) {
  const char* words[] = {"a",   "small", "nodule", "is", "seen",     "in",
                         "the", "left",  "lung",   "no", "effusion", "."};
  std::string out;
  const std::int64_t count = random.between(1, 12);
  for (std::int64_t i = 0; i < count; ++i) {
    if (!out.empty()) out += ' ';
    out += words[random.below(std::size(words))];
  }
  return out;
}

Texts random_texts(Random& random, int count) {
  Texts out;
  for (int i = 0; i < count; ++i) out.push_back(random_sentence(random));
  return out;
}

// Those that need no further input.
std::vector<const TextMetric*> plain_metrics() {
  std::vector<const TextMetric*> out;
  for (const TextMetric& metric : all_text_metrics()) {
    if (metric.contract.id.find("wordnet") == std::string::npos) out.push_back(&metric);
  }
  return out;
}

std::optional<double> value_of(const TextMetric& metric, const Texts& references, const Texts& predictions) {
  const Score score = metric.score(TextPairs(references, predictions));
  return score.defined() ? std::optional(score.value()) : std::nullopt;
}

// The greatest value that a contract promises: "[0, 100]".
double top_of(const MetricContract& contract) {
  const std::size_t comma = contract.range.find(", ");
  return parse_double(contract.range.substr(comma + 2, contract.range.size() - comma - 3)).value_or(-1);
}

TEST(TextMetrics, have_ids_of_their_own_and_a_range) {
  std::set<std::string> ids;
  for (const TextMetric& metric : all_text_metrics()) {
    EXPECT_TRUE(ids.insert(metric.contract.id).second) << metric.contract.id;
    EXPECT_EQ(metric.contract.range.substr(0, 4), "[0, ") << metric.contract.id;
    EXPECT_GT(top_of(metric.contract), 0) << metric.contract.id;
  }
}

TEST(TextMetrics, stay_within_the_range_of_their_contract) {
  Random random(5, "texts");
  for (int round = 0; round < 20; ++round) {
    const Texts references = random_texts(random, 6);
    const Texts predictions = random_texts(random, 6);
    for (const TextMetric* metric : plain_metrics()) {
      const auto value = value_of(*metric, references, predictions);
      ASSERT_TRUE(value) << metric->contract.id;
      EXPECT_GE(*value, 0) << metric->contract.id;
      EXPECT_LE(*value, top_of(metric->contract) + 1e-9) << metric->contract.id;
    }
  }
}

TEST(TextMetrics, are_never_better_than_for_equal_texts) {
  Random random(6, "equal");
  for (int round = 0; round < 20; ++round) {
    const Texts references = random_texts(random, 6);
    const Texts others = random_texts(random, 6);
    for (const TextMetric* metric : plain_metrics()) {
      EXPECT_LE(*value_of(*metric, references, others), *value_of(*metric, references, references) + 1e-9)
          << metric->contract.id;
    }
  }
}

TEST(TextMetrics, are_zero_where_nothing_was_predicted) {
  const Texts references{"a small nodule is seen in the left lung", "no pleural effusion is seen here"};
  for (const TextMetric* metric : plain_metrics()) {
    EXPECT_EQ(value_of(*metric, references, {"", ""}), 0) << metric->contract.id;
  }
}

TEST(TextMetrics, never_gain_from_a_text_that_is_left_out_where_the_contract_says_so) {
  Random random(7, "less");
  for (int round = 0; round < 30; ++round) {
    const Texts references = random_texts(random, 5);
    const Texts predictions = random_texts(random, 5);
    Texts fewer = predictions;
    fewer[random.below(fewer.size())].clear();
    for (const TextMetric* metric : plain_metrics()) {
      if (!metric->contract.less_is_never_better) continue;
      EXPECT_LE(*value_of(*metric, references, fewer), *value_of(*metric, references, predictions) + 1e-12)
          << metric->contract.id;
    }
  }
}

}  // namespace
}  // namespace fiducial
