#include "fiducial/base/base64.h"

#include <gtest/gtest.h>

#include "fiducial/base/random.h"
#include "fiducial/base/reference_values.h"

namespace fiducial {
namespace {

TEST(Base64, agrees_with_the_examples_of_its_standard) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : examples) EXPECT_EQ(base64(as_bytes(plain)), coded);
}

TEST(Base64, reads_back_as_the_bytes_it_was_made_of) {
  Bytes bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<std::byte>(i * 7));
  EXPECT_EQ(base64_decoded(base64(bytes)), bytes);
}

// Six bits at a time, as the standard says it.
std::string obvious_base64(ByteView bytes) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bits;
  for (const std::byte each : bytes) {
    for (int bit = 7; bit >= 0; --bit) bits += (std::to_integer<unsigned>(each) >> bit & 1U) != 0 ? '1' : '0';
  }
  while (bits.size() % 6 != 0) bits += '0';
  std::string out;
  for (std::size_t i = 0; i < bits.size(); i += 6) out += alphabet[std::stoul(bits.substr(i, 6), nullptr, 2)];
  while (out.size() % 4 != 0) out += '=';
  return out;
}

TEST(Base64, equals_the_obvious_one_at_every_length) {
  Random random(7);
  Bytes bytes;
  for (int length = 0; length < 300; ++length) {
    EXPECT_EQ(base64(bytes), obvious_base64(bytes)) << length;
    bytes.push_back(static_cast<std::byte>(random.below(256)));
  }
  for (const std::size_t length : {12'287U, 12'288U, 12'289U, 30'001U}) {
    while (bytes.size() < length) bytes.push_back(static_cast<std::byte>(random.below(256)));
    EXPECT_EQ(base64(ByteView(bytes).first(length)), obvious_base64(ByteView(bytes).first(length))) << length;
  }
}

TEST(Base64, is_appended_to_what_there_is) {
  std::string out = "data:";
  append_base64(out, as_bytes("foob"));
  EXPECT_EQ(out, "data:Zm9vYg==");
}

}  // namespace
}  // namespace fiducial
