#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fiducial/http/reply.h"
#include "fiducial/http/request.h"

namespace fiducial::http {

// A body that is taken piece by piece, so that its size costs no memory.
class Upload {
 public:
  virtual ~Upload() = default;
  virtual Outcome take(ByteView bytes) = 0;  // on a thread of the wire
  virtual Reply finish() = 0;                // once, when the whole body was taken
};

// A place for a body, or why there is none.
using UploadStart = std::variant<std::unique_ptr<Upload>, Reply>;

// What is done at a path.
struct Route {
  std::string method;   // GET answers HEAD, too
  std::string pattern;  // "/cases/{case}"; "{rest...}" in the end stands for all that is left
  std::function<Reply(const Request&)> handler;
  std::uint64_t max_body_bytes = 0;  // 0: as Limits say
  // The handler neither waits nor computes: it is called on a thread of the wire, without a hop.
  bool quick = false;
  // Instead of the handler: takes the body in pieces.
  std::function<UploadStart(const Request&)> begin_upload;
};

// The routes of a server. Immutable once it serves, so any thread may ask.
class Router {
 public:
  // Of two patterns that fit, the one that was added first is taken.
  Router& add(Route route);

  // The route, or the answer where there is none: 404, or 405 with the methods that the path has.
  struct Found {
    const Route* route = nullptr;
    Reply refusal;
  };
  // Fills the request's parts.
  Found find(Request& request) const;

 private:
  struct Segment {
    enum class Kind { word, name, rest };
    Kind kind = Kind::word;
    std::string text;
  };
  struct Entry {
    Route route;
    std::vector<Segment> segments;
  };
  using Parts = std::vector<std::pair<std::string, std::string>>;

  static std::vector<Segment> parse_pattern(std::string_view pattern);
  static bool fits(const std::vector<Segment>& segments, std::string_view path, Parts& parts);

  std::vector<std::shared_ptr<const Entry>> entries_;
};

}  // namespace fiducial::http
