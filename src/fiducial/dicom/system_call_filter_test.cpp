#include "fiducial/dicom/system_call_filter.h"

#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <functional>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

constexpr int no_filter = 42;

bool is_mapped(int protection) {
  const void* memory = ::mmap(nullptr, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return reinterpret_cast<std::intptr_t>(memory) != -1;
}

// How a process ends that does something behind the filter: its status as waitpid tells it.
int end_of(const std::function<bool()>& does) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (install_reading_filter() != CallFilter::installed) ::_exit(no_filter);
    ::_exit(does() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

bool filters_here() {
  return end_of([] { return true; }) == 0;
}

TEST(SystemCallFilter, lets_files_be_read_and_memory_be_asked_for) {
  if (!filters_here()) GTEST_SKIP() << "no filter on this system or in this build";
  EXPECT_EQ(end_of([] {
              char byte = 0;
              const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
              return file >= 0 && ::read(file, &byte, 1) == 1 && is_mapped(PROT_READ | PROT_WRITE);
            }),
            0);
}

TEST(SystemCallFilter, lets_decoders_have_threads) {
  if (!filters_here()) GTEST_SKIP() << "no filter on this system or in this build";
  EXPECT_EQ(end_of([] {
              int sum = 0;
              std::thread([&sum] { sum = 7; }).join();
              return sum == 7;
            }),
            0);
}

TEST(SystemCallFilter, ends_a_process_that_does_anything_else) {
  if (!filters_here()) GTEST_SKIP() << "no filter on this system or in this build";
  const std::pair<const char*, std::function<bool()>> forbidden[] = {
      {"a socket", [] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }},
      {"a process", [] { return ::fork() >= 0; }},
      {"another program", [] { return ::execl("/bin/true", "true", nullptr) == 0; }},
      {"a file to write", [] { return ::open("/dev/null", O_WRONLY | O_CLOEXEC) >= 0; }},
      {"a new file",
       [] { return ::open("/tmp/fiducial-filter", O_RDONLY | O_CREAT | O_CLOEXEC, 0600) >= 0; }},
      {"a file less", [] { return ::unlink("/nonexistent/file") == 0; }},
      {"a signal to others", [] { return ::kill(::getppid(), 0) == 0; }},
      {"memory to execute", [] { return is_mapped(PROT_READ | PROT_EXEC); }},
  };
  for (const auto& [what, does] : forbidden) {
    const int status = end_of(does);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) << what << ": " << status;
  }
}

}  // namespace
}  // namespace fiducial
