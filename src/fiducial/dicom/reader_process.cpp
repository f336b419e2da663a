#include "fiducial/dicom/reader_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <poll.h>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr int cannot_start_status = 127;

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

Error system_error(const std::string& what) {
  return {ErrorCode::unavailable, what + ": " + std::strerror(errno)};
}

bool limit(decltype(RLIMIT_AS) resource, std::uint64_t value) {
  const rlimit both{value, value};
  return ::setrlimit(resource, &both) == 0;
}

bool limit_all(const ReaderLimits& limits) {
  if (limits_memory && !limit(RLIMIT_AS, limits.memory_bytes)) return false;
  return limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.cpu_s)) && limit(RLIMIT_FSIZE, 0) &&
         limit(RLIMIT_CORE, 0);
}

void close_all_from(unsigned first) {
  if (::close_range(first, ~0U, 0) == 0) return;
  for (int descriptor = static_cast<int>(first); descriptor < 65'536; ++descriptor) ::close(descriptor);
}

// Replaces the child's image; only calls that are safe after fork.
[[noreturn]] void become(char* const* words, int question, int answer, const ReaderLimits& limits) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  for (const int number : {SIGTERM, SIGINT, SIGPIPE}) ::signal(number, SIG_DFL);
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const bool connected = ::dup2(question, STDIN_FILENO) >= 0 && ::dup2(answer, STDOUT_FILENO) >= 0 &&
                         ::dup2(nothing, STDERR_FILENO) >= 0;
  close_all_from(3);
  if (connected && limit_all(limits)) ::execv(words[0], words);
  ::_exit(cannot_start_status);
}

// The question as a file in memory, so that neither side waits for the other.
Result<int> make_question(const std::string& text) {
  const int file = ::memfd_create("fiducial-dicom-question", MFD_CLOEXEC);
  if (file < 0) return system_error("cannot make a file in memory");
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t wrote = ::write(file, text.data() + written, text.size() - written);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      ::close(file);
      return system_error("cannot write a file in memory");
    }
    written += static_cast<std::size_t>(wrote);
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

}  // namespace

ReaderProcess::ReaderProcess(pid_t child, int answer, const ReaderLimits& limits)
    : child_(child),
      answer_(answer),
      limits_(limits),
      deadline_(std::chrono::steady_clock::now() + std::chrono::seconds(limits.wall_s)) {}

Result<std::unique_ptr<ReaderProcess>> ReaderProcess::start(const Path& program, const std::string& mode,
                                                            const std::string& question,
                                                            const ReaderLimits& limits) {
  if (::access(program.c_str(), X_OK) != 0) {
    return Error(
        ErrorCode::unavailable,
        "DICOM is read by the program " + program.filename().string() +
            " beside the command, which is not there; it is built where GDCM (libgdcm-dev) is installed");
  }
  std::string words[] = {program.string(), mode};
  char* arguments[] = {words[0].data(), words[1].data(), nullptr};
  FIDUCIAL_TRY(const int asked, make_question(question));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    ::close(asked);
    return system_error("cannot make a pipe");
  }
  const pid_t child = ::fork();
  if (child == 0) become(arguments, asked, ends[1], limits);
  ::close(asked);
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return system_error("cannot start " + program.string());
  }
  ::setpgid(child, child);
  return std::unique_ptr<ReaderProcess>(new ReaderProcess(child, ends[0], limits));
}

ReaderProcess::~ReaderProcess() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  ::close(answer_);
}

// False when its time is over.
bool ReaderProcess::wait_for_bytes() {
  using namespace std::chrono;
  const auto silence = steady_clock::now() + seconds(limits_.silent_s);
  const auto until = std::min(silence, deadline_);
  for (;;) {
    const auto left = ceil<milliseconds>(until - steady_clock::now());
    if (left.count() <= 0) break;
    pollfd waited{answer_, POLLIN, 0};
    const int ready = ::poll(&waited, 1, static_cast<int>(left.count()));
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
  }
  over_time_ = silence < deadline_ ? "did not answer for " + decimal(limits_.silent_s) + " s"
                                   : "took longer than " + decimal(limits_.wall_s) + " s";
  ::kill(child_, SIGKILL);
  return false;
}

Result<std::size_t> ReaderProcess::read(std::span<std::byte> out) {
  std::size_t filled = 0;
  while (filled < out.size() && over_time_.empty() && wait_for_bytes()) {
    const ssize_t got = ::read(answer_, out.data() + filled, out.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

std::optional<std::string> ReaderProcess::failure() {
  if (child_ <= 0) return std::nullopt;
  // Nobody listens any longer to a reader that goes on talking.
  std::array<std::byte, 1> more{};
  const auto rest = read(more);
  const bool talking = rest.ok() && *rest > 0;
  if (talking) ::kill(child_, SIGKILL);
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  if (talking) return std::nullopt;
  if (!over_time_.empty()) return over_time_;
  if (WIFEXITED(status)) {
    if (WEXITSTATUS(status) == 0) return std::nullopt;
    return WEXITSTATUS(status) == cannot_start_status ? "could not be started"
                                                      : "ended with status " + decimal(WEXITSTATUS(status));
  }
  const int number = WTERMSIG(status);
  if (number == SIGXCPU || number == SIGKILL) {
    return "was stopped after " + decimal(limits_.cpu_s) + " s of processor time or by the system";
  }
  return "crashed (" + std::string(::sigdescr_np(number) == nullptr ? "signal" : ::sigdescr_np(number)) + ")";
}

Path installed_reader() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "fiducial-dicom";
}

}  // namespace fiducial
