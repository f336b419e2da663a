#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace fiducial::http {

// What a client may ask of the server. Everything is checked before memory is spent on it.
struct Limits {
  std::size_t header_bytes = std::size_t{16} * 1024;
  std::chrono::milliseconds header_time{10'000};              // from the first byte to the last
  std::size_t target_bytes = std::size_t{4} * 1024;           // of the request target
  std::size_t fields = 100;                                   // header fields of a request
  std::uint64_t body_bytes = std::uint64_t{1024} * 1024;      // unless the route says otherwise
  std::uint64_t body_bytes_per_s = std::uint64_t{16} * 1024;  // at least, once body_grace is over
  std::chrono::milliseconds body_grace{10'000};  // for which a body may come as slowly as it likes
  std::chrono::milliseconds body_idle{15'000};   // without a byte of the body
  std::chrono::milliseconds write_idle{30'000};  // without a byte of the reply taken
  std::size_t connections = 512;                 // in all
  std::size_t connections_per_address = 64;      // of IPv6, per /64
  std::chrono::milliseconds keep_alive{60'000};  // between two requests
  std::uint64_t requests_per_connection = 1'000;
  std::size_t file_piece_bytes = std::size_t{256} * 1024;  // of a file or a large body, held at once
  std::chrono::milliseconds stop_time{5'000};              // for replies under way when the server stops

  // All of them in one line, for the log at the start.
  std::string text() const;
};

}  // namespace fiducial::http
