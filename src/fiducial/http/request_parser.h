#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fiducial/http/limits.h"
#include "fiducial/http/request.h"

namespace fiducial::http {

// Why a request is not served.
struct Refusal {
  int status = 400;
  std::string reason;
};

// One request out of the bytes of a connection. Bytes are hostile; what does not end in a whole, unambiguous
// request ends in a Refusal.
class RequestParser {
 public:
  explicit RequestParser(const Limits& limits);
  RequestParser(RequestParser&&) noexcept;
  RequestParser& operator=(RequestParser&&) noexcept;
  ~RequestParser();

  // Takes bytes and returns how many; the caller hands the others in again, with more behind them. Stops
  // behind the head, so that accept_body() can be called, and behind the body. More than the limits hold in
  // one piece is refused.
  std::size_t feed(std::string_view bytes);
  // No more bytes will come.
  void finish();

  bool has_head() const;
  bool is_done() const;
  const std::optional<Refusal>& refusal() const;

  // Once the head is there: how large the body may be, and who takes it. Without a taker it goes to the
  // request.
  using Taker = std::function<Outcome(std::string_view)>;
  void accept_body(std::uint64_t max_bytes, Taker taker = nullptr);
  std::uint64_t body_bytes() const;  // so far

  // Of the head.
  bool expects_continue() const;
  bool keep_alive() const;
  const Request& request() const;
  Request& request();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace fiducial::http
