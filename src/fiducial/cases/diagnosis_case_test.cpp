#include "fiducial/cases/diagnosis_case.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

DiagnosisCase with_options(std::array<std::string, 5> options, char key) {
  DiagnosisCase out;
  out.options = std::move(options);
  out.key = key;
  return out;
}

TEST(DiagnosisCase, counts_characters_and_not_bytes_for_the_longest_option) {
  EXPECT_TRUE(with_options({"äöü", "abcd", "a", "b", "c"}, 'B').key_is_longest());
  EXPECT_FALSE(with_options({"äöü", "abcd", "a", "b", "c"}, 'A').key_is_longest());
}

TEST(DiagnosisCase, has_no_longest_key_when_another_option_is_as_long) {
  EXPECT_FALSE(with_options({"abcd", "efgh", "a", "b", "c"}, 'A').key_is_longest());
}

TEST(DiagnosisCase, finds_equal_options) {
  EXPECT_TRUE(with_options({"a", "b", "c", "a", "d"}, 'A').has_equal_options());
  EXPECT_FALSE(with_options({"a", "b", "c", "A", "d"}, 'A').has_equal_options());
}

}  // namespace
}  // namespace fiducial
