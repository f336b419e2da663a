#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include "fiducial/http/limits.h"

namespace fiducial::http {

// How many connections there are, in all and by address. Safe from any thread.
class ConnectionCounts {
 public:
  explicit ConnectionCounts(const Limits& limits) : limits_(limits) {}

  enum class Answer { welcome, too_many, too_many_of_address };
  // Counts one more, if it is welcome.
  Answer enter(const std::string& key);
  void leave(const std::string& key);
  std::size_t total() const;

 private:
  Limits limits_;
  mutable std::mutex mutex_;
  std::size_t total_ = 0;
  std::map<std::string, std::size_t> by_key_;
};

// What connections of an address are counted under: the address, or the first 64 bits of an IPv6 one.
std::string address_key(const std::string& address);

}  // namespace fiducial::http
