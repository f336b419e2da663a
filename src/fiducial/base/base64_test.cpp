#include "fiducial/base/base64.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace fiducial
