#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

namespace fiducial {

class ServedRun;

// Which runs have their rows in memory: the most recently used, as far as a budget reaches. Safe from any
// thread.
class RowKeeper {
 public:
  explicit RowKeeper(std::uint64_t budget_bytes) : budget_bytes_(budget_bytes) {}

  // A run was used that holds so many bytes of rows. Gives the runs that are to let go of theirs.
  std::vector<const ServedRun*> used(const ServedRun& run, std::uint64_t bytes);

 private:
  struct Holder {
    const ServedRun* run = nullptr;
    std::uint64_t bytes = 0;
  };

  std::uint64_t budget_bytes_;
  std::mutex mutex_;
  std::list<Holder> holders_;  // the most recently used first
};

}  // namespace fiducial
