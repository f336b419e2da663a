#include "fiducial/chat/background_flush.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(BackgroundFlush, flushes_again_and_again_until_it_is_finished) {
  const Path file = Path(::testing::TempDir()) / "flushed";
  ASSERT_TRUE(write_file(file, std::string_view("line\n")).ok());
  const auto flush = BackgroundFlush::open(file);
  ASSERT_TRUE(flush.ok());
  for (int i = 0; i < 3; ++i) {
    const Result<bool> began = (*flush)->begin();
    ASSERT_TRUE(began.ok());
    EXPECT_TRUE(*began);
    EXPECT_TRUE((*flush)->finish().ok());
  }
}

TEST(BackgroundFlush, tells_an_error_to_whoever_comes_next) {
  const auto flush = BackgroundFlush::open("/proc/self/status");  // which no disk keeps
  ASSERT_TRUE(flush.ok());
  ASSERT_TRUE((*flush)->begin().ok());
  EXPECT_FALSE((*flush)->finish().ok());
  EXPECT_FALSE((*flush)->begin().ok());
}

}  // namespace
}  // namespace fiducial
