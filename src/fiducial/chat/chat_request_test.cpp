#include "fiducial/chat/chat_request.h"

#include <gtest/gtest.h>

#include "fiducial/chat/chat_example.h"

namespace fiducial {
namespace {

// Journals that were paid for are keyed by this: it must never change.
TEST(ChatRequest, has_the_hash_it_always_had) { EXPECT_EQ(example_request().hash(), "HASH"); }

TEST(ChatRequest, has_one_hash_for_any_order_of_parameters) {
  ChatRequest other = example_request();
  other.parameters = Json::object({{"max_tokens", 64}, {"temperature", 0.5}});
  EXPECT_EQ(other.hash(), example_request().hash());
}

TEST(ChatRequest, has_another_hash_for_every_change) {
  const std::string hash = example_request().hash();
  ChatRequest changed = example_request();
  changed.sample = 1;
  EXPECT_NE(changed.hash(), hash);
  changed = example_request();
  changed.messages[1].parts[1].image->sha256[0] = 'b';
  EXPECT_NE(changed.hash(), hash);
  changed = example_request();
  changed.schema = Json::Object{};
  EXPECT_NE(changed.hash(), hash);
  changed = example_request();
  std::swap(changed.messages[1].parts[0], changed.messages[1].parts[1]);
  EXPECT_NE(changed.hash(), hash);
}

}  // namespace
}  // namespace fiducial
