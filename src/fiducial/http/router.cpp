#include "fiducial/http/router.h"

#include <algorithm>

#include "fiducial/base/plain_text.h"

namespace fiducial::http {

namespace {

// The next segment of a path and what follows it; the path begins with a slash.
std::string_view take_segment(std::string_view& path) {
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

bool method_fits(std::string_view wanted, std::string_view method) {
  return wanted == method || (wanted == "GET" && method == "HEAD");
}

}  // namespace

Router& Router::add(Route route) {
  std::vector<Segment> segments = parse_pattern(route.pattern);
  entries_.push_back(std::make_shared<const Entry>(Entry{std::move(route), std::move(segments)}));
  return *this;
}

std::vector<Router::Segment> Router::parse_pattern(std::string_view pattern) {
  std::vector<Segment> segments;
  FIDUCIAL_ASSERT(pattern.starts_with('/'));
  while (!pattern.empty()) {
    std::string_view text = take_segment(pattern);
    Segment segment{.text = std::string(text)};
    if (text.starts_with('{') && text.ends_with('}')) {
      text = text.substr(1, text.size() - 2);
      segment.kind = text.ends_with("...") ? Segment::Kind::rest : Segment::Kind::name;
      segment.text = text.substr(0, text.size() - (segment.kind == Segment::Kind::rest ? 3 : 0));
    }
    segments.push_back(std::move(segment));
  }
  return segments;
}

bool Router::fits(const std::vector<Segment>& segments, std::string_view path, Parts& parts) {
  parts.clear();
  for (const Segment& segment : segments) {
    if (path.empty()) return false;
    if (segment.kind == Segment::Kind::rest) {
      parts.emplace_back(segment.text, path.substr(1));
      return true;
    }
    const std::string_view text = take_segment(path);
    if (segment.kind == Segment::Kind::word && segment.text != text) return false;
    if (segment.kind == Segment::Kind::name && text.empty()) return false;
    if (segment.kind == Segment::Kind::name) parts.emplace_back(segment.text, text);
  }
  return path.empty();
}

Router::Found Router::find(Request& request) const {
  std::vector<std::string_view> methods;
  for (const auto& entry : entries_) {
    if (!fits(entry->segments, request.path, request.parts)) continue;
    if (method_fits(entry->route.method, request.method)) return {.route = &entry->route};
    methods.emplace_back(entry->route.method);
    if (entry->route.method == "GET") methods.emplace_back("HEAD");
  }
  request.parts.clear();
  if (methods.empty()) return {.refusal = Reply::problem(404, "nothing is at this path")};
  Reply refusal = Reply::problem(405, "this path does not do that");
  refusal.set("Allow", joined(methods));
  return {.refusal = std::move(refusal)};
}

}  // namespace fiducial::http
