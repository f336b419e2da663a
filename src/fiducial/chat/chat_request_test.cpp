#include "fiducial/chat/chat_request.h"

#include <gtest/gtest.h>

#include "fiducial/base/sha256.h"
#include "fiducial/chat/chat_example.h"

namespace fiducial {
namespace {

// Journals that were paid for are keyed by this: it must never change.
TEST(ChatRequest, has_the_hash_it_always_had) {
  EXPECT_EQ(example_request().hash(), "0e871e1d3ae94c57f2ac7e2014b8aeb721c6a6f2f4f2c82a221a987a992cbae5");
}

TEST(ChatRequest, has_the_hash_of_its_json) {
  ChatRequest request = example_request();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(request.hash(), sha256(as_bytes(request.json().compact())).hex());
    request.schema = Json::object({{"type", "object"}});
    request.sample = 3;
    request.messages[1].parts[0].text = "\n\t\x01 \xc3\xa9 \\";
  }
  EXPECT_EQ(ChatRequest{}.hash(), sha256(as_bytes(ChatRequest{}.json().compact())).hex());
}

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
