#include "fiducial/chat/http_client.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/chat/socket_watch.h"

namespace fiducial {

// One post on its way.
struct HttpTransfer {
  const CurlLibrary* curl = nullptr;
  CURL* handle = nullptr;
  curl_slist* headers = nullptr;
  HttpPost post;
  HttpReply reply;
  std::size_t max_reply_bytes = 0;
  std::array<char, CURL_ERROR_SIZE> problem{};  // in libcurl's words

  HttpTransfer() = default;
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;
  ~HttpTransfer() {
    if (headers != nullptr) curl->list_free(headers);
  }
};

namespace {

std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* target) {
  auto& transfer = *static_cast<HttpTransfer*>(target);
  const std::size_t got = size * count;
  if (transfer.reply.body.size() + got > transfer.max_reply_bytes) {
    transfer.reply.failure = HttpReply::Failure::too_large;
    return 0;
  }
  transfer.reply.body.append(bytes, got);
  return got;
}

std::size_t take_header(char* bytes, std::size_t size, std::size_t count, void* target) {
  constexpr std::size_t most_headers = 200;
  auto& headers = static_cast<HttpTransfer*>(target)->reply.headers;
  const std::string_view line(bytes, size * count);
  if (line.starts_with("HTTP/")) headers.clear();  // of an interim reply
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || headers.size() >= most_headers) return line.size();
  std::string name(trimmed(line.substr(0, colon)));
  for (char& each : name) each = is_capital(each) ? static_cast<char>(each - 'A' + 'a') : each;
  headers.emplace_back(std::move(name), trimmed(line.substr(colon + 1)));
  return line.size();
}

HttpReply::Failure failure_of(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return HttpReply::Failure::none;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:  // broken off before anybody showed a certificate
      return HttpReply::Failure::unreachable;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return HttpReply::Failure::certificate;
    case CURLE_OPERATION_TIMEDOUT:
      return HttpReply::Failure::timeout;
    default:
      return HttpReply::Failure::broken;
  }
}

// What went wrong. TLS has many ways to fail, and only libcurl's longer words tell them apart.
std::string problem_of(const HttpTransfer& transfer, CURLcode code) {
  const bool is_tls = code == CURLE_SSL_CONNECT_ERROR || failure_of(code) == HttpReply::Failure::certificate;
  if (is_tls && transfer.problem[0] != '\0') return transfer.problem.data();
  return transfer.curl->error_text(code);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

void hide_secret(std::string& body, const std::string& secret) {
  constexpr std::size_t shortest = 8;  // what is shorter is a word that local servers are content with
  constexpr std::string_view hidden = "[the key]";
  if (secret.size() < shortest) return;
  replace_all(body, secret, hidden);
  std::string escaped = secret;
  replace_all(escaped, "\"", "\\\"");
  replace_all(body, escaped, hidden);
  replace_all(escaped, "/", "\\/");
  replace_all(body, escaped, hidden);
}

struct HttpClient::State {
  const CurlLibrary* curl = nullptr;
  HttpOptions options;
  SocketWatch watch;
  CURLM* multi = nullptr;
  std::vector<CURL*> idle;  // handles whose connections may be used again
  std::unordered_map<CURL*, std::unique_ptr<HttpTransfer>> active;

  State(const CurlLibrary* library, HttpOptions given)
      : curl(library), options(std::move(given)), multi(library->multi_init()) {
    if (multi != nullptr) watch.serve(*curl, multi);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (const auto& [handle, transfer] : active) {
      curl->remove(multi, handle);
      curl->easy_cleanup(handle);
    }
    for (CURL* handle : idle) curl->easy_cleanup(handle);
    curl->multi_cleanup(multi);
  }

  void prepare(CURL* handle) const;
  void configure(HttpTransfer& transfer) const;
  void trust(CURL* handle) const;
  HttpReply finish(CURL* handle, CURLcode code);
  Outcome act(curl_socket_t socket, int events);
  std::vector<HttpReply> ended();
};

void HttpClient::State::trust(CURL* handle) const {
  curl->set(handle, CURLOPT_SSL_VERIFYPEER, 1L);
  curl->set(handle, CURLOPT_SSL_VERIFYHOST, 2L);
  if (!options.ca_file.empty()) curl->set(handle, CURLOPT_CAINFO, options.ca_file.c_str());
  if (options.is_loopback) curl->set(handle, CURLOPT_NOPROXY, "*");
}

// What all transfers of a handle have in common; it is kept, with the connection, from one to the next.
void HttpClient::State::prepare(CURL* handle) const {
  curl->set(handle, CURLOPT_USERAGENT, "fiducial");
  curl->set(handle, CURLOPT_ACCEPT_ENCODING, "");
  curl->set(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl->set(handle, CURLOPT_NOSIGNAL, 1L);
  curl->set(handle, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  curl->set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl->set(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(options.timeout.count()));
  curl->set(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout.count()));
  curl->set(handle, CURLOPT_WRITEFUNCTION, take_body);
  curl->set(handle, CURLOPT_HEADERFUNCTION, take_header);
  trust(handle);
}

void HttpClient::State::configure(HttpTransfer& transfer) const {
  CURL* handle = transfer.handle;
  if (!transfer.post.is_get)
    transfer.headers =
        curl->list_append(transfer.headers, ("Content-Type: " + transfer.post.content_type).c_str());
  // Some servers never answer a question for leave to send, and the body would wait a second for them.
  transfer.headers = curl->list_append(transfer.headers, "Expect:");
  for (const std::string& header : transfer.post.headers)
    transfer.headers = curl->list_append(transfer.headers, header.c_str());
  curl->set(handle, CURLOPT_URL, transfer.post.url.c_str());
  curl->set(handle, CURLOPT_HTTPHEADER, transfer.headers);
  if (transfer.post.is_get) {
    curl->set(handle, CURLOPT_HTTPGET, 1L);
  } else {
    curl->set(handle, CURLOPT_POST, 1L);
    curl->set(handle, CURLOPT_POSTFIELDS, transfer.post.body.data());
    curl->set(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(transfer.post.body.size()));
  }
  curl->set(handle, CURLOPT_WRITEDATA, static_cast<void*>(&transfer));
  curl->set(handle, CURLOPT_HEADERDATA, static_cast<void*>(&transfer));
  curl->set(handle, CURLOPT_ERRORBUFFER, transfer.problem.data());
}

HttpReply HttpClient::State::finish(CURL* handle, CURLcode code) {
  const auto found = active.find(handle);
  HttpReply reply = std::move(found->second->reply);
  reply.id = found->second->post.id;
  long status = 0;
  curl->get(handle, CURLINFO_RESPONSE_CODE, &status);
  curl->get(handle, CURLINFO_TOTAL_TIME, &reply.seconds);
  reply.status = static_cast<int>(status);
  if (reply.failure == HttpReply::Failure::too_large) {
    reply.problem = "the reply is longer than " + decimal(options.max_reply_bytes) +
                    " bytes, the most that --max-reply-mib allows";
  } else {
    reply.failure = failure_of(code);
    if (code != CURLE_OK) reply.problem = problem_of(*found->second, code);
  }
  hide_secret(reply.body, options.secret);
  curl->remove(multi, handle);
  active.erase(found);
  idle.push_back(handle);
  return reply;
}

std::string HttpReply::header(std::string_view name) const {
  const auto found =
      std::find_if(headers.rbegin(), headers.rend(), [name](const auto& each) { return each.first == name; });
  return found == headers.rend() ? std::string() : found->second;
}

HttpClient::HttpClient(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

Result<HttpClient> HttpClient::make(const HttpOptions& options) {
  FIDUCIAL_TRY(const CurlLibrary* curl, CurlLibrary::load());
  auto state = std::make_unique<State>(curl, options);
  if (state->multi == nullptr || !state->watch.is_open())
    return Error(ErrorCode::internal, "libcurl gives no loop");
  return HttpClient(std::move(state));
}

std::size_t HttpClient::in_flight() const { return state_->active.size(); }

Outcome HttpClient::post(HttpPost post) {
  auto transfer = std::make_unique<HttpTransfer>();
  transfer->curl = state_->curl;
  transfer->post = std::move(post);
  transfer->max_reply_bytes = state_->options.max_reply_bytes;
  if (state_->idle.empty()) {
    transfer->handle = state_->curl->easy_init();
    if (transfer->handle != nullptr) state_->prepare(transfer->handle);
  } else {
    transfer->handle = state_->idle.back();
    state_->idle.pop_back();
  }
  if (transfer->handle == nullptr) return Error(ErrorCode::internal, "libcurl gives no handle");
  state_->configure(*transfer);
  if (state_->curl->add(state_->multi, transfer->handle) != CURLM_OK)
    return Error(ErrorCode::internal, "libcurl does not take a transfer");
  state_->active.emplace(transfer->handle, std::move(transfer));
  return done();
}

Outcome HttpClient::State::act(curl_socket_t socket, int events) {
  int running = 0;
  if (curl->act(multi, socket, events, &running) == CURLM_OK) return done();
  return Error(ErrorCode::internal, "libcurl's loop failed");
}

std::vector<HttpReply> HttpClient::State::ended() {
  std::vector<HttpReply> out;
  int queued = 0;
  while (const CURLMsg* message = curl->read_info(multi, &queued)) {
    if (message->msg == CURLMSG_DONE) out.push_back(finish(message->easy_handle, message->data.result));
  }
  return out;
}

Result<std::vector<HttpReply>> HttpClient::wait(std::chrono::milliseconds most) {
  const auto until = std::chrono::steady_clock::now() + most;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    for (const SocketWatch::Ready& ready : state_->watch.wait(left))
      FIDUCIAL_TRY_DONE(state_->act(ready.socket, ready.events));
    std::vector<HttpReply> out = state_->ended();
    if (!out.empty() || left.count() <= 0) return out;
  }
}

}  // namespace fiducial
