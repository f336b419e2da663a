#include "fiducial/base/child_process.h"

#include <gtest/gtest.h>

#include "fiducial/base/interruption.h"
#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

ChildEnd run(const std::string& script, int timeout_s = 60) {
  const TemporaryFolder folder;
  return run_child({{"sh", "-c", script}, folder.path(), timeout_s}).value();
}

TEST(ChildProcess, gives_its_status_and_what_it_printed_to_both_streams) {
  const ChildEnd end = run("echo out; echo err >&2; exit 7");
  EXPECT_EQ(end.status, 7);
  EXPECT_EQ(end.tail, "out\nerr\n");
  EXPECT_FALSE(end.timed_out);
}

TEST(ChildProcess, is_killed_with_its_children_when_its_time_is_over) {
  const ChildEnd end = run("sleep 1000 & sleep 1000", 1);
  EXPECT_TRUE(end.timed_out);
  EXPECT_EQ(end.status, 128 + 9);
}

TEST(ChildProcess, keeps_only_the_end_of_a_long_output) {
  const ChildEnd end = run("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done");
  EXPECT_LE(end.tail.size(), 4000U);
  EXPECT_TRUE(end.tail.ends_with("line 2999\n"));
}

TEST(ChildProcess, ends_with_127_where_the_program_is_missing) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_child({{"no-such-program-here"}, folder.path(), 60})->status, 127);
}

TEST(ChildProcess, answers_what_it_is_asked_apart_from_its_words) {
  const TemporaryFolder folder;
  const std::string question(1 << 20, 'x');  // more than a pipe holds
  const ChildCommand command{.words = {"sh", "-c", "cat; echo words >&2"},
                             .folder = folder.path(),
                             .timeout_s = 60,
                             .input = question,
                             .keeps_output = true};
  const ChildEnd end = run_child(command).value();
  EXPECT_EQ(end.output, question);
  EXPECT_EQ(end.tail, "words\n");
}

TEST(ChildProcess, is_killed_when_it_answers_without_end) {
  const TemporaryFolder folder;
  const ChildEnd end = run_child({.words = {"yes"},
                                  .folder = folder.path(),
                                  .timeout_s = 60,
                                  .keeps_output = true,
                                  .max_output_bytes = 100'000})
                           .value();
  EXPECT_TRUE(end.too_much_output);
  EXPECT_EQ(end.status, 128 + 9);
}

TEST(ChildProcess, is_killed_when_its_time_is_over_though_it_closed_its_streams) {
  const ChildEnd end = run("exec sleep 1000 >&- 2>&-", 1);
  EXPECT_TRUE(end.timed_out);
  EXPECT_EQ(end.status, 128 + 9);
}

TEST(ChildProcess, is_ended_at_once_by_a_wish_to_stop) {
  request_stop(true);
  const TemporaryFolder folder;
  const Result<ChildEnd> end = run_child({{"sleep", "1000"}, folder.path(), 600});
  request_stop(false);
  ASSERT_FALSE(end.ok()) << "neither its end nor its time limit";
  EXPECT_EQ(end.error().code(), ErrorCode::interrupted);
}

TEST(ChildProcess, is_ended_with_the_call_that_was_given_up) {
  const CallScope::Flag flag{true};
  const CallScope scope(&flag);
  const TemporaryFolder folder;
  const Result<ChildEnd> end = run_child({{"sleep", "1000"}, folder.path(), 600});
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().text(), "the call was given up");
}

TEST(ChildProcess, has_no_open_files_but_its_streams) {
  EXPECT_EQ(run("ls /proc/self/fd | wc -l").tail, "4\n");  // its three, and the folder that ls reads
}

TEST(ChildProcess, with_limits_can_write_no_file_and_has_no_more_time) {
  const TemporaryFolder folder;
  const ChildCommand command{.words = {"sh", "-c", "ulimit -t; ulimit -c; ulimit -f"},
                             .folder = folder.path(),
                             .limits = ChildLimits{.cpu_s = 7}};
  EXPECT_EQ(run_child(command)->tail, "7\n0\n0\n");
}

TEST(ChildProcess, reads_nothing_from_our_input) { EXPECT_EQ(run("cat").status, 0); }

}  // namespace
}  // namespace fiducial
