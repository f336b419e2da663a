#include "fiducial/base/executor.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"

namespace fiducial {
namespace {

class ExecutorWithThreads : public testing::TestWithParam<int> {};

TEST_P(ExecutorWithThreads, calls_every_index_exactly_once) {
  std::vector<std::atomic<int>> calls(500);
  const auto work = [&](std::int64_t i) -> Outcome {
    ++calls[static_cast<std::size_t>(i)];
    return done();
  };
  ASSERT_TRUE(Executor(GetParam()).for_each(500, work).ok());
  for (const auto& count : calls) EXPECT_EQ(count, 1);
}

TEST_P(ExecutorWithThreads, returns_the_failure_with_the_lowest_index) {
  for (int trial = 0; trial < 20; ++trial) {
    const auto work = [](std::int64_t i) -> Outcome {
      if (i % 10 == 7) return invalid_data("piece " + decimal(i));
      return done();
    };
    ASSERT_EQ(Executor(GetParam()).for_each(200, work).error().message(), "piece 7");
  }
}

TEST_P(ExecutorWithThreads, starts_few_pieces_after_a_failure) {
  std::atomic<int> calls{0};
  const auto work = [&](std::int64_t) -> Outcome {
    ++calls;
    return invalid_data("always");
  };
  ASSERT_FALSE(Executor(GetParam()).for_each(100000, work).ok());
  EXPECT_LE(calls, GetParam());
}

TEST_P(ExecutorWithThreads, does_nothing_for_no_pieces) {
  EXPECT_TRUE(
      Executor(GetParam()).for_each(0, [](std::int64_t) -> Outcome { return invalid_data("called"); }).ok());
}

INSTANTIATE_TEST_SUITE_P(threads, ExecutorWithThreads, testing::Values(1, 2, 3, 5, 16),
                         [](const auto& each) { return decimal(each.param); });

TEST(Executor, runs_in_order_on_one_thread) {
  std::vector<std::int64_t> order;
  const auto work = [&](std::int64_t i) -> Outcome {
    order.push_back(i);
    return done();
  };
  ASSERT_TRUE(Executor(1).for_each(5, work).ok());
  EXPECT_EQ(order, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
}

TEST(Executor, stays_on_the_calling_thread_when_it_has_only_one) {
  const auto caller = std::this_thread::get_id();
  const auto work = [caller](std::int64_t) -> Outcome {
    return std::this_thread::get_id() == caller ? done() : Outcome(invalid_data("another thread"));
  };
  EXPECT_TRUE(Executor(1).for_each(3, work).ok());
}

TEST(Executor, may_be_used_inside_its_own_work) {
  std::atomic<int> calls{0};
  const Executor executor(3);
  const auto inner = [&](std::int64_t) -> Outcome {
    ++calls;
    return done();
  };
  ASSERT_TRUE(executor.for_each(4, [&](std::int64_t) { return executor.for_each(5, inner); }).ok());
  EXPECT_EQ(calls, 20);
}

TEST(Executor, takes_one_thread_per_core_for_zero) {
  EXPECT_GE(Executor(0).threads(), 1);
  EXPECT_EQ(Executor(3).threads(), 3);
}

}  // namespace
}  // namespace fiducial
