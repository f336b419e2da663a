#include "fiducial/http/server.h"

#include <list>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/http/connection.h"

// A temporary inside a co_await expression is destroyed twice by GCC 12 in some cases: every argument of one
// has a name.
namespace fiducial::http {

namespace {

constexpr std::chrono::milliseconds sweep_time{100};

class PlainWire final : public Wire {
 public:
  explicit PlainWire(tcp::socket socket) : socket_(std::move(socket)) {}
  tcp::socket& socket() override { return socket_; }
  Later<WireError> open() override { co_return WireError{}; }
  Later<std::size_t> read(asio::mutable_buffer buffer, WireError& error) override {
    auto token = asio::redirect_error(asio::use_awaitable, error);
    co_return co_await socket_.async_read_some(buffer, token);
  }
  Later<std::size_t> write(asio::const_buffer buffer, WireError& error) override {
    auto token = asio::redirect_error(asio::use_awaitable, error);
    co_return co_await socket_.async_write_some(buffer, token);
  }
  Later<void> close() override {
    WireError ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    co_return;
  }

 private:
  tcp::socket socket_;
};

// Turns a client away with a reply that fits into the socket's empty buffer.
void turn_away(tcp::socket& socket, const Service& service, ConnectionCounts::Answer answer) {
  if (service.options.security) return;  // it would be no TLS
  Reply reply = answer == ConnectionCounts::Answer::too_many
                    ? Reply::problem(503, "the server has all the connections it can have")
                    : Reply::problem(429, "this address has all the connections it can have");
  reply.set("Retry-After", "5");
  const std::string& body = std::get<std::string>(reply.body);
  const std::string text =
      head_text(reply, {.length = body.size(), .keep_alive = false, .fields = service.options.fields}) + body;
  WireError ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::const_buffer(text.data(), text.size()), ignored);
  socket.shutdown(tcp::socket::shutdown_send, ignored);
}

}  // namespace

class Server::Implementation {
 public:
  Implementation(Router router, const Limits& limits, ServerOptions options)
      : service_(std::move(router), limits, std::move(options)), acceptor_(loops_.emplace_back().context) {
    for (int i = 1; i < service_.options.wire_threads; ++i) loops_.emplace_back();
  }
  ~Implementation() {
    try {
      stop();
    } catch (const std::exception&) {  // out of memory or threads: there is no more that could be done
      std::abort();
    }
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  Outcome open();
  void run();
  void stop();

  std::uint16_t port() const { return port_; }
  std::size_t connections() const { return service_.counts.total(); }

 private:
  Later<void> accept();
  void welcome(tcp::socket socket, Loop& loop);
  Later<void> sweep(Loop& loop);
  template <typename Action>
  void tell_connections(const Action& action);
  bool wait_for_end(std::chrono::milliseconds time) const;

  Service service_;
  std::list<Loop> loops_;
  tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  bool runs_ = false;
};

Outcome Server::Implementation::open() {
  const ServerOptions& options = service_.options;
  WireError error;
  const asio::ip::address address = asio::ip::make_address(options.address, error);
  if (error) return bad_usage("expected an address, found " + options.address);
  const tcp::endpoint endpoint(address, options.port);
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(tcp::acceptor::max_listen_connections, error);
  if (!error) port_ = acceptor_.local_endpoint(error).port();
  if (error) {
    return Error(ErrorCode::io, "cannot listen on " + options.address + ":" + decimal(options.port) + ": " +
                                    error.message());
  }
  return done();
}

void Server::Implementation::run() {
  runs_ = true;
  asio::co_spawn(loops_.front().context, accept(), asio::detached);
  for (Loop& loop : loops_) {
    asio::co_spawn(loop.context, sweep(loop), asio::detached);
    loop.thread = std::thread([&loop] { loop.context.run(); });
  }
}

Later<void> Server::Implementation::accept() {
  auto next = loops_.begin();
  while (!service_.stopping) {
    if (++next == loops_.end()) next = loops_.begin();
    Loop& loop = *next;
    WireError error;
    auto token = asio::redirect_error(asio::use_awaitable, error);
    tcp::socket socket = co_await acceptor_.async_accept(loop.context, token);
    if (service_.stopping) co_return;
    if (error) {  // out of files, most likely: later there may be some
      asio::steady_timer timer(loops_.front().context, sweep_time);
      WireError ignored;
      auto waited = asio::redirect_error(asio::use_awaitable, ignored);
      co_await timer.async_wait(waited);
      continue;
    }
    auto shared = std::make_shared<tcp::socket>(std::move(socket));
    asio::post(loop.context, [this, &loop, shared] { welcome(std::move(*shared), loop); });
  }
}

void Server::Implementation::welcome(tcp::socket socket, Loop& loop) {
  WireError error;
  const tcp::endpoint client = socket.remote_endpoint(error);
  if (error) return;
  std::string address = client.address().to_string();
  const ConnectionCounts::Answer answer = service_.counts.enter(address_key(address));
  if (answer != ConnectionCounts::Answer::welcome) return turn_away(socket, service_, answer);
  socket.set_option(tcp::no_delay(true), error);
  std::unique_ptr<Wire> wire;
  if (service_.options.security) {
    AcceptedSocket accepted{std::move(socket)};
    wire = service_.options.security->wire(accepted);
  } else {
    wire = std::make_unique<PlainWire>(std::move(socket));
  }
  const auto connection = std::make_shared<Connection>(service_, loop, std::move(wire), std::move(address));
  asio::co_spawn(loop.context, connection->run(), asio::detached);
}

// Looks for connections whose time is over.
Later<void> Server::Implementation::sweep(Loop& loop) {
  while (!loop.is_ending) {
    loop.sweeper.expires_after(sweep_time);
    WireError error;
    auto token = asio::redirect_error(asio::use_awaitable, error);
    co_await loop.sweeper.async_wait(token);
    if (error) co_return;
    const auto now = Clock::now();
    for (Connection* connection : loop.connections) connection->sweep(now);
  }
}

template <typename Action>
void Server::Implementation::tell_connections(const Action& action) {
  for (Loop& loop : loops_) {
    asio::post(loop.context, [&loop, action] {
      const std::vector<Connection*> all(loop.connections.begin(), loop.connections.end());
      for (Connection* connection : all) action(*connection);
    });
  }
}

bool Server::Implementation::wait_for_end(std::chrono::milliseconds time) const {
  constexpr std::chrono::milliseconds look{5};
  for (const auto until = Clock::now() + time; Clock::now() < until; std::this_thread::sleep_for(look)) {
    if (connections() == 0) return true;
  }
  return false;
}

void Server::Implementation::stop() {
  if (!runs_) return;
  runs_ = false;
  service_.stopping = true;
  asio::post(loops_.front().context, [this] {
    WireError ignored;
    acceptor_.close(ignored);
  });
  tell_connections([](Connection& connection) { connection.stop_idle(); });
  if (!wait_for_end(service_.limits.stop_time)) {
    tell_connections([](Connection& connection) { connection.break_off(); });
    constexpr std::chrono::seconds long_enough{60};  // handlers that compute end first
    wait_for_end(long_enough);
  }
  service_.workers.join();
  for (Loop& loop : loops_) {
    asio::post(loop.context, [&loop] {
      loop.is_ending = true;
      loop.sweeper.cancel();
    });
    loop.work.reset();
  }
  for (Loop& loop : loops_) {
    if (connections() != 0) loop.context.stop();
    loop.thread.join();
  }
}

Server::Server(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;
Server::~Server() = default;

Result<Server> Server::start(Router router, const Limits& limits, ServerOptions options) {
  auto implementation = std::make_unique<Implementation>(std::move(router), limits, std::move(options));
  FIDUCIAL_TRY_DONE(implementation->open());
  implementation->run();
  return Server(std::move(implementation));
}

std::uint16_t Server::port() const { return implementation_->port(); }
std::size_t Server::connections() const { return implementation_->connections(); }
void Server::stop() { implementation_->stop(); }

Outcome serve(Router router, const Limits& limits, ServerOptions options,
              const std::function<void(std::uint16_t)>& started) {
  FIDUCIAL_TRY(Server server, Server::start(std::move(router), limits, std::move(options)));
  started(server.port());
  constexpr std::chrono::milliseconds look{50};
  while (!stop_requested()) std::this_thread::sleep_for(look);
  server.stop();
  return done();
}

}  // namespace fiducial::http
