#include "fiducial/workflows/chosen_endpoint.h"

#include <algorithm>
#include <system_error>

#include "fiducial/base/json_fields.h"
#include "fiducial/chat/batch_asker.h"
#include "fiducial/chat/effort.h"

namespace fiducial {

Result<ChosenEndpoint> ChosenEndpoint::choose(const RunRequest& request, bool asks) {
  ChosenEndpoint out;
  std::string vendor = request.vendor;
  if (!request.endpoint.empty()) {
    FIDUCIAL_TRY(out.endpoint, Endpoint::parse(request.endpoint));
    FIDUCIAL_TRY_DONE(allow_egress(*out.endpoint, request.allow_remote));
    if (vendor.empty()) vendor = out.endpoint->usual_vendor();
  }
  FIDUCIAL_TRY(out.vendor, find_vendor(vendor.empty() ? "compatible" : vendor));
  if (request.streams && (out.vendor->streaming.is_null() || request.in_batches))
    return bad_usage("--stream: not for " + (request.in_batches ? std::string("batches") : out.vendor->id));
  if (request.deadline && request.in_batches) return bad_usage("--deadline-s: a batch ends in its own time");
  if (!request.http.ca_file.empty() && !is_file(request.http.ca_file))
    return bad_usage("--ca-file: there is no file " + request.http.ca_file.string());
  if (asks && out.endpoint) {
    FIDUCIAL_TRY(const HttpClient client,
                 HttpClient::make({}));  // nothing is begun where nobody can be asked
    FIDUCIAL_TRY(out.key, read_key(request.key, *out.vendor, *out.endpoint));
  }
  const std::string effort = text_at(request.parameters, "effort");
  if (!effort.empty()) FIDUCIAL_TRY_DONE(check_effort(request.model, effort));
  if (!request.prices.empty()) {
    FIDUCIAL_TRY(out.price, read_price(request.prices, request.model));
  } else if (request.max_cost) {
    return bad_usage("--max-cost needs --prices FILE, which says what the model costs");
  }
  return out;
}

AskSettings ChosenEndpoint::settings(const RunRequest& request, std::int64_t allowed_failures) const {
  AskSettings out{.vendor = vendor,
                  .endpoint = *endpoint,
                  .key = key,
                  .http = request.http,
                  .gate = request.gate,
                  .most_attempts = request.attempts,
                  .allowed_failures = allowed_failures,
                  .price = price,
                  .max_cost = request.max_cost,
                  .allow_drop = request.allow_drop,
                  .batch_poll = std::chrono::seconds(request.batch_poll_s),
                  .deadline = request.deadline,
                  .streams = request.streams};
  out.http.is_loopback = endpoint->is_loopback();
  out.http.secret = key;
  return out;
}

Result<AskEnd> ask_all(AskSettings settings, const AskNeeds& needs) {
  if (needs.in_batches) {
    FIDUCIAL_TRY(const std::unique_ptr<BatchAsker> asker,
                 BatchAsker::make(std::move(settings), needs.images, *needs.journal, *needs.watcher));
    Outcome outcome = asker->ask(*needs.inquiry);
    return AskEnd{std::move(outcome), asker->state()};
  }
  const bool has_open = std::any_of(needs.journal->batches().begin(), needs.journal->batches().end(),
                                    [](const BatchRecord& batch) { return batch.is_open(); });
  if (has_open) return bad_usage("a batch of this run is with the endpoint; --batch goes on with it");
  Asker asker(std::move(settings), needs.images, *needs.journal, *needs.watcher);
  Outcome outcome = asker.ask(*needs.inquiry);
  return AskEnd{std::move(outcome), asker.state()};
}

bool is_orderly_stop(const Outcome& asked) {
  if (asked.ok()) return false;
  const ErrorCode code = asked.error().code();
  return code == ErrorCode::remote || code == ErrorCode::unfinished || code == ErrorCode::too_many_failures ||
         code == ErrorCode::interrupted;
}

Result<OutputLock> take_run_folder(const Path& folder) {
  FIDUCIAL_TRY(OutputLock lock, OutputLock::take(folder));
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (!failure) return lock;
  return Error(ErrorCode::io, "cannot be made: " + failure.message(), Place{.path = folder.string()});
}

}  // namespace fiducial
