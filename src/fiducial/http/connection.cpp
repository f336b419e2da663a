#include "fiducial/http/connection.h"

#include <array>
#include <charconv>
#include <sys/socket.h>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "fiducial/base/ascii.h"
#include "fiducial/base/plain_text.h"

// A temporary inside a co_await expression is destroyed twice by GCC 12 in some cases: every argument of one
// has a name.
namespace fiducial::http {

namespace {

constexpr std::chrono::milliseconds linger_time{1000};
constexpr std::size_t small_body_bytes = std::size_t{16} * 1024;  // travels with its head

std::string hexadecimal(std::size_t value) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value, 16);
  return {digits.data(), end.ptr};
}

// Whether a Host field is a name, with any port behind it unless the name has one of its own.
bool names_host(std::string_view field, std::string_view name) {
  if (!field.starts_with(name)) return false;
  field.remove_prefix(name.size());
  if (field.empty()) return true;
  field.remove_prefix(1);
  return field.data()[-1] == ':' && std::ranges::all_of(field, is_digit);
}

// The length of a body, where it is known before it is sent.
std::optional<std::uint64_t> known_length(const Reply& reply) {
  if (const auto* text = std::get_if<std::string>(&reply.body)) return text->size();
  if (const auto* file = std::get_if<FileBody>(&reply.body)) return file->part.bytes;
  return std::nullopt;
}

}  // namespace

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

}  // namespace fiducial::http
