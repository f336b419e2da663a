#include "fiducial/server/volume_store.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/image/volume_slice.h"
#include "fiducial/server/file_key.h"

namespace fiducial {

namespace {

std::int16_t as_hu(float value) {
  if (std::isnan(value)) return INT16_MIN;
  return static_cast<std::int16_t>(std::lround(std::clamp(value, -32768.0F, 32767.0F)));
}

// Whether a CT is the one whose header was read before. A DICOM series has its place in text, and as a NIfTI
// image in single precision.
bool is_same(const Grid& before, const Grid& read) {
  constexpr double tolerance = 1e-3;
  bool is_near = before.extent == read.extent;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      const double difference = before.affine.m.at(row).at(column) - read.affine.m.at(row).at(column);
      is_near = is_near && std::abs(difference) <= tolerance;
    }
  }
  return is_near;
}

std::uint64_t volume_bytes(const Extent& extent) {
  return static_cast<std::uint64_t>(extent.count()) * sizeof(std::int16_t);
}

}  // namespace

ServedVolume::ServedVolume(Path path, const NiftiHeader& header)
    : path_(std::move(path)), grid_(header.grid()) {
  voxels_.resize(static_cast<std::size_t>(grid_.extent.count()));
  thread_ = std::thread([this] { decode(); });
}

ServedVolume::~ServedVolume() {
  given_up_ = true;
  thread_.join();
}

std::uint64_t ServedVolume::bytes() const { return volume_bytes(grid_.extent); }

void ServedVolume::decode() {
  const CallScope scope(&given_up_);
  const auto slice_voxels = static_cast<std::size_t>(grid_.extent.x * grid_.extent.y);
  std::vector<std::int64_t> wanted(static_cast<std::size_t>(grid_.extent.z));
  for (std::size_t z = 0; z < wanted.size(); ++z) wanted[z] = static_cast<std::int64_t>(z);
  std::int16_t least = INT16_MAX;
  std::int16_t greatest = INT16_MIN;
  const auto take = [&](std::int64_t z, std::span<const float> values) {
    std::int16_t* const out = voxels_.data() + static_cast<std::size_t>(z) * slice_voxels;
    for (std::size_t i = 0; i < values.size(); ++i) {
      out[i] = as_hu(values[i]);
      least = std::min(least, out[i]);
      greatest = std::max(greatest, out[i]);
    }
    const std::lock_guard lock(mutex_);
    ready_ = std::min(z + 1, grid_.extent.z - 1);  // the last one waits for the checksum behind it
    least_ = least;
    greatest_ = greatest;
    changed_.notify_all();
  };
  const Outcome read = [&]() -> Outcome {
    FIDUCIAL_TRY(NiftiStream stream, open_volume(path_));
    if (!is_same(grid_, stream.header().grid()))
      return Error(ErrorCode::integrity, "the CT changed while it was opened");
    FIDUCIAL_TRY_DONE(visit_volume_slices(stream, wanted, take));
    return stream.finish();
  }();
  const std::lock_guard lock(mutex_);
  if (read.ok()) ready_ = grid_.extent.z;
  if (!read.ok()) failure_ = Error(read.error()).in_file(path_.string());
  changed_.notify_all();
}

Result<std::span<const std::int16_t>> ServedVolume::slices(std::int64_t first, std::int64_t last) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ready_ >= last || failure_; });
  if (failure_) return *failure_;  // slices before the fault are not to be trusted either
  const std::int64_t side = grid_.extent.x * grid_.extent.y;
  return std::span(voxels_).subspan(static_cast<std::size_t>(first * side),
                                    static_cast<std::size_t>((last - first) * side));
}

std::optional<std::pair<std::int16_t, std::int16_t>> ServedVolume::range() const {
  const std::lock_guard lock(mutex_);
  if (ready_ < grid_.extent.z) return std::nullopt;
  return std::pair(least_, greatest_);
}

Result<std::shared_ptr<const ServedVolume>> VolumeStore::open(const Path& path) {
  const std::string key = file_key(path);
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(kept_, key, &Kept::key);
    if (found != kept_.end()) {
      kept_.splice(kept_.begin(), kept_, found);
      return found->volume;
    }
  }
  FIDUCIAL_TRY(const NiftiHeader header, read_volume_header(path).in_file(path.string()));
  if (header.rank() != 3)
    return invalid_data("an array of shape " + header.shape_text() + "; expected a volume");
  const std::uint64_t bytes = volume_bytes(header.extent());
  if (bytes > budget_bytes_)
    return Error(ErrorCode::unavailable, "a CT of " + header.extent().text() + " voxels needs " +
                                             decimal(bytes >> 20U) + " MiB; the server's budget is " +
                                             decimal(budget_bytes_ >> 20U) + " MiB (--memory)");
  std::list<Kept> gone;  // is destroyed without the lock: a volume may have to end its decoding
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(kept_, key, &Kept::key);
  if (found != kept_.end()) return found->volume;
  std::uint64_t held = bytes;
  for (auto at = kept_.begin(); at != kept_.end();) {
    const auto next = std::next(at);
    held += at->volume->bytes();
    if (held > budget_bytes_) gone.splice(gone.end(), kept_, at);
    at = next;
  }
  kept_.push_front({key, std::make_shared<const ServedVolume>(path, header)});
  return kept_.front().volume;
}

}  // namespace fiducial
