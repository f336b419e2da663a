#include "fiducial/chat/endpoint_calls.h"

#include <algorithm>
#include <thread>

#include "fiducial/base/interruption.h"
#include "fiducial/chat/utc_time.h"
#include "fiducial/chat/wished_pause.h"

namespace fiducial {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds longest_sleep{200};  // a wish to stop is heard that soon
constexpr milliseconds longest_backoff{60'000};
// Results of many requests come in one body.
constexpr std::size_t most_reply_bytes = std::size_t{2} << 30U;

Error stopped() { return {ErrorCode::interrupted, "stopped; the same command goes on"}; }

}  // namespace

Result<EndpointCalls> EndpointCalls::open(const AskSettings& settings) {
  HttpOptions options = settings.http;
  options.max_reply_bytes = most_reply_bytes;
  FIDUCIAL_TRY(HttpClient client, HttpClient::make(options));
  return EndpointCalls(settings, std::move(client));
}

Outcome EndpointCalls::pause(milliseconds time) const {
  for (milliseconds slept{0}; slept < time; slept += longest_sleep) {
    if (stop_requested()) return stopped();
    std::this_thread::sleep_for(std::min(longest_sleep, time - slept));
  }
  return stop_requested() ? Outcome(stopped()) : done();
}

Result<HttpReply> EndpointCalls::once(const BatchCall& call) {
  FIDUCIAL_TRY_DONE(client_.post({.id = next_id_++,
                                  .url = settings_->endpoint.base() + call.path,
                                  .headers = settings_->vendor->headers(settings_->key),
                                  .body = call.body,
                                  .is_get = call.is_get,
                                  .content_type = call.content_type}));
  while (true) {
    FIDUCIAL_TRY(std::vector<HttpReply> replies, client_.wait(longest_sleep));
    if (!replies.empty()) return std::move(replies.front());
    // What is on its way is waited for: a batch that was handed in has an id.
    if (stop_requested() && call.is_get) return stopped();
  }
}

Result<std::string> EndpointCalls::again_and_again(const BatchCall& call) {
  for (std::int64_t attempt = 1;; ++attempt) {
    FIDUCIAL_TRY(HttpReply reply, once(call));
    if (reply.failure == HttpReply::Failure::none && reply.status == 200) return std::move(reply.body);
    const Trouble trouble = trouble_of(reply, *settings_, ChatRequest{});
    if (trouble.remedy != Remedy::retry || attempt >= settings_->most_attempts)
      return Error(ErrorCode::remote, trouble.message + " (" + call.path + ")");
    const milliseconds backoff{500LL << std::min<std::int64_t>(attempt - 1, 10)};
    const milliseconds wish = wished_pause(reply, unix_seconds_now()).value_or(milliseconds(0));
    FIDUCIAL_TRY_DONE(pause(std::min(std::max(backoff, wish), longest_backoff)));
  }
}

}  // namespace fiducial
