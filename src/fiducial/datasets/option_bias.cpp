#include "fiducial/datasets/option_bias.h"

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

double share(double part, std::int64_t whole) { return whole == 0 ? 0 : part / static_cast<double>(whole); }

std::string p_text(double p) { return p < 0.0001 ? "p < 0.0001" : "p = " + fixed(p, 4); }

}  // namespace

void OptionBias::add(const DiagnosisCase& entry) {
  if (!entry.has_key()) return;
  ++cases;
  ++letters[DiagnosisCase::letters.find(entry.key)];
  if (entry.longest_option()) ++with_longest;
  if (entry.key_is_longest()) ++key_is_longest;
}

Json OptionBias::json() const {
  const EvennessTest even = letter_evenness();
  Json by_letter = Json::object({});
  for (std::size_t i = 0; i < letters.size(); ++i) {
    by_letter.set(std::string(1, DiagnosisCase::letters[i]), letters[i]);
  }
  return Json::object(
      {{"cases", cases},
       {"key_is_longest", Json::object({{"cases", key_is_longest},
                                        {"share", share(static_cast<double>(key_is_longest), cases)},
                                        {"expected_share", share(expected_longest(), cases)},
                                        {"permutation_p", longest_p()}})},
       {"letters", Json::object({{"cases", std::move(by_letter)},
                                 {"chi_square", even.chi_square},
                                 {"chi_square_p", even.p},
                                 {"permutation_p", even.permutation_p}})}});
}

std::string OptionBias::text() const {
  const EvennessTest even = letter_evenness();
  std::string by_letter;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    by_letter += std::string(i == 0 ? "" : ", ") + DiagnosisCase::letters[i] + " " + decimal(letters[i]);
  }
  return "key is the longest option: " + decimal(key_is_longest) + " of " + decimal(cases) + " (" +
         percent_text(share(static_cast<double>(key_is_longest), cases)) + ", expected " +
         percent_text(share(expected_longest(), cases)) + ", " + p_text(longest_p()) + ")\n" +
         "key letters: " + by_letter + " (chi-square " + fixed(even.chi_square, 2) + ", " + p_text(even.p) +
         "; by permutation " + p_text(even.permutation_p) + ")\n";
}

}  // namespace fiducial
