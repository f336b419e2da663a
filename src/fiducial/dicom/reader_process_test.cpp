#include "fiducial/dicom/reader_process.h"

#include <array>

#include <gtest/gtest.h>

#include "fiducial/base/interruption.h"
#include "fiducial/base/temporary_folder.h"
#include "fiducial/dicom/series.h"

namespace fiducial {
namespace {

// A script in the place of the reader.
class ReaderScript : public ::testing::Test {
 protected:
  std::unique_ptr<ReaderProcess> started(const std::string& script, const ReaderLimits& limits = {},
                                         const std::string& question = "") {
    auto process = ReaderProcess::start(written(script), "headers", question, limits);
    EXPECT_TRUE(process.ok());
    return *std::move(process);
  }

  Path written(const std::string& script) {
    const Path program = folder_ / "reader";
    EXPECT_TRUE(write_file(program, "#!/bin/sh\n" + script).ok());
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return program;
  }

  static std::string answer(ReaderProcess& process, std::size_t most = 1000) {
    std::string out(most, '\0');
    out.resize(process.read({reinterpret_cast<std::byte*>(out.data()), most}).value());
    return out;
  }

  TemporaryFolder folder_;
};

TEST_F(ReaderScript, is_asked_on_standard_input_and_answers_on_standard_output) {
  const auto process = started("echo $1; cat", {}, "question");
  EXPECT_EQ(answer(*process), "headers\nquestion");
  EXPECT_EQ(process->failure().value(), std::nullopt);
}

TEST_F(ReaderScript, is_stopped_when_it_is_silent) {
  const auto process = started("echo a; exec sleep 100", {.silent_s = 1});
  EXPECT_EQ(answer(*process), "a\n");
  EXPECT_EQ(process->failure().value(), "did not answer for 1 s");
}

TEST_F(ReaderScript, is_stopped_when_it_never_ends) {
  const auto process = started("while :; do echo a; sleep 0.1; done", {.wall_s = 1});
  EXPECT_NE(answer(*process), "");
  EXPECT_EQ(process->failure().value(), "took longer than 1 s");
}

TEST_F(ReaderScript, is_stopped_when_it_only_computes) {
  const auto process = started("while :; do :; done", {.cpu_s = 1});
  EXPECT_EQ(answer(*process), "");
  EXPECT_EQ(process->failure().value(), "was stopped after 1 s of processor time or by the system");
}

TEST_F(ReaderScript, tells_a_crash_by_its_signal) {
  const auto process = started("echo a; kill -SEGV $$");
  EXPECT_EQ(answer(*process), "a\n");
  EXPECT_EQ(process->failure().value(), "crashed (Segmentation fault)");
}

TEST_F(ReaderScript, tells_a_status) {
  EXPECT_EQ(started("exit 3")->failure().value(), "ended with status 3");
}

TEST_F(ReaderScript, can_write_no_file) {
  const Path file = folder_ / "written";
  const auto process = started("trap '' XFSZ; (echo a > " + file.string() + ") 2>/dev/null || echo refused");
  EXPECT_EQ(answer(*process), "refused\n");
  EXPECT_EQ(std::filesystem::file_size(file), 0U);
}

TEST_F(ReaderScript, has_limits_on_time_and_leaves_no_core) {
  EXPECT_EQ(answer(*started("ulimit -t; ulimit -c", {.cpu_s = 7})), "7\n0\n");
}

TEST_F(ReaderScript, has_a_limit_on_memory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need all of the address space";
#endif
  EXPECT_EQ(answer(*started("ulimit -v", {.memory_bytes = std::uint64_t{1} << 30})), "1048576\n");
}

TEST_F(ReaderScript, is_ended_at_once_by_a_wish_to_stop) {
  const auto process = started("exec sleep 1000");
  request_stop(true);
  std::array<std::byte, 1> more{};
  const Result<std::size_t> got = process->read(more);
  request_stop(false);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code(), ErrorCode::interrupted);
}

TEST_F(ReaderScript, has_no_other_open_files) {
  const auto process = started("ls /proc/self/fd | wc -l");
  // Its three, and the folder that ls reads.
  EXPECT_EQ(answer(*process), "4\n");
}

TEST_F(ReaderScript, is_ended_when_nobody_waits_for_it) {
  const Path program = written("exec sleep 1000");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(ReaderProcess::start(program, "headers", "", {}).ok());
}

TEST_F(ReaderScript, that_is_not_there_is_unavailable) {
  const auto process = ReaderProcess::start(folder_ / "nothing", "headers", "", {});
  ASSERT_FALSE(process.ok());
  EXPECT_EQ(process.error().code(), ErrorCode::unavailable);
}

// What read_series makes of readers that misbehave.
class MisbehavingReader : public ReaderScript {
 protected:
  std::string error(const std::string& script) {
    const Path series = folder_ / "series";
    std::filesystem::create_directories(series);
    EXPECT_TRUE(write_file(series / "a.dcm", std::string_view("a")).ok());
    EXPECT_TRUE(write_file(series / "b.dcm", std::string_view("b")).ok());
    const auto read = read_series(series, {.reader = written(script), .limits = {.silent_s = 2}});
    if (read.ok()) return "";
    EXPECT_EQ(read.error().code(), ErrorCode::invalid_data);
    return read.error().text().substr(folder_.path().string().size() + 1);
  }
  const std::string start_ = "echo '{\"fiducial-dicom\":1}'\n";
  const std::string first_ = "echo '{\"file\":0,\"skipped\":\"why\"}'\n";
};

TEST_F(MisbehavingReader, that_crashes_names_the_file_it_was_reading) {
  EXPECT_EQ(
      error(start_ + first_ + "kill -ABRT $$"),
      "series/b.dcm: the DICOM reader crashed (Aborted) while reading this file, which is damaged or of a "
      "kind it cannot read");
}

TEST_F(MisbehavingReader, that_says_nothing_or_too_little_is_an_error) {
  EXPECT_EQ(error("exit 0"), "series: the DICOM reader's answer is broken: it ends too early");
  EXPECT_EQ(error(start_ + first_), "series: the DICOM reader's answer is broken: it ends too early");
}

TEST_F(MisbehavingReader, that_talks_nonsense_is_an_error) {
  EXPECT_EQ(error("exec yes"), "series: the DICOM reader's answer is broken: a line is no JSON object");
  EXPECT_EQ(error("exec tr '\\0' a < /dev/zero"),
            "series: the DICOM reader's answer is broken: a line is too long");
}

}  // namespace
}  // namespace fiducial
