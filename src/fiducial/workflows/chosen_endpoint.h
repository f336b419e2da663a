#pragma once

#include <optional>
#include <string>

#include "fiducial/base/output_lock.h"
#include "fiducial/workflows/run_request.h"

namespace fiducial {

// Whom a run asks, with leave to do so, and what it costs.
struct ChosenEndpoint {
  const Vendor* vendor = nullptr;
  std::optional<Endpoint> endpoint;
  std::string key;
  std::optional<Price> price;

  // Refuses a host that is not allowed, an effort that the model does not take, and a limit of cost without
  // prices. Only who asks needs the key.
  static Result<ChosenEndpoint> choose(const RunRequest& request, bool asks);
  AskSettings settings(const RunRequest& request, std::int64_t allowed_failures) const;
};

// Asks all questions of an inquiry, one by one or in batches. Refuses to ask one by one while a batch is out.
struct AskNeeds {
  bool in_batches = false;
  ImageBytes images;
  Journal* journal = nullptr;
  AskWatcher* watcher = nullptr;
  Inquiry* inquiry = nullptr;
};
struct AskEnd {
  Outcome outcome;
  AskState state;
};
Result<AskEnd> ask_all(AskSettings settings, const AskNeeds& needs);

// Whether an error of Asker is an orderly stop, after which there is something to write, and no failure of
// ours.
bool is_orderly_stop(const Outcome& asked);

// Makes the folder of a run; from then on it is this run's alone.
Result<OutputLock> take_run_folder(const Path& folder);

}  // namespace fiducial
