#include "fiducial/http/connection_counts.h"

#include <arpa/inet.h>

namespace fiducial::http {

ConnectionCounts::Answer ConnectionCounts::enter(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (total_ >= limits_.connections) return Answer::too_many;
  std::size_t& count = by_key_[key];
  if (count >= limits_.connections_per_address) return Answer::too_many_of_address;
  ++count;
  ++total_;
  return Answer::welcome;
}

void ConnectionCounts::leave(const std::string& key) {
  const std::lock_guard lock(mutex_);
  --total_;
  const auto found = by_key_.find(key);
  if (--found->second == 0) by_key_.erase(found);
}

std::size_t ConnectionCounts::total() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

std::string address_key(const std::string& address) {
  in6_addr parsed{};
  if (::inet_pton(AF_INET6, address.substr(0, address.find('%')).c_str(), &parsed) != 1) return address;
  constexpr std::size_t network_bytes = 8;
  return {reinterpret_cast<const char*>(parsed.s6_addr), network_bytes};
}

}  // namespace fiducial::http
