#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/random.h"
#include "fiducial/datasets/radgenome/split.h"

namespace fiducial::radgenome {

// Of presence questions that need the image, and of yes/no questions anywhere.
inline constexpr double highest_blind_accuracy = 0.60;

inline constexpr int blind_halvings = 5;
// Which half each patient is in.
std::vector<std::uint8_t> halved_patients(std::size_t patients, Random& random);

// A question as somebody sees it who does not look at the image.
struct BlindQuestion {
  std::uint32_t patient = 0;
  std::uint32_t key = 0;  // what is known: the finding, the place, or nothing (0)
  std::uint32_t answer = 0;
};

// How often the commonest answer of a key is right, learnt from one half of the patients and asked in the
// other, both ways, in five seeded halvings; keys that were never seen get the commonest answer of all.
// Nothing where there are fewer than two patients.
std::optional<double> blind_accuracy(std::vector<BlindQuestion> questions, std::uint64_t seed);

// What can be reached in the tables of a split without an image.
struct BlindBaselines {
  struct Value {
    std::string task;
    std::string known;    // what the guess is made from: "nothing", "finding", "finding_and_region", "region"
    std::string measure;  // "accuracy", "exact", "head"
    std::int64_t questions = 0;
    std::optional<double> value;
  };
  std::vector<Value> values;

  const Value* find(std::string_view task, std::string_view known, std::string_view measure) const;
  Json json() const;  // by task, then "<measure>_by_<known>"
  std::string text() const;
};
BlindBaselines blind_baselines(const Split& split, std::uint64_t seed);

}  // namespace fiducial::radgenome
