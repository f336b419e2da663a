#include "fiducial/http/request_parser.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/http/field_text.h"

namespace fiducial::http {

namespace {

namespace beast_http = boost::beast::http;
using BeastText = boost::beast::string_view;
using BeastError = boost::beast::error_code;

std::string_view view(BeastText text) { return {text.data(), text.size()}; }

// Methods that mean something here; the others are a client's mistake or a probe.
bool is_method(std::string_view method) {
  constexpr std::string_view known[] = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
  return std::ranges::find(known, method) != std::end(known);
}

Refusal refusal_of(BeastError error) {
  const std::string reason = error.message();
  if (error == beast_http::error::header_limit) return {431, "the header is too large"};
  if (error == beast_http::error::buffer_overflow) return {431, "the header is too large"};
  if (error == beast_http::error::body_limit) return {413, "the body is too large"};
  if (error == beast_http::error::bad_version) return {505, "HTTP/1.1 is spoken here"};
  return {400, reason};
}

}  // namespace

class RequestParser::Implementation final : public beast_http::basic_parser<true> {
 public:
  explicit Implementation(const Limits& limits) : limits_(limits) {
    header_limit(static_cast<std::uint32_t>(limits.header_bytes));
    body_limit(boost::none);  // asked by hand, when the route is known
  }

  std::size_t feed_bytes(std::string_view bytes) {
    if (refusal_ || is_done()) return 0;
    // Until a chunked body ends there are as many bytes to come; Beast asserts that it is not asked with
    // less.
    constexpr std::size_t last_chunk_bytes = std::string_view("0\r\n\r\n").size();
    if (is_header_done() && chunked() && bytes.size() < last_chunk_bytes) return 0;
    BeastError error;
    const bool in_head = !is_header_done();
    const std::size_t used = put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
    if (in_head) head_bytes_ += used;
    if (error == beast_http::error::need_more) {
      if (used == 0 && bytes.size() >= limits_.header_bytes) refuse(431, "a line is too long");
    } else if (error && !refusal_) {
      refusal_ = refusal_of(error);
    }
    if (head_bytes_ > limits_.header_bytes) refuse(431, "the header is too large");
    if (in_head && is_header_done() && !refusal_) check_head();
    return used;
  }

  void refuse(int status, std::string reason) { refusal_ = Refusal{status, std::move(reason)}; }

  Limits limits_;
  Request request_;
  std::optional<Refusal> refusal_;
  RequestParser::Taker taker_;
  std::size_t head_bytes_ = 0;
  std::uint64_t max_body_bytes_ = 0;
  std::uint64_t body_bytes_ = 0;
  bool expects_continue_ = false;

 private:
  // What the grammar lets through and two servers in a row could read in two ways.
  void check_head() {
    std::size_t hosts = 0;
    for (const Field& field : request_.fields) {
      if (same_name(field.name, "Host")) ++hosts;
      if (same_name(field.name, "Transfer-Encoding") && !same_name(field.value, "chunked")) {
        return refuse(501, "only the transfer coding chunked is known");
      }
      if (same_name(field.name, "Content-Encoding") && !same_name(field.value, "identity")) {
        return refuse(415, "bodies are taken as they are, never inflated");
      }
      if (same_name(field.name, "Expect")) {
        if (!same_name(field.value, "100-continue")) return refuse(417, "only 100-continue can be expected");
        expects_continue_ = true;
      }
    }
    if (hosts > 1 || (hosts == 0 && !request_.is_1_0)) return refuse(400, "one Host field, please");
    if (request_.is_1_0 && chunked()) return refuse(400, "HTTP/1.0 has no transfer codings");
    if (!is_method(request_.method)) return refuse(501, "an unknown method");
  }

  // Stops the parser; the refusal says why. Nothing of what it held was taken.
  std::size_t fail(int status, std::string reason, BeastError& error) {
    refuse(status, std::move(reason));
    error = beast_http::error::bad_value;
    return 0;
  }

  std::size_t take_body(BeastText body, BeastError& error) {
    body_bytes_ += body.size();
    if (body_bytes_ > max_body_bytes_) return fail(413, "the body is too large", error);
    if (!taker_) {
      request_.body.append(body.data(), body.size());
      return body.size();
    }
    const Outcome taken = taker_(view(body));
    if (!taken.ok()) return fail(500, "the body could not be stored", error);
    return body.size();
  }

  void on_request_impl(beast_http::verb, BeastText method, BeastText target, int version,
                       BeastError& error) override {
    error = {};
    request_.method = view(method);
    request_.is_1_0 = version == 10;
    if (target.size() > limits_.target_bytes) return void(fail(414, "the target is too long", error));
    const Outcome set = set_target(request_, view(target));
    if (!set.ok()) fail(400, set.error().message(), error);
  }

  void on_response_impl(int, BeastText, int, BeastError& error) override { error = {}; }

  void on_field_impl(beast_http::field, BeastText name, BeastText value, BeastError& error) override {
    error = {};
    if (is_header_done()) return;  // trailers are nobody's
    if (request_.fields.size() >= limits_.fields) return void(fail(431, "too many header fields", error));
    request_.fields.push_back({std::string(view(name)), std::string(view(value))});
  }

  void on_header_impl(BeastError& error) override { error = {}; }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, BeastError& error) override { error = {}; }

  std::size_t on_body_impl(BeastText body, BeastError& error) override {
    error = {};
    return take_body(body, error);
  }

  void on_chunk_header_impl(std::uint64_t bytes, BeastText, BeastError& error) override {
    error = {};
    if (bytes > max_body_bytes_ - body_bytes_) fail(413, "the body is too large", error);
  }

  std::size_t on_chunk_body_impl(std::uint64_t, BeastText body, BeastError& error) override {
    error = {};
    return take_body(body, error);
  }

  void on_finish_impl(BeastError& error) override { error = {}; }
};

RequestParser::RequestParser(const Limits& limits)
    : implementation_(std::make_unique<Implementation>(limits)) {}
RequestParser::RequestParser(RequestParser&&) noexcept = default;
RequestParser& RequestParser::operator=(RequestParser&&) noexcept = default;
RequestParser::~RequestParser() = default;

std::size_t RequestParser::feed(std::string_view bytes) { return implementation_->feed_bytes(bytes); }

void RequestParser::finish() {
  if (is_done() || refusal()) return;
  implementation_->refuse(400, "the request breaks off");
}

bool RequestParser::has_head() const {
  return implementation_->is_header_done() && !implementation_->refusal_;
}
bool RequestParser::is_done() const { return implementation_->is_done() && !implementation_->refusal_; }
const std::optional<Refusal>& RequestParser::refusal() const { return implementation_->refusal_; }

void RequestParser::accept_body(std::uint64_t max_bytes, Taker taker) {
  implementation_->max_body_bytes_ = max_bytes;
  implementation_->taker_ = std::move(taker);
  implementation_->eager(true);
  const auto length = implementation_->content_length();
  if (length && *length > max_bytes) implementation_->refuse(413, "the body is too large");
}

std::uint64_t RequestParser::body_bytes() const { return implementation_->body_bytes_; }
bool RequestParser::expects_continue() const {
  return implementation_->expects_continue_ && !implementation_->is_done();
}
bool RequestParser::keep_alive() const { return implementation_->keep_alive(); }
const Request& RequestParser::request() const { return implementation_->request_; }
Request& RequestParser::request() { return implementation_->request_; }

}  // namespace fiducial::http
