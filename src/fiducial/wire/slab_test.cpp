#include "fiducial/wire/slab.h"

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial::wire {
namespace {

TEST(Slab, gives_back_every_value) {
  Random random(3);
  std::vector<std::int16_t> values(12 * 50);
  for (auto& value : values) value = static_cast<std::int16_t>(random.next());
  values[0] = INT16_MIN;
  values[1] = INT16_MAX;
  EXPECT_EQ(decode_slab(encode_slab(values, 12), 12).value(), values);
}

TEST(Slab, has_the_bytes_that_are_documented) {
  const std::vector<std::int16_t> values = {-1000, -999, -1001, 5};
  // Differences -1000, 1 and -1001, 1006; in zigzag order 1999, 2, 2001, 2012.
  const std::vector<int> expected = {0xCF, 2, 0xD1, 0xDC, 7, 0, 7, 7};
  std::vector<int> found;
  for (const std::byte byte : encode_slab(values, 2)) found.push_back(static_cast<int>(byte));
  EXPECT_EQ(found, expected);
}

TEST(Slab, refuses_what_is_no_whole_rows) {
  EXPECT_FALSE(decode_slab(Bytes(7), 1).ok());
  EXPECT_FALSE(decode_slab(Bytes(10), 2).ok());
  EXPECT_FALSE(decode_slab(Bytes(10), 0).ok());
  EXPECT_TRUE(decode_slab({}, 4)->empty());
}

}  // namespace
}  // namespace fiducial::wire
