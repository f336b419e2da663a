#include "fiducial/eval/conformance_child.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <poll.h>

namespace fiducial {

namespace {

constexpr std::size_t tail_bytes = 4000;

Error system_error(const std::string& what) {
  return {ErrorCode::unavailable, what + ": " + std::strerror(errno)};
}

// Replaces the child's image; only calls that are safe after fork.
[[noreturn]] void become(char* const* words, const char* folder, int output) {
  ::setpgid(0, 0);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  if (::chdir(folder) == 0) ::execvp(words[0], words);
  ::_exit(127);
}

void keep_tail(std::string& tail, const char* bytes, std::size_t count) {
  tail.append(bytes, count);
  if (tail.size() > tail_bytes) tail.erase(0, tail.size() - tail_bytes);
}

// Reads until every writer is gone or the time is over; tells whether it was.
bool read_until_end(int input, int timeout_s, std::string& tail) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(timeout_s);
  char buffer[4096];
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd waited{input, POLLIN, 0};
    const int ready = ::poll(&waited, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return true;
    if (ready <= 0) continue;
    const ssize_t got = ::read(input, buffer, sizeof buffer);
    if (got == 0 || (got < 0 && errno != EINTR)) return true;
    if (got > 0) keep_tail(tail, buffer, static_cast<std::size_t>(got));
  }
}

int exit_status_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Result<ChildEnd> run_child(const ChildCommand& command) {
  std::vector<std::string> words = command.words;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string folder = command.folder.string();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("cannot make a pipe");
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), folder.c_str(), ends[1]);
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return system_error("cannot start " + command.words.front());
  }
  ::setpgid(child, child);
  ChildEnd out;
  out.timed_out = !read_until_end(ends[0], command.timeout_s, out.tail);
  // Nothing of the command may outlive it, whether it ended or not.
  if (out.timed_out) ::kill(-child, SIGKILL);
  out.status = exit_status_of(child);
  if (!out.timed_out) ::kill(-child, SIGKILL);
  ::close(ends[0]);
  return out;
}

}  // namespace fiducial
