#include "served_engine.h"

#include <chrono>
#include <sys/socket.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"

namespace fiducial::cli {

namespace {

sockaddr_in loopback(int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return out;
}

Result<int> free_port() {
  const OpenFile socket_file(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (!socket_file.is_open() || ::bind(socket_file.descriptor(), generic, size) != 0 ||
      ::getsockname(socket_file.descriptor(), generic, &size) != 0)
    return Error(ErrorCode::io, "there is no free port on this machine");
  return static_cast<int>(ntohs(address.sin_port));
}

bool listens(int port) {
  const OpenFile socket_file(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address = loopback(port);
  return socket_file.is_open() && ::connect(socket_file.descriptor(),
                                            reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// A run that is killed can stop nobody: whoever is of the shell's group ends once the run is gone.
constexpr const char* watched_shell =
    "exec >\"$0\" 2>&1; (while kill -0 \"$1\" 2>/dev/null; do sleep 1; done; kill -s KILL -- -$$) & ";

}  // namespace

Result<ServedEngine> ServedEngine::start(const std::string& command, const Path& output, Log& log) {
  constexpr std::chrono::minutes longest{30};
  constexpr std::chrono::milliseconds pause{100};
  constexpr std::string_view mark = "{port}";
  const std::size_t at = command.find(mark);
  if (at == std::string::npos)
    return bad_usage("--serve: the command needs {port}, where the endpoint's port goes");
  FIDUCIAL_TRY(const int port, free_port());
  std::string words = command;
  for (std::size_t found = at; found != std::string::npos; found = words.find(mark))
    words.replace(found, mark.size(), decimal(port));
  const Path printed = output.string() + ".serve.log";
  FIDUCIAL_TRY(ChildProcess process,
               ChildProcess::start({.words = {"sh", "-c", std::string(watched_shell) + words,
                                              printed.string(), decimal(::getpid())}}));
  log.note("waiting for the engine; what it prints is in " + printed.string());
  const auto until = std::chrono::steady_clock::now() + longest;
  while (!listens(port)) {
    if (stop_requested()) return Error(ErrorCode::interrupted, "stopped before the engine was ready");
    FIDUCIAL_TRY(const bool has_ended, process.wait(std::chrono::steady_clock::now() + pause));
    if (has_ended || std::chrono::steady_clock::now() > until)
      return Error(
          ErrorCode::remote,
          has_ended ? "the engine ended before it was ready" : "the engine is not ready after 30 minutes",
          Place{.path = printed.string()});
  }
  return ServedEngine(std::move(process), port);
}

std::string ServedEngine::url() const { return "http://127.0.0.1:" + decimal(port_) + "/v1"; }

}  // namespace fiducial::cli
