#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>

#include "fiducial/base/number_text.h"

namespace fiducial::http {

// A plain socket to a server of this machine, for tests: it sends any bytes and hears what comes.
class TestClient {
 public:
  explicit TestClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  TestClient(TestClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), is_connected_(other.is_connected_) {}
  TestClient& operator=(TestClient&&) = delete;
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;
  ~TestClient() { ::close(socket_); }

  bool is_connected() const { return is_connected_; }

  // False where the server has closed.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // Sends what fits without waiting.
  void send_some(std::string_view bytes) const {
    static_cast<void>(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  }

  // All until the server closes; nothing more once it is silent for this long.
  std::string hear_all(int silence_ms = 20'000) const {
    std::string out;
    while (hear_some(out, silence_ms)) {
    }
    return out;
  }

  // One reply, with a body of the length that it tells.
  std::string hear_reply(int silence_ms = 20'000) {
    while (true) {
      const std::size_t head = held_.find("\r\n\r\n");
      if (head != std::string::npos) {
        const std::size_t place = held_.find("Content-Length: ");
        const std::size_t length = place < head ? length_at(place + 16) : 0;
        if (held_.size() >= head + 4 + length) {
          std::string reply = held_.substr(0, head + 4 + length);
          held_.erase(0, reply.size());
          return reply;
        }
      }
      if (!hear_some(held_, silence_ms)) return std::exchange(held_, {});
    }
  }

  bool hear_some(std::string& out, int silence_ms) const {
    pollfd ready{.fd = socket_, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, silence_ms) <= 0) return false;
    char buffer[65536];
    const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
    if (got <= 0) return false;
    out.append(buffer, static_cast<std::size_t>(got));
    return true;
  }

 private:
  std::size_t length_at(std::size_t place) const {
    const std::string digits = held_.substr(place, held_.find('\r', place) - place);
    return static_cast<std::size_t>(parse_unsigned(digits).value_or(0));
  }

  int socket_;
  bool is_connected_ = false;
  std::string held_;
};

// The status of a reply, or 0 where it is none.
inline int status_of(const std::string& reply) {
  if (!reply.starts_with("HTTP/1.1 ") || reply.size() < 13) return 0;
  return static_cast<int>(parse_integer(reply.substr(9, 3)).value_or(0));
}

inline std::string body_of(const std::string& reply) {
  const std::size_t head = reply.find("\r\n\r\n");
  return head == std::string::npos ? "" : reply.substr(head + 4);
}

}  // namespace fiducial::http
