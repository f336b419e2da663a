#pragma once

#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/chat/vendor.h"

namespace fiducial {

// Where a model is asked: the base of its URL, whose language it speaks and what opens it.
class Endpoint {
 public:
  // Refuses what is no http or https URL, a URL with a user, a password, a query or a fragment, and plain
  // http to another machine.
  static Result<Endpoint> parse(const std::string& url);

  const std::string& base() const { return base_; }  // without a final slash
  const std::string& host() const { return host_; }  // without the port, in small letters
  bool is_loopback() const;
  // What cases leave this machine for; "" where they stay.
  std::string remote_host() const { return is_loopback() ? std::string() : host_; }
  // The vendor that hosts of this name speak the language of; any other is "compatible".
  std::string usual_vendor() const;

 private:
  std::string base_;
  std::string host_;
};

// What opens an endpoint. It is never printed, written or passed on but in a header.
struct KeySource {
  std::string variable;  // of the environment; empty: the vendor's usual ones
  Path file;             // or a file that holds nothing else
};

// The key, or "" for a loopback endpoint that has none. Refuses an empty or odd one, naming its source only.
Result<std::string> read_key(const KeySource& source, const Vendor& vendor, const Endpoint& endpoint);

// Policy: a host other than this machine must be allowed by name.
Outcome allow_egress(const Endpoint& endpoint, const std::vector<std::string>& allowed_hosts);

}  // namespace fiducial
