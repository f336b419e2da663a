#pragma once

#include <string>

#include "fiducial/base/json.h"
#include "fiducial/http/router.h"

namespace fiducial {

// Asks a router as a client would, within this process.
class InnerClient {
 public:
  explicit InnerClient(http::Router router) : router_(std::move(router)) {}

  // The body of what a path and query get; what is not answered by 200 is an error with the reply's words.
  Result<std::string> bytes(const std::string& target) const;
  Result<Json> json(const std::string& target) const;

 private:
  http::Router router_;
};

}  // namespace fiducial
