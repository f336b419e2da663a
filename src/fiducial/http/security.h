#pragma once

#include <memory>

namespace fiducial::http {

class Wire;
struct AcceptedSocket;

// What guards the bytes of a connection, such as TLS (tls/server_tls.h). A server without it speaks in the
// clear and needs no library for it.
class Security {
 public:
  virtual ~Security() = default;
  virtual std::unique_ptr<Wire> wire(AcceptedSocket& accepted) const = 0;
};

}  // namespace fiducial::http
