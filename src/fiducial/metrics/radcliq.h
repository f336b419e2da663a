#pragma once

#include <array>
#include <string_view>

namespace fiducial {

// What RadCliQ is made of: scores of one text against its reference, each from 0 (nothing in common) to 1.
struct RadcliqComponents {
  static constexpr std::array<std::string_view, 4> names{"radgraph", "bertscore", "semb", "bleu2"};

  double radgraph = 0;   // mean of entity and relation F1, original RadGraph model
  double bertscore = 0;  // distilroberta-base F1, layer 5, rescaled
  double semb = 0;       // cosine of CheXbert embeddings
  double bleu2 = 0;

  friend bool operator==(const RadcliqComponents&, const RadcliqComponents&) = default;
};

// The composites of Yu et al. (2023). Lower is better: an identical text has -1.44 in version 1, one that has
// nothing in common 2.45.
double radcliq_v0(const RadcliqComponents& of);
double radcliq_v1(const RadcliqComponents& of);

}  // namespace fiducial
