#pragma once

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/image/nifti_header.h"

namespace fiducial {

// A CT in Hounsfield units of 16 bits, which a thread of its own decodes from the first slice to the last.
// Its methods are safe from any thread.
class ServedVolume {
 public:
  explicit ServedVolume(Path path, const NiftiHeader& header);
  ~ServedVolume();

  const Grid& grid() const { return grid_; }
  std::uint64_t bytes() const;

  // The voxels of slices first .. last-1, x fastest, once they are decoded.
  Result<std::span<const std::int16_t>> slices(std::int64_t first, std::int64_t last) const;
  // The least and the greatest value, once all are decoded; nothing before.
  std::optional<std::pair<std::int16_t, std::int16_t>> range() const;

 private:
  void decode();

  Path path_;
  Grid grid_;
  std::vector<std::int16_t> voxels_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::int64_t ready_ = 0;        // slices
  std::optional<Error> failure_;  // then nothing of it is given
  std::int16_t least_ = 0;
  std::int16_t greatest_ = 0;
  std::atomic<bool> given_up_{false};
  std::thread thread_;
};

// Volumes that were asked for, within a budget of memory: the least recently used ones go first.
class VolumeStore {
 public:
  explicit VolumeStore(std::uint64_t budget_bytes) : budget_bytes_(budget_bytes) {}

  // Refuses what is no volume, and one that does not fit into the budget by itself. A file that has changed
  // since is read again.
  Result<std::shared_ptr<const ServedVolume>> open(const Path& path);

  std::uint64_t budget_bytes() const { return budget_bytes_; }

 private:
  struct Kept {
    std::string key;  // path, size and time
    std::shared_ptr<const ServedVolume> volume;
  };

  std::uint64_t budget_bytes_;
  std::mutex mutex_;
  std::list<Kept> kept_;  // the most recently used first
};

}  // namespace fiducial
