#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "fiducial/http/connection_counts.h"
#include "fiducial/http/request_parser.h"
#include "fiducial/http/server.h"
#include "fiducial/http/wire.h"

// For the two sources of the server; everything else sees server.h, which has no Boost in it.
namespace fiducial::http {

using Clock = std::chrono::steady_clock;

// What all connections share.
struct Service {
  Service(Router its_router, const Limits& its_limits, ServerOptions its_options)
      : router(std::move(its_router)),
        limits(its_limits),
        options(std::move(its_options)),
        counts(limits),
        workers(static_cast<std::size_t>(std::max(1, options.worker_threads))) {}

  Router router;
  Limits limits;
  ServerOptions options;
  ConnectionCounts counts;
  std::atomic<bool> stopping{false};
  asio::thread_pool workers;
};

class Connection;

// One thread of the wire: connections stay on the thread they were given to, so nothing of theirs is locked.
struct Loop {
  std::set<Connection*> connections;  // outlives the coroutines that the context holds
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  asio::steady_timer sweeper{context};
  bool is_ending = false;  // its timer may have rung already when it is cancelled
  std::thread thread;
};

// One client, from its first byte to its last.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Service& service, Loop& loop, std::unique_ptr<Wire> wire, std::string address)
      : service_(service),
        loop_(loop),
        wire_(std::move(wire)),
        timer_(loop.context),
        address_(std::move(address)) {
    loop_.connections.insert(this);
  }
  ~Connection() {
    loop_.connections.erase(this);
    service_.counts.leave(address_key(address_));
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Later<void> run();

  // Ends what is waited for, where its time is over.
  void sweep(Clock::time_point now) {
    if (now < deadline_) return;
    is_late_ = true;
    interrupt();
  }
  // Ends the wait for a request that has not begun.
  void stop_idle() {
    if (is_idle_) interrupt();
  }
  void break_off() {
    is_broken_ = true;
    WireError ignored;
    timer_.cancel();
    wire_->socket().close(ignored);
  }
  void wake() { timer_.cancel(); }

 private:
  enum class Next { again, close, broken };
  static constexpr auto no_deadline = Clock::time_point::max();

  void interrupt() {
    deadline_ = no_deadline;
    WireError ignored;
    wire_->socket().cancel(ignored);
  }
  void set_deadline(std::chrono::milliseconds time) {
    is_late_ = false;
    deadline_ = Clock::now() + time;
  }

  Later<Next> serve_one();
  Later<bool> read_more();
  Later<bool> read_head(RequestParser& parser);
  Later<bool> read_body(RequestParser& parser);
  Later<Reply> reply_to(RequestParser& parser);
  Later<Reply> call(const Route& route, Request request, std::unique_ptr<Upload> upload);
  std::optional<Reply> refused_host(const Request& request) const;

  Later<Next> send(const Reply& reply, const Request& request, bool keep_alive);
  Later<bool> send_body(const Reply& reply, bool chunked);
  Later<bool> send_file(const FileBody& body);
  Later<Piece::Then> send_stream(Stream& stream, bool chunked);
  Later<bool> send_bytes(std::string_view bytes);
  Later<bool> pause(std::chrono::milliseconds time);
  Later<void> linger();
  bool client_left();
  void feed(RequestParser& parser);
  void note(const Request& request, const Reply& reply, Clock::time_point began);
  bool can_go_on() const { return !is_broken_ && !service_.stopping; }

  Service& service_;
  Loop& loop_;
  std::unique_ptr<Wire> wire_;
  asio::steady_timer timer_;
  std::string address_;
  std::string buffer_;  // read and not yet taken
  std::uint64_t requests_ = 0;
  std::uint64_t sent_bytes_ = 0;
  Clock::time_point deadline_ = no_deadline;
  bool is_late_ = false;
  bool is_idle_ = false;
  bool is_broken_ = false;
  bool at_end_ = false;
};

}  // namespace fiducial::http
