#include "fiducial/tls/server_tls.h"

#include <utility>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "fiducial/http/wire.h"

namespace fiducial::http {

namespace {

class TlsWire final : public Wire {
 public:
  TlsWire(tcp::socket socket, asio::ssl::context& context) : stream_(std::move(socket), context) {}
  tcp::socket& socket() override { return stream_.next_layer(); }
  Later<WireError> open() override {
    WireError error;
    auto token = asio::redirect_error(asio::use_awaitable, error);
    co_await stream_.async_handshake(asio::ssl::stream_base::server, token);
    co_return error;
  }
  Later<std::size_t> read(asio::mutable_buffer buffer, WireError& error) override {
    auto token = asio::redirect_error(asio::use_awaitable, error);
    co_return co_await stream_.async_read_some(buffer, token);
  }
  Later<std::size_t> write(asio::const_buffer buffer, WireError& error) override {
    auto token = asio::redirect_error(asio::use_awaitable, error);
    co_return co_await stream_.async_write_some(buffer, token);
  }
  Later<void> close() override {
    WireError error;
    auto token = asio::redirect_error(asio::use_awaitable, error);
    co_await stream_.async_shutdown(token);
    socket().shutdown(tcp::socket::shutdown_send, error);
  }

 private:
  asio::ssl::stream<tcp::socket> stream_;
};

class Tls final : public Security {
 public:
  Outcome load(const TlsFiles& files) {
    WireError error;
    context_.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                             asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 |
                             asio::ssl::context::no_tlsv1_1 | asio::ssl::context::no_compression,
                         error);
    if (!error) context_.use_certificate_chain_file(files.certificates.string(), error);
    if (error)
      return invalid_data("no certificates: " + error.message()).in_file(files.certificates.string());
    context_.use_private_key_file(files.key.string(), asio::ssl::context::pem, error);
    if (error) return invalid_data("no private key: " + error.message()).in_file(files.key.string());
    return done();
  }

  std::unique_ptr<Wire> wire(AcceptedSocket& accepted) const override {
    return std::make_unique<TlsWire>(std::move(accepted.socket), context_);
  }

 private:
  mutable asio::ssl::context context_{asio::ssl::context::tls_server};  // connections take references to it
};

}  // namespace

Result<std::shared_ptr<const Security>> load_tls(const TlsFiles& files) {
  auto tls = std::make_shared<Tls>();
  FIDUCIAL_TRY_DONE(tls->load(files));
  return std::shared_ptr<const Security>(std::move(tls));
}

}  // namespace fiducial::http
