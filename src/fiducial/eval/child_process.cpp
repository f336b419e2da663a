#include "fiducial/eval/child_process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <poll.h>

namespace fiducial {

namespace {

constexpr std::size_t tail_bytes = 4000;

Error system_error(const std::string& what) {
  return {ErrorCode::unavailable, what + ": " + std::strerror(errno)};
}

// An open file that is closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("cannot make a pipe");
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// The input as a file in memory, so that neither side waits for the other.
Result<Descriptor> make_input(const std::string& text) {
  Descriptor file(::memfd_create("fiducial-input", MFD_CLOEXEC));
  if (!file.is_open()) return system_error("cannot make a file in memory");
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t wrote = ::write(file.number(), text.data() + written, text.size() - written);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return system_error("cannot write a file in memory");
    written += static_cast<std::size_t>(wrote);
  }
  ::lseek(file.number(), 0, SEEK_SET);
  return file;
}

struct Streams {
  int input;
  int output;
  int words;
};

// Replaces the child's image; only calls that are safe after fork.
[[noreturn]] void become(char* const* words, const char* folder, const Streams& streams) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGTERM, SIGINT, SIGPIPE}) ::signal(number, SIG_DFL);
  ::dup2(streams.input, STDIN_FILENO);
  ::dup2(streams.output, STDOUT_FILENO);
  ::dup2(streams.words, STDERR_FILENO);
  if (::chdir(folder) == 0) ::execvp(words[0], words);
  ::_exit(127);
}

// Takes what a child writes until it is done or must be stopped.
class Listener {
 public:
  Listener(const ChildCommand& command, Descriptor words, Descriptor answer)
      : command_(command), streams_{std::move(words), std::move(answer)} {}

  void listen(ChildEnd& out) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(command_.timeout_s);
    while (streams_[0].is_open() || streams_[1].is_open()) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      out.timed_out = left.count() <= 0;
      if (out.timed_out || out.too_much_output) return;
      std::array<pollfd, 2> waited{{{streams_[0].number(), POLLIN, 0}, {streams_[1].number(), POLLIN, 0}}};
      if (::poll(waited.data(), waited.size(), static_cast<int>(left.count())) <= 0) continue;
      for (std::size_t i = 0; i < waited.size(); ++i) {
        if (waited[i].revents != 0) take(i, out);
      }
    }
  }

 private:
  void take(std::size_t stream, ChildEnd& out) {
    char buffer[65'536];
    const ssize_t got = ::read(streams_[stream].number(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) {
      streams_[stream].close();
      return;
    }
    std::string& kept = stream == 0 ? out.tail : out.output;
    kept.append(buffer, static_cast<std::size_t>(got));
    if (stream == 0 && kept.size() > tail_bytes) kept.erase(0, kept.size() - tail_bytes);
    out.too_much_output = out.output.size() > command_.max_output_bytes;
  }

  const ChildCommand& command_;
  std::array<Descriptor, 2> streams_;  // words, answer
};

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
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string folder = command.folder.string();
  FIDUCIAL_TRY(const Descriptor input, make_input(command.input));
  FIDUCIAL_TRY(Pipe said, make_pipe());
  Pipe answered;
  if (command.keeps_output) {
    FIDUCIAL_TRY(answered, make_pipe());
  }
  const int output = command.keeps_output ? answered.write.number() : said.write.number();
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), folder.c_str(), {input.number(), output, said.write.number()});
  if (child < 0) return system_error("cannot start " + command.words.front());
  ::setpgid(child, child);
  said.write.close();
  answered.write.close();
  ChildEnd out;
  Listener listener(command, std::move(said.read), std::move(answered.read));
  listener.listen(out);
  // Nothing of the command may outlive it, whether it ended or not.
  const bool stopped = out.timed_out || out.too_much_output;
  if (stopped) ::kill(-child, SIGKILL);
  out.status = exit_status_of(child);
  if (!stopped) ::kill(-child, SIGKILL);
  return out;
}

}  // namespace fiducial
