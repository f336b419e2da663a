#pragma once

#include <cstddef>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>

// For the few sources that move bytes; everything else sees server.h, which has no Boost in it.
namespace fiducial::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using WireError = boost::system::error_code;
template <typename T>
using Later = asio::awaitable<T>;

// Bytes to and from a client, in the clear or by TLS.
class Wire {
 public:
  virtual ~Wire() = default;
  virtual tcp::socket& socket() = 0;
  virtual Later<WireError> open() = 0;
  virtual Later<std::size_t> read(asio::mutable_buffer buffer, WireError& error) = 0;
  virtual Later<std::size_t> write(asio::const_buffer buffer, WireError& error) = 0;
  virtual Later<void> close() = 0;
};

// A client that has just come.
struct AcceptedSocket {
  tcp::socket socket;
};

}  // namespace fiducial::http
