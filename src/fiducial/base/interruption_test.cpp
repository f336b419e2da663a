#include "fiducial/base/interruption.h"

#include <gtest/gtest.h>

#include "fiducial/base/executor.h"
#include "fiducial/base/inflate.h"

namespace fiducial {
namespace {

TEST(CallScope, holds_for_its_thread_until_its_end) {
  const CallScope::Flag flag{true};
  {
    const CallScope scope(&flag);
    EXPECT_TRUE(call_given_up());
    EXPECT_TRUE(stop_requested());
    const CallScope none(nullptr);
    EXPECT_FALSE(call_given_up());
  }
  EXPECT_FALSE(call_given_up());
  EXPECT_FALSE(stop_requested());
}

TEST(CallScope, is_carried_to_the_threads_of_an_executor) {
  CallScope::Flag flag{false};
  const CallScope scope(&flag);
  std::atomic<int> started{0};
  const Outcome outcome = Executor(4).for_each(100, [&](std::int64_t) -> Outcome {
    ++started;
    flag.store(true);
    return done();
  });
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code(), ErrorCode::interrupted);
  EXPECT_LE(started.load(), 4);
}

TEST(CallScope, ends_the_inflation_of_a_stream_in_the_middle) {
  const Bytes zeros(std::size_t{16} << 20);
  const Bytes packed = gzip_compressed(zeros, 1);
  InflateStream stream(std::make_unique<MemoryStream>(packed), DeflateWrapper::gzip);
  Bytes out(zeros.size());
  ASSERT_TRUE(stream.read(std::span(out).first(1024)).ok());
  const CallScope::Flag flag{true};
  const CallScope scope(&flag);
  const Result<std::size_t> rest = stream.read(out);
  ASSERT_FALSE(rest.ok());
  EXPECT_EQ(rest.error().code(), ErrorCode::interrupted);
}

}  // namespace
}  // namespace fiducial
