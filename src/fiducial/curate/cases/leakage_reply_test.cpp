#include "fiducial/curate/cases/leakage_reply.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(LeakageReply, keeps_real_letters_in_the_order_of_the_options) {
  const auto options = judged_options(Json::array({"a", "b", "c"}));
  const Json named = Json::array({"b)", "A.", "Z", "b", "AB"});
  EXPECT_EQ(leaked_letters(&named, options), (std::vector<std::string>{"A", "B"}));
}

TEST(LeakageReply, finds_a_key_by_letter_original_key_or_position) {
  const auto listed = judged_options(Json::array({"a", "b", "c"}));
  EXPECT_EQ(key_letter("option_c", listed), "C");
  EXPECT_EQ(key_letter("b)", listed), "B");
  EXPECT_EQ(key_letter("1", listed), "B");
  const auto keyed = judged_options(Json::object({{"1", "a"}, {"2", "b"}}));
  EXPECT_EQ(key_letter("1", keyed), "A");
  EXPECT_EQ(key_letter("nine", keyed), std::nullopt);
}

}  // namespace
}  // namespace fiducial
