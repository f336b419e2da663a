#include "fiducial/chat/socket_watch.h"

#include <algorithm>
#include <array>
#include <sys/epoll.h>
#include <unistd.h>

namespace fiducial {

namespace {

// Few enough that the connections of the first replies do not idle until the last one is read.
constexpr std::size_t most_at_once = 8;

}  // namespace

SocketWatch::SocketWatch() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {}

SocketWatch::~SocketWatch() {
  if (epoll_ >= 0) close(epoll_);
}

void SocketWatch::serve(const CurlLibrary& curl, CURLM* multi) {
  curl.multi_set(multi, CURLMOPT_SOCKETFUNCTION, &SocketWatch::wish_socket);
  curl.multi_set(multi, CURLMOPT_SOCKETDATA, this);
  curl.multi_set(multi, CURLMOPT_TIMERFUNCTION, &SocketWatch::wish_time);
  curl.multi_set(multi, CURLMOPT_TIMERDATA, this);
}

int SocketWatch::wish_socket(CURL*, curl_socket_t socket, int what, void* watch, void*) {
  const int epoll = static_cast<SocketWatch*>(watch)->epoll_;
  std::unordered_set<curl_socket_t>& watched = static_cast<SocketWatch*>(watch)->watched_;
  if (what == CURL_POLL_REMOVE) {
    watched.erase(socket);
    epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nullptr);  // it may be closed already, and be gone with that
    return 0;
  }
  epoll_event event{};
  event.data.fd = socket;
  if ((what & CURL_POLL_IN) != 0) event.events |= EPOLLIN;
  if ((what & CURL_POLL_OUT) != 0) event.events |= EPOLLOUT;
  // One that was closed in between is gone from there, and another may have its number.
  const bool is_known = !watched.insert(socket).second;
  const int likely = is_known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  const int other = is_known ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  const bool is_heard =
      epoll_ctl(epoll, likely, socket, &event) == 0 || epoll_ctl(epoll, other, socket, &event) == 0;
  return is_heard ? 0 : -1;
}

int SocketWatch::wish_time(CURLM*, long milliseconds, void* watch) {
  static_cast<SocketWatch*>(watch)->call_at_ =
      milliseconds < 0 ? Clock::time_point::max() : Clock::now() + std::chrono::milliseconds(milliseconds);
  return 0;
}

std::vector<SocketWatch::Ready> SocketWatch::wait(std::chrono::milliseconds most) {
  std::vector<Ready> out;
  auto left = std::max(most, std::chrono::milliseconds(0));
  if (call_at_ != Clock::time_point::max()) {
    const auto until_call = std::chrono::ceil<std::chrono::milliseconds>(call_at_ - Clock::now());
    left = std::clamp(until_call, std::chrono::milliseconds(0), left);
  }
  std::array<epoll_event, most_at_once> events{};
  const int count =
      epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), static_cast<int>(left.count()));
  for (const epoll_event& event : std::span(events).first(static_cast<std::size_t>(std::max(count, 0)))) {
    int what = (event.events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0;
    if ((event.events & EPOLLOUT) != 0) what |= CURL_CSELECT_OUT;
    if ((event.events & (EPOLLERR | EPOLLHUP)) != 0) what |= CURL_CSELECT_ERR;
    out.push_back({.socket = event.data.fd, .events = what});
  }
  if (Clock::now() >= call_at_) {
    call_at_ = Clock::time_point::max();
    out.push_back({});
  }
  return out;
}

}  // namespace fiducial
