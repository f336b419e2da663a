// The bytes of a connection, in pieces and at once: both ways give the same requests, and what is accepted
// keeps what Request promises, through the router, its parameters and its Range.
#include <vector>

#include "fiducial/http/byte_range.h"
#include "fiducial/http/request_parser.h"
#include "fiducial/http/router.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

constexpr std::uint64_t most_body_bytes = 64;

// What became of one request.
struct Verdict {
  bool is_done = false;
  std::string method;
  std::string path;
  std::string body;
  std::size_t left = 0;  // bytes behind it

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

void check_target(http::Request& request) {
  require(request.path.starts_with('/') && request.path.find('\0') == std::string::npos);
  require((request.path + "/").find("/../") == std::string::npos);
  static_cast<void>(request.parameter("a"));
  if (const std::string* range = request.find("Range")) {
    const http::RangeWish wish = http::parse_range(*range, 1000);
    require(wish.part.first + wish.part.bytes <= 1000);
  }
  http::Router router;
  router.add({.method = "GET", .pattern = "/cases/{case}/files/{rest...}"})
      .add({.method = "POST", .pattern = "/"});
  const http::Router::Found found = router.find(request);
  require(found.route != nullptr || found.refusal.status == 404 || found.refusal.status == 405);
}

Verdict parse(std::string_view bytes, std::size_t piece) {
  http::RequestParser parser{http::Limits{}};
  std::string held;
  bool accepted = false;
  while (!parser.is_done() && !parser.refusal()) {
    held.erase(0, parser.feed(held));
    if (parser.has_head() && !accepted) {
      accepted = true;
      parser.accept_body(most_body_bytes);
      continue;
    }
    if (parser.is_done() || parser.refusal() || bytes.empty()) break;
    held += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  parser.finish();
  require(parser.is_done() != parser.refusal().has_value());
  if (!parser.is_done()) return {};
  check_target(parser.request());
  require(parser.request().body.size() <= most_body_bytes);
  return {.is_done = true,
          .method = parser.request().method,
          .path = parser.request().path,
          .body = parser.request().body,
          .left = held.size() + bytes.size()};
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  std::string_view text = as_text(fuzz::view(bytes, size));
  while (!text.empty() && text.size() < http::Limits{}.header_bytes) {
    const fuzz::Verdict whole = fuzz::parse(text, text.size());
    for (const std::size_t piece : {1, 7}) fuzz::require(fuzz::parse(text, piece) == whole);
    if (!whole.is_done) break;
    text = text.substr(text.size() - whole.left);
  }
  return 0;
}
