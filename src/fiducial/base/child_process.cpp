#include "fiducial/base/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <poll.h>

#include "fiducial/base/interruption.h"
#include "fiducial/base/system_error.h"

namespace fiducial {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t tail_bytes = 4000;
// A signal may have come to another thread, so a wish to stop is looked for this often.
constexpr milliseconds longest_wait{100};

// Sanitizers reserve terabytes of address space.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool limits_memory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool limits_memory = false;
#else
constexpr bool limits_memory = true;
#endif
#else
constexpr bool limits_memory = true;
#endif

struct Pipe {
  OpenFile read;
  OpenFile write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("make a pipe", errno);
  return Pipe{OpenFile(ends[0]), OpenFile(ends[1])};
}

// The input as a file in memory, so that neither side waits for the other.
Result<OpenFile> make_input(const std::string& text) {
  OpenFile file(::memfd_create("fiducial-input", MFD_CLOEXEC));
  if (!file.is_open()) return system_error("make a file in memory", errno);
  FIDUCIAL_TRY_DONE(file.write(as_bytes(text)).context("writing a file in memory"));
  ::lseek(file.descriptor(), 0, SEEK_SET);
  return file;
}

bool set_limit(decltype(RLIMIT_AS) resource, std::uint64_t value) {
  const rlimit both{value, value};
  return ::setrlimit(resource, &both) == 0;
}

bool set_limits(const ChildLimits& limits) {
  if (limits_memory && !set_limit(RLIMIT_AS, limits.memory_bytes)) return false;
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         set_limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.cpu_s)) && set_limit(RLIMIT_FSIZE, 0) &&
         set_limit(RLIMIT_CORE, 0);
}

void close_all_from(unsigned first) {
  if (::close_range(first, ~0U, 0) == 0) return;
  for (int descriptor = static_cast<int>(first); descriptor < 65'536; ++descriptor) ::close(descriptor);
}

struct Streams {
  int input;
  int output;
  int words;  // -1: nobody's
};

// Replaces the child's image; only calls that are safe after fork.
[[noreturn]] void become(char* const* words, const char* folder, const Streams& streams,
                         const std::optional<ChildLimits>& limits) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGTERM, SIGINT, SIGPIPE}) ::signal(number, SIG_DFL);
  const int said = streams.words >= 0 ? streams.words : ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const bool connected = ::dup2(streams.input, STDIN_FILENO) >= 0 &&
                         ::dup2(streams.output, STDOUT_FILENO) >= 0 && ::dup2(said, STDERR_FILENO) >= 0;
  close_all_from(3);
  const bool there = *folder == '\0' || ::chdir(folder) == 0;
  if (connected && there && (!limits || set_limits(*limits))) ::execvp(words[0], words);
  ::_exit(ChildProcess::cannot_start);
}

Error stopped() {
  return call_given_up() ? given_up()
                         : Error(ErrorCode::interrupted, "stopped by a signal while another program ran");
}

milliseconds next_wait(ChildProcess::Time until) {
  return std::min(longest_wait, std::chrono::ceil<milliseconds>(until - steady_clock::now()));
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const ChildCommand& command) {
  std::vector<std::string> words = command.words;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string folder = command.folder.string();
  FIDUCIAL_TRY(const OpenFile input, make_input(command.input));
  FIDUCIAL_TRY(Pipe said, make_pipe());
  Pipe answered;
  if (command.keeps_output) {
    FIDUCIAL_TRY(answered, make_pipe());
  }
  const Streams streams{
      .input = input.descriptor(),
      .output = command.keeps_output ? answered.write.descriptor() : said.write.descriptor(),
      .words = command.drops_words ? -1 : said.write.descriptor()};
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), folder.c_str(), streams, command.limits);
  if (child < 0) return system_error("start " + command.words.front(), errno);
  ::setpgid(child, child);
  return ChildProcess(child, std::move(said.read), std::move(answered.read));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : child_(std::exchange(other.child_, -1)),
      words_(std::move(other.words_)),
      answer_(std::move(other.answer_)) {}

ChildProcess::~ChildProcess() {
  if (child_ > 0) end();
}

Result<ChildProcess::Heard> ChildProcess::listen(std::span<std::byte> buffer, Time until) {
  while (words_.is_open() || answer_.is_open()) {
    if (stop_requested()) return stopped();
    const milliseconds left = next_wait(until);
    if (left.count() <= 0) return Heard{.what = Heard::What::nothing};
    std::array<pollfd, 2> waited{{{words_.descriptor(), POLLIN, 0}, {answer_.descriptor(), POLLIN, 0}}};
    if (::poll(waited.data(), waited.size(), static_cast<int>(left.count())) <= 0) continue;
    for (OpenFile* stream : {&words_, &answer_}) {
      if (waited[stream == &words_ ? 0 : 1].revents == 0) continue;
      const ssize_t got = ::read(stream->descriptor(), buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got > 0) {
        return Heard{.what = stream == &words_ ? Heard::What::words : Heard::What::answer,
                     .bytes = static_cast<std::size_t>(got)};
      }
      *stream = OpenFile();
    }
  }
  return Heard{.what = Heard::What::end};
}

Result<bool> ChildProcess::wait(Time until) const {
  for (milliseconds pause{1};; pause = std::min(2 * pause, longest_wait)) {
    siginfo_t info{};
    const int waited = ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT);
    if (waited == 0 && info.si_pid == child_) return true;
    if (waited != 0 && errno != EINTR) return system_error("wait for a program", errno);
    if (stop_requested()) return stopped();
    const milliseconds left = next_wait(until);
    if (left.count() <= 0) return false;
    std::this_thread::sleep_for(std::min(pause, left));
  }
}

ChildProcess::Ended ChildProcess::end() {
  // Before it is waited for: until then nobody else can have its number.
  ::kill(-child_, SIGKILL);
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  if (WIFEXITED(status)) return {.status = WEXITSTATUS(status)};
  return {.status = 128 + WTERMSIG(status), .signal = WTERMSIG(status)};
}

Result<ChildEnd> run_child(const ChildCommand& command) {
  const auto deadline = steady_clock::now() + std::chrono::seconds(command.timeout_s);
  FIDUCIAL_TRY(ChildProcess child, ChildProcess::start(command));
  ChildEnd out;
  Bytes buffer(65'536);
  using What = ChildProcess::Heard::What;
  for (ChildProcess::Heard heard; !out.timed_out && !out.too_much_output;) {
    FIDUCIAL_TRY(heard, child.listen(buffer, deadline));
    if (heard.what == What::end) break;
    out.timed_out = heard.what == What::nothing;
    std::string& kept = heard.what == What::answer ? out.output : out.tail;
    kept += as_text(ByteView(buffer).first(heard.bytes));
    if (out.tail.size() > tail_bytes) out.tail.erase(0, out.tail.size() - tail_bytes);
    out.too_much_output = out.output.size() > command.max_output_bytes;
  }
  if (!out.timed_out && !out.too_much_output) {
    FIDUCIAL_TRY(const bool has_ended, child.wait(deadline));
    out.timed_out = !has_ended;
  }
  out.status = child.end().status;
  return out;
}

}  // namespace fiducial
