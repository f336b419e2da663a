#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// A body to post and how long to wait for what comes back.
struct HttpPost {
  std::uint64_t id = 0;  // of the caller
  std::string url;
  std::vector<std::string> headers;  // may hold a key: never part of any message
  std::string body;
  bool is_get = false;  // then nothing is posted
  std::string content_type = "application/json";
};

// What came back, or why nothing did.
struct HttpReply {
  enum class Failure { none, unreachable, certificate, timeout, too_large, broken };
  std::uint64_t id = 0;
  Failure failure = Failure::none;
  std::string problem;  // what went wrong, without the URL's secrets
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // names in small letters
  std::string body;
  double seconds = 0;

  // The last value of a header; "" where there is none.
  std::string header(std::string_view name) const;
};

struct HttpOptions {
  std::chrono::milliseconds timeout{600'000};
  std::chrono::milliseconds connect_timeout{20'000};
  std::size_t max_reply_bytes = std::size_t{16} << 20;
  Path ca_file;              // certificates to trust instead of the system's
  bool is_loopback = false;  // then no proxy is used
  std::string secret;        // a key: where a reply repeats it, it is taken out before anybody reads it
};

// The body of a reply without a key that the endpoint repeats, plain or as JSON writes it.
void hide_secret(std::string& body, const std::string& secret);

// Posts many bodies at once over one loop. Certificates are checked, redirects are not followed, and only
// http and https are spoken. One thread.
class HttpClient {
 public:
  static Result<HttpClient> make(const HttpOptions& options);
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) = delete;
  ~HttpClient();

  Outcome post(HttpPost post);
  std::size_t in_flight() const;
  // What ended; waits for the first one, but no longer than the time given.
  Result<std::vector<HttpReply>> wait(std::chrono::milliseconds most);

 private:
  struct State;
  explicit HttpClient(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace fiducial
