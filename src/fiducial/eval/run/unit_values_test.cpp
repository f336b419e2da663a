#include "fiducial/eval/run/unit_values.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(UnitValues, keep_every_value_when_they_are_packed) {
  for (const double odd : {7.0, 255.0, 256.0, -1.0, 0.1, 1e300}) {
    UnitValues values(3);
    values[1] = odd;
    values[2] += 2;
    values.pack();
    const UnitValues& packed = values;
    ASSERT_EQ(packed.size(), 3U);
    EXPECT_EQ(packed[0], 0);
    EXPECT_EQ(packed[1], odd);
    EXPECT_EQ(packed[2], 2);
  }
}

}  // namespace
}  // namespace fiducial
