#pragma once

#include <chrono>
#include <span>
#include <unordered_set>
#include <vector>

#include "fiducial/chat/curl_library.h"

namespace fiducial {

// The sockets that libcurl wishes to hear of, and when it wishes to be called in any case. The cost of a wait
// depends on how many of them have something to say, not on how many there are.
class SocketWatch {
 public:
  SocketWatch();
  SocketWatch(const SocketWatch&) = delete;
  SocketWatch& operator=(const SocketWatch&) = delete;
  ~SocketWatch();

  bool is_open() const { return epoll_ >= 0; }
  // Has a loop tell its wishes to this watch, which must outlive it.
  void serve(const CurlLibrary& curl, CURLM* multi);

  struct Ready {
    curl_socket_t socket = CURL_SOCKET_TIMEOUT;  // or the time that was wished for has come
    int events = 0;
  };
  // What is ready, a few at a time; waits no longer than the time given, and not through a signal.
  std::vector<Ready> wait(std::chrono::milliseconds most);

 private:
  using Clock = std::chrono::steady_clock;
  static int wish_socket(CURL* handle, curl_socket_t socket, int what, void* watch, void* known);
  static int wish_time(CURLM* multi, long milliseconds, void* watch);

  int epoll_ = -1;
  std::unordered_set<curl_socket_t> watched_;
  Clock::time_point call_at_ = Clock::time_point::max();
};

}  // namespace fiducial
