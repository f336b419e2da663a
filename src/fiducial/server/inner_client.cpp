#include "fiducial/server/inner_client.h"

#include "fiducial/base/json_fields.h"

namespace fiducial {

namespace {

Error refusal_of(const std::string& target, const http::Reply& reply) {
  const auto* body = std::get_if<std::string>(&reply.body);
  const Result<Json> problem = body == nullptr ? Result<Json>(Json()) : parse_json(*body);
  const std::string detail = problem.ok() ? text_at(*problem, "detail") : "";
  return {ErrorCode::unavailable,
          target + ": " + (detail.empty() ? std::string(http::status_words(reply.status)) : detail)};
}

}  // namespace

Result<std::string> InnerClient::bytes(const std::string& target) const {
  http::Request request{.method = "GET"};
  FIDUCIAL_TRY_DONE(http::set_target(request, target));
  const http::Router::Found found = router_.find(request);
  if (found.route == nullptr) return refusal_of(target, found.refusal);
  http::Reply reply = found.route->handler(request);
  if (reply.status != 200) return refusal_of(target, reply);
  auto* body = std::get_if<std::string>(&reply.body);
  FIDUCIAL_ASSERT(body != nullptr);
  return std::move(*body);
}

Result<Json> InnerClient::json(const std::string& target) const {
  FIDUCIAL_TRY(const std::string text, bytes(target));
  return parse_json(text);
}

}  // namespace fiducial
