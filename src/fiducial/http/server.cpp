#include "fiducial/http/server.h"

#include <array>
#include <atomic>
#include <charconv>
#include <list>
#include <set>
#include <sys/socket.h>
#include <thread>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "fiducial/base/ascii.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/http/connection_counts.h"
#include "fiducial/http/request_parser.h"
#include "fiducial/http/wire.h"

// A temporary inside a co_await expression is destroyed twice by GCC 12 in some cases: every argument of one
// has a name.
namespace fiducial::http {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto no_deadline = Clock::time_point::max();
constexpr std::chrono::milliseconds sweep_time{100};
constexpr std::chrono::milliseconds linger_time{1000};
constexpr std::size_t small_body_bytes = std::size_t{16} * 1024;  // travels with its head

std::string hexadecimal(std::size_t value) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value, 16);
  return {digits.data(), end.ptr};
}

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

// Reads what is there, at most a piece. False at the end, after an error and when the time is over.
Later<bool> Connection::read_more() {
  const std::size_t held = buffer_.size();
  const std::size_t room = std::max(service_.limits.header_bytes, held) + 1;
  buffer_.resize(std::max(buffer_.capacity(), room));
  WireError error;
  const asio::mutable_buffer free(buffer_.data() + held, buffer_.size() - held);
  const std::size_t got = co_await wire_->read(free, error);
  buffer_.resize(held + got);
  at_end_ = error && !is_late_;
  co_return !error;
}

void Connection::feed(RequestParser& parser) {
  const std::size_t used = parser.feed(buffer_);
  buffer_.erase(0, used);
}

Later<bool> Connection::read_head(RequestParser& parser) {
  is_idle_ = buffer_.empty();
  if (is_idle_) std::string().swap(buffer_);  // what a large body needed is not kept for small ones
  set_deadline(requests_ == 0 ? service_.limits.header_time : service_.limits.keep_alive);
  if (is_idle_) {
    if (!can_go_on()) co_return false;
    const bool began = co_await read_more();
    is_idle_ = false;
    if (!began) co_return false;
  }
  set_deadline(service_.limits.header_time);
  while (true) {
    feed(parser);
    if (parser.has_head() || parser.refusal()) co_return true;
    if (!co_await read_more()) break;
  }
  if (is_late_) co_return true;
  parser.finish();
  co_return !is_broken_;
}

Later<bool> Connection::read_body(RequestParser& parser) {
  const Limits& limits = service_.limits;
  const auto began = Clock::now();
  if (parser.expects_continue() && buffer_.empty()) {
    constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    if (!co_await send_bytes(go_on)) co_return false;
  }
  std::uint64_t before = UINT64_MAX;
  while (true) {
    feed(parser);
    if (parser.is_done() || parser.refusal()) co_return true;
    // Many bytes follow: they are read in large pieces, where small ones would cost 25 times the processor
    // time.
    if (parser.body_bytes() > small_body_bytes) buffer_.reserve(limits.file_piece_bytes);
    if (parser.body_bytes() != before) set_deadline(limits.body_idle);
    before = parser.body_bytes();
    const auto fair =
        std::chrono::milliseconds(before * 1000 / std::max<std::uint64_t>(1, limits.body_bytes_per_s));
    deadline_ = std::min(deadline_, began + limits.body_grace + fair);
    if (!co_await read_more()) break;
  }
  if (!is_late_) parser.finish();
  co_return true;
}

// Whether a Host field is a name, with any port behind it unless the name has one of its own.
bool names_host(std::string_view field, std::string_view name) {
  if (!field.starts_with(name)) return false;
  field.remove_prefix(name.size());
  if (field.empty()) return true;
  field.remove_prefix(1);
  return field.data()[-1] == ':' && std::ranges::all_of(field, is_digit);
}

std::optional<Reply> Connection::refused_host(const Request& request) const {
  const std::vector<std::string>& hosts = service_.options.hosts;
  if (hosts.empty()) return std::nullopt;
  const std::string* host = request.find("Host");
  const auto is_named = [host](const std::string& name) { return names_host(*host, name); };
  if (host != nullptr && std::ranges::any_of(hosts, is_named)) return std::nullopt;
  return Reply::problem(421, "this server does not answer under that name");
}

// Calls what a route does, on a worker unless it is quick.
Later<Reply> Connection::call(const Route& route, Request request, std::unique_ptr<Upload> upload) {
  auto on_worker = asio::bind_executor(service_.workers.get_executor(), asio::use_awaitable);
  auto on_wire = asio::bind_executor(loop_.context.get_executor(), asio::use_awaitable);
  if (!route.quick) co_await asio::post(on_worker);
  Reply reply;
  try {
    reply = upload ? upload->finish() : route.handler(request);
  } catch (const std::exception&) {
    reply = Reply::problem(500, "the server failed");
  }
  upload.reset();
  if (!route.quick) co_await asio::post(on_wire);
  co_return reply;
}

// The answer to a request whose head is read, after its body is.
Later<Reply> Connection::reply_to(RequestParser& parser) {
  Request& request = parser.request();
  request.address = address_;
  const std::string* forwarded = request.find("X-Forwarded-For");
  if (forwarded != nullptr && std::ranges::find(service_.options.trusted_proxies, address_) !=
                                  service_.options.trusted_proxies.end()) {
    request.address = trimmed(std::string_view(*forwarded).substr(forwarded->rfind(',') + 1));
  }
  if (std::optional<Reply> refusal = refused_host(request)) co_return *std::move(refusal);
  Router::Found found = service_.router.find(request);
  if (found.route == nullptr) co_return std::move(found.refusal);
  const Route& route = *found.route;
  std::unique_ptr<Upload> upload;
  if (route.begin_upload) {
    UploadStart start = route.begin_upload(request);
    if (std::holds_alternative<Reply>(start)) co_return std::get<Reply>(std::move(start));
    upload = std::get<std::unique_ptr<Upload>>(std::move(start));
  }
  RequestParser::Taker taker;
  if (upload) taker = [&upload](std::string_view bytes) { return upload->take(as_bytes(bytes)); };
  parser.accept_body(route.max_body_bytes != 0 ? route.max_body_bytes : service_.limits.body_bytes,
                     std::move(taker));
  if (!parser.refusal() && !parser.is_done()) co_await read_body(parser);
  if (parser.refusal()) co_return Reply::problem(parser.refusal()->status, parser.refusal()->reason);
  if (!parser.is_done()) co_return Reply::problem(408, "the body came too slowly");
  deadline_ = no_deadline;
  Request whole;
  std::swap(whole, request);
  request.method = whole.method;  // of what is left, the reply is sent by these
  request.path = whole.path;
  request.is_1_0 = whole.is_1_0;
  co_return co_await call(route, std::move(whole), std::move(upload));
}

void Connection::note(const Request& request, const Reply& reply, Clock::time_point began) {
  if (!service_.options.log) return;
  const auto time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began);
  service_.options.log({.address = address_,
                        .method = request.method,
                        .path = request.path,
                        .status = reply.status,
                        .bytes = sent_bytes_,
                        .time = time});
}

Later<Connection::Next> Connection::serve_one() {
  RequestParser parser(service_.limits);
  if (!co_await read_head(parser)) co_return Next::close;
  ++requests_;
  const auto began = Clock::now();
  Reply reply;
  if (parser.refusal()) {
    reply = Reply::problem(parser.refusal()->status, parser.refusal()->reason);
  } else if (!parser.has_head()) {
    reply = Reply::problem(408, "the header came too slowly");
  } else {
    reply = co_await reply_to(parser);
  }
  if (at_end_ && !parser.is_done()) co_return Next::broken;  // nobody listens
  Next next = Next::broken;
  if (co_await pause(reply.delay)) {
    const bool keep = parser.is_done() && parser.keep_alive() && can_go_on() &&
                      requests_ < service_.limits.requests_per_connection;
    next = co_await send(reply, parser.request(), keep);
  }
  note(parser.request(), reply, began);
  co_return next;
}

// Whether the client has closed, its own side at least.
bool Connection::client_left() {
  char byte = 0;
  return ::recv(wire_->socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

// Waits; false where the client went away meanwhile.
Later<bool> Connection::pause(std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds look{200};
  const auto until = Clock::now() + time;
  deadline_ = no_deadline;
  while (!is_broken_ && time.count() > 0 && Clock::now() < until) {
    timer_.expires_at(std::min(until, Clock::now() + look));
    WireError woken;
    auto token = asio::redirect_error(asio::use_awaitable, woken);
    co_await timer_.async_wait(token);
    if (is_broken_ || client_left()) co_return false;
    if (woken) break;
  }
  co_return !is_broken_;
}

Later<bool> Connection::send_bytes(std::string_view bytes) {
  while (!bytes.empty() && !is_broken_) {
    set_deadline(service_.limits.write_idle);
    WireError error;
    const asio::const_buffer piece(bytes.data(), std::min(bytes.size(), service_.limits.file_piece_bytes));
    const std::size_t written = co_await wire_->write(piece, error);
    if (error) co_return false;
    bytes.remove_prefix(written);
    sent_bytes_ += written;
  }
  deadline_ = no_deadline;
  co_return !is_broken_;
}

Later<bool> Connection::send_file(const FileBody& body) {
  std::string piece;
  for (std::uint64_t at = 0; at < body.part.bytes;) {
    piece.resize(std::min<std::uint64_t>(service_.limits.file_piece_bytes, body.part.bytes - at));
    const std::span<char> chars(piece);
    const Result<std::size_t> got = body.file->read_at(body.part.first + at, std::as_writable_bytes(chars));
    if (!got.ok() || *got != piece.size()) co_return false;  // it shrank: the client sees a reply cut short
    if (!co_await send_bytes(piece)) co_return false;
    at += piece.size();
  }
  co_return true;
}

Later<Piece::Then> Connection::send_stream(Stream& stream, bool chunked) {
  const std::weak_ptr<Connection> self = weak_from_this();
  stream.set_wake([self, &context = loop_.context] {
    asio::post(context, [self] {
      if (const auto connection = self.lock()) connection->wake();
    });
  });
  while (!is_broken_) {
    Piece piece = stream.next();
    if (!piece.bytes.empty()) {
      if (chunked) piece.bytes = hexadecimal(piece.bytes.size()) + "\r\n" + piece.bytes + "\r\n";
      if (!co_await send_bytes(piece.bytes)) co_return Piece::Then::reset;
    }
    if (piece.then != Piece::Then::more) co_return piece.then;
    if (!co_await pause(piece.pause)) co_return Piece::Then::reset;
  }
  co_return Piece::Then::reset;
}

Later<bool> Connection::send_body(const Reply& reply, bool chunked) {
  if (const auto* text = std::get_if<std::string>(&reply.body)) co_return co_await send_bytes(*text);
  if (const auto* file = std::get_if<FileBody>(&reply.body)) co_return co_await send_file(*file);
  const auto* stream = std::get_if<StreamBody>(&reply.body);
  if (stream == nullptr) co_return true;
  const Piece::Then end = co_await send_stream(*stream->stream, chunked);
  if (end == Piece::Then::reset) co_return false;
  constexpr std::string_view last_chunk = "0\r\n\r\n";
  if (!chunked) co_return true;
  co_return co_await send_bytes(last_chunk);
}

// The length of a body, where it is known before it is sent.
std::optional<std::uint64_t> known_length(const Reply& reply) {
  if (const auto* text = std::get_if<std::string>(&reply.body)) return text->size();
  if (const auto* file = std::get_if<FileBody>(&reply.body)) return file->part.bytes;
  return std::nullopt;
}

Later<Connection::Next> Connection::send(const Reply& reply, const Request& request, bool keep_alive) {
  sent_bytes_ = 0;
  if (const auto* verbatim = std::get_if<VerbatimReply>(&reply.body)) {
    const Piece::Then end = co_await send_stream(*verbatim->stream, false);
    co_return end == Piece::Then::reset ? Next::broken : Next::close;
  }
  const std::optional<std::uint64_t> length = known_length(reply);
  const bool chunked = !length && !request.is_1_0;
  keep_alive = keep_alive && (length || chunked);
  std::string head = head_text(
      reply,
      {.length = length, .chunked = chunked, .keep_alive = keep_alive, .fields = service_.options.fields});
  const bool has_body = request.method != "HEAD" && reply.status != 204 && reply.status != 304;
  const auto* text = std::get_if<std::string>(&reply.body);
  const bool in_one = has_body && text != nullptr && text->size() <= small_body_bytes;
  if (in_one) head += *text;
  if (!co_await send_bytes(head)) co_return Next::broken;
  if (has_body && !in_one) {
    const bool sent = co_await send_body(reply, chunked);
    if (!sent) co_return Next::broken;
  }
  co_return keep_alive ? Next::again : Next::close;
}

// Reads on for a moment: a socket that is closed with bytes unread takes the reply back from the client.
Later<void> Connection::linger() {
  constexpr std::size_t most_bytes = std::size_t{1024} * 1024;
  const auto until = Clock::now() + linger_time;
  std::size_t taken = 0;
  is_idle_ = true;
  while (!at_end_ && can_go_on() && taken < most_bytes && Clock::now() < until) {
    set_deadline(linger_time);
    buffer_.clear();
    if (!co_await read_more()) break;
    taken += buffer_.size();
  }
}

Later<void> Connection::run() {
  const auto self = shared_from_this();  // lives as long as this coroutine
  set_deadline(service_.limits.header_time);
  const WireError unopened = co_await wire_->open();
  if (unopened) co_return;
  Next next = Next::again;
  while (next == Next::again) next = co_await serve_one();
  WireError ignored;
  if (next == Next::close && !is_broken_) {
    set_deadline(linger_time);
    co_await wire_->close();
    co_await linger();
  } else {
    wire_->socket().set_option(tcp::socket::linger(true, 0), ignored);
  }
  wire_->socket().close(ignored);
}

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
