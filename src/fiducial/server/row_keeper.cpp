#include "fiducial/server/row_keeper.h"

namespace fiducial {

std::vector<const ServedRun*> RowKeeper::used(const ServedRun& run, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  holders_.remove_if([&run](const Holder& one) { return one.run == &run; });
  holders_.push_front({&run, bytes});
  std::vector<const ServedRun*> gone;
  std::uint64_t held = bytes;
  for (auto at = std::next(holders_.begin()); at != holders_.end();) {
    held += at->bytes;
    if (held <= budget_bytes_) {
      ++at;
      continue;
    }
    held -= at->bytes;
    gone.push_back(at->run);
    at = holders_.erase(at);
  }
  return gone;
}

}  // namespace fiducial
