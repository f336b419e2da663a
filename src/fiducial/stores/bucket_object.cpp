#include "fiducial/stores/bucket_object.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include <arrow/util/key_value_metadata.h>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/stores/store_error.h"

namespace fiducial {

namespace {

// A header is read often without its voxels: nothing is read ahead before the first block is used up.
constexpr std::uint64_t first_block_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t stream_block_bytes = std::uint64_t{8} << 20;
constexpr std::size_t blocks_ahead = 3;  // in flight or waiting, beside the one that is read
constexpr std::uint64_t object_block_bytes = std::uint64_t{1} << 20;
constexpr std::size_t blocks_kept = 8;

// Everything a store says of one state of an object; the time of a request is no part of it.
std::string version_in(const arrow::KeyValueMetadata* metadata) {
  std::string out;
  if (metadata == nullptr) return out;
  for (std::int64_t i = 0; i < metadata->size(); ++i) {
    std::string key = metadata->key(i);
    std::transform(key.begin(), key.end(), key.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const char* telling : {"etag", "last-modified", "generation", "versionid", "md5"}) {
      if (key == telling) out += key + '=' + metadata->value(i) + '\n';
    }
  }
  return out;
}

arrow::Result<OpenedObject> opened(std::shared_ptr<arrow::fs::FileSystem> bucket, std::string path,
                                   Path url) {
  ARROW_ASSIGN_OR_RAISE(auto file, bucket->OpenInputFile(path));
  ARROW_ASSIGN_OR_RAISE(const std::int64_t size, file->GetSize());
  ARROW_ASSIGN_OR_RAISE(const auto metadata, file->ReadMetadata());
  std::string version = decimal(size) + '\n' + version_in(metadata.get());
  return OpenedObject{
      std::move(bucket), std::move(path), std::move(url), std::move(file), static_cast<std::uint64_t>(size),
      std::move(version)};
}

}  // namespace

Result<OpenedObject> OpenedObject::open(std::shared_ptr<arrow::fs::FileSystem> bucket, std::string path,
                                        Path url) {
  const Path named = url;
  arrow::Result<OpenedObject> out = opened(std::move(bucket), std::move(path), std::move(url));
  if (!out.ok()) return store_error(named, out.status());
  return std::move(out).ValueUnsafe();
}

Outcome OpenedObject::check_unchanged() const {
  const Result<OpenedObject> again = open(bucket, path, url);
  if (again.ok() ? again->version != version : again.error().code() == ErrorCode::invalid_data)
    return changed_object(url);
  if (!again.ok()) return again.error();
  return done();
}

Error OpenedObject::reason_of(const arrow::Status& status) const {
  const Outcome state = check_unchanged();
  if (!state.ok()) return state.error();
  return store_error(url, status);
}

void BucketStream::ask_ahead() {
  while (asked_ < object_.size && ahead_.size() < blocks_ahead) {
    const std::uint64_t bytes = std::min(stream_block_bytes, object_.size - asked_);
    ahead_.push_back(object_.file->ReadAsync(object_.file->io_context(), static_cast<std::int64_t>(asked_),
                                             static_cast<std::int64_t>(bytes)));
    asked_ += bytes;
  }
}

Outcome BucketStream::next_block() {
  if (call_given_up()) return given_up();
  const std::uint64_t expected =
      std::min(delivered_ == 0 ? first_block_bytes : stream_block_bytes, object_.size - delivered_);
  arrow::Result<Block> got = arrow::Status::UnknownError("");
  if (delivered_ == 0) {
    got = object_.file->ReadAt(0, static_cast<std::int64_t>(expected));
    asked_ = expected;
  } else {
    ask_ahead();
    got = ahead_.front().result();
    ahead_.pop_front();
    ask_ahead();
  }
  if (!got.ok()) return object_.reason_of(got.status());
  block_ = std::move(got).ValueUnsafe();
  used_ = 0;
  if (static_cast<std::uint64_t>(block_->size()) != expected) return changed_object(object_.url);
  return done();
}

Result<std::size_t> BucketStream::read(std::span<std::byte> out) {
  std::size_t filled = 0;
  while (filled < out.size() && delivered_ < object_.size) {
    if (block_ == nullptr || used_ == block_->size()) FIDUCIAL_TRY_DONE(next_block());
    const auto bytes = std::min(out.size() - filled, static_cast<std::size_t>(block_->size() - used_));
    std::memcpy(out.data() + filled, block_->data() + used_, bytes);
    used_ += static_cast<std::int64_t>(bytes);
    filled += bytes;
    delivered_ += bytes;
    if (delivered_ == object_.size) {
      block_.reset();
      FIDUCIAL_TRY_DONE(object_.check_unchanged());
    }
  }
  return filled;
}

Result<std::shared_ptr<arrow::Buffer>> BucketObject::block(std::uint64_t number) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(kept_.begin(), kept_.end(),
                                    [number](const Kept& each) { return each.number == number; });
    if (found != kept_.end()) {
      kept_.splice(kept_.begin(), kept_, found);
      return kept_.front().bytes;
    }
  }
  if (call_given_up()) return given_up();
  const std::uint64_t begin = number * object_block_bytes;
  const std::uint64_t bytes = std::min(object_block_bytes, object_.size - begin);
  auto got = object_.file->ReadAt(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(bytes));
  if (!got.ok()) return object_.reason_of(got.status());
  FIDUCIAL_TRY_DONE(object_.check_unchanged());
  if (static_cast<std::uint64_t>((*got)->size()) != bytes) return changed_object(object_.url);
  const std::lock_guard lock(mutex_);
  kept_.push_front({number, *got});
  if (kept_.size() > blocks_kept) kept_.pop_back();
  return *got;
}

Result<std::size_t> BucketObject::read_at(std::uint64_t offset, std::span<std::byte> out) {
  std::size_t filled = 0;
  while (filled < out.size() && offset + filled < object_.size) {
    const std::uint64_t at = offset + filled;
    FIDUCIAL_TRY(const std::shared_ptr<arrow::Buffer> bytes, block(at / object_block_bytes));
    const std::uint64_t skipped = at % object_block_bytes;
    const std::size_t count = std::min(
        out.size() - filled, static_cast<std::size_t>(static_cast<std::uint64_t>(bytes->size()) - skipped));
    std::memcpy(out.data() + filled, bytes->data() + skipped, count);
    filled += count;
  }
  return filled;
}

}  // namespace fiducial
