#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/http/limits.h"
#include "fiducial/http/router.h"
#include "fiducial/http/security.h"

namespace fiducial::http {

// One reply, for a log: never a body, never a query.
struct Access {
  std::string address;
  std::string method;
  std::string path;
  int status = 0;
  std::uint64_t bytes = 0;  // of the reply's body
  std::chrono::microseconds time{0};
};

// Where and how a server listens.
struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;                    // 0: one that is free
  std::shared_ptr<const Security> security;  // none: in the clear
  int wire_threads = 2;                      // they read, write and wait
  int worker_threads = 2;                    // they call the handlers that are not quick
  std::vector<std::string> hosts;            // that requests may name, with any port; empty: any
  std::vector<std::string> trusted_proxies;  // whose X-Forwarded-For is believed
  std::vector<Field> fields;                 // that every reply has, refusals too
  std::function<void(const Access&)> log;    // called from any thread
};

// A running HTTP/1.1 server. Its methods are safe from any thread but its own.
class Server {
 public:
  // Listens when this returns.
  static Result<Server> start(Router router, const Limits& limits, ServerOptions options);
  Server(Server&&) noexcept;
  Server& operator=(Server&&) noexcept;
  ~Server();  // stops

  std::uint16_t port() const;
  std::size_t connections() const;

  // Takes no more requests, lets replies under way end within Limits::stop_time, and breaks off the others.
  void stop();

 private:
  class Implementation;
  explicit Server(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

// Serves until a stop is asked for (base/interruption.h). started is called with the port, once it listens.
Outcome serve(Router router, const Limits& limits, ServerOptions options,
              const std::function<void(std::uint16_t)>& started);

}  // namespace fiducial::http
