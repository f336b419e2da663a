#include "fiducial/workflows/letter_probabilities.h"

#include <cmath>
#include <map>
#include <optional>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/cases/diagnosis_case.h"

namespace fiducial {

namespace {

// The letter that a token is, if it is one.
std::optional<char> letter_of(const Json& token) {
  const std::string text = text_at(token, "token");
  const std::string_view bare = trimmed(text, " \t\n\"'");
  if (bare.size() != 1 || DiagnosisCase::letters.find(bare[0]) == std::string_view::npos) return std::nullopt;
  return bare[0];
}

// The token that gives the answer, or nothing.
const Json* answering_token(const Json::Array& tokens) {
  const Json* first = nullptr;
  std::string before;
  for (const Json& token : tokens) {
    if (letter_of(token)) {
      if (before.find("answer") != std::string::npos) return &token;
      if (first == nullptr) first = &token;
    }
    before += text_at(token, "token");
  }
  return before.find("answer") == std::string::npos ? first : nullptr;
}

}  // namespace

Json letter_probabilities(const Json& logprobs) {
  if (logprobs.as_array() == nullptr) return {};
  const Json* token = answering_token(*logprobs.as_array());
  if (token == nullptr) return {};
  std::map<char, double> sums;
  const Json::Array* listed = find_array(*token, "top_logprobs");
  const Json::Array own{*token};
  for (const Json& each : listed == nullptr || listed->empty() ? own : *listed) {
    const auto letter = letter_of(each);
    const auto value = number_at(each, "logprob");
    if (letter && value) sums[*letter] += std::exp(*value);
  }
  Json out = Json::Object{};
  for (const char letter : DiagnosisCase::letters) out.set(std::string(1, letter), sums[letter]);
  return out;
}

}  // namespace fiducial
