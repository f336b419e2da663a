#include "fiducial/stores/bucket_object.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <list>
#include <mutex>
#include <utility>

#include <arrow/buffer.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/future.h>
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

// An object of a bucket as it was when it was opened.
struct OpenedObject {
  BucketPlace place;
  std::shared_ptr<arrow::io::RandomAccessFile> file;
  std::uint64_t size = 0;
  std::string version;  // what the store says of its content: its ETag, generation and time

  static Result<OpenedObject> open(BucketPlace place);
  // Whether the name still stands for the object that was opened.
  Outcome check_unchanged() const;
  // What went wrong: an object that changed meanwhile explains everything else.
  Error reason_of(const arrow::Status& status) const;
};

// Reads blocks ahead of whoever asks for them, once more than the first block is wanted.
class BucketStream final : public StoredStream {
 public:
  explicit BucketStream(OpenedObject object) : object_(std::move(object)) {}

  std::uint64_t size() const override { return object_.size; }
  Result<std::size_t> read(std::span<std::byte> out) override;

 private:
  using Block = std::shared_ptr<arrow::Buffer>;

  void ask_ahead();
  Outcome next_block();

  OpenedObject object_;
  std::list<arrow::Future<Block>> ahead_;
  std::uint64_t asked_ = 0;      // bytes that were asked for
  std::uint64_t delivered_ = 0;  // bytes that were given out
  Block block_;
  std::int64_t used_ = 0;  // of the block
};

// A small object, read with one request: what comes is one state of it, so nobody needs to be asked whether
// it changed meanwhile. Some bytes more than it has are asked for, which tells an object that grew. Arrow
// does not say how many bytes came, but writes no others: those that did not come are still what was there
// before.
class SmallStream final : public StoredStream {
 public:
  SmallStream(BucketPlace place, std::uint64_t size) : place_(std::move(place)), size_(size) {}

  std::uint64_t size() const override { return size_; }
  Result<std::size_t> read(std::span<std::byte> out) override {
    if (bytes_.empty()) FIDUCIAL_TRY_DONE(fetch());
    const std::size_t count = std::min(out.size(), static_cast<std::size_t>(size_ - delivered_));
    std::memcpy(out.data(), bytes_.data() + delivered_, count);
    delivered_ += count;
    return count;
  }

 private:
  static constexpr std::array<unsigned char, 8> untouched{0x9d, 0x27, 0xe3, 0x5b, 0xc1, 0x74, 0xae, 0x16};

  arrow::Result<std::int64_t> get(Bytes& into) const {
    arrow::fs::FileInfo info(place_.path, arrow::fs::FileType::File);
    info.set_size(static_cast<std::int64_t>(into.size()));
    ARROW_ASSIGN_OR_RAISE(const auto file, place_.bucket->OpenInputFile(info));
    return file->ReadAt(0, static_cast<std::int64_t>(into.size()), into.data());
  }

  Outcome fetch() {
    if (call_given_up()) return given_up();
    Bytes bytes(size_ + untouched.size());
    std::memcpy(bytes.data() + size_, untouched.data(), untouched.size());
    std::memcpy(bytes.data() + size_ - 1, untouched.data(), 1);
    const arrow::Result<std::int64_t> got = get(bytes);
    if (!got.ok()) {
      const Error error = store_error(place_.url, got.status());
      return error.code() == ErrorCode::invalid_data ? changed_object(place_.url) : error;
    }
    const bool has_grown = std::memcmp(bytes.data() + size_, untouched.data(), untouched.size()) != 0;
    if (has_grown || static_cast<std::uint64_t>(*got) < size_) return changed_object(place_.url);
    // The last byte may be that by chance.
    if (std::memcmp(bytes.data() + size_ - 1, untouched.data(), 1) == 0) FIDUCIAL_TRY_DONE(check_size());
    bytes_ = std::move(bytes);
    return done();
  }

  Outcome check_size() const {
    const auto found = place_.bucket->GetFileInfo(place_.path);
    if (!found.ok()) return store_error(place_.url, found.status());
    return static_cast<std::uint64_t>(found->size()) == size_ ? done() : Outcome(changed_object(place_.url));
  }

  BucketPlace place_;
  std::uint64_t size_;
  std::uint64_t delivered_ = 0;
  Bytes bytes_;
};

// Keeps the blocks that were read last: archives are read in many small pieces.
class BucketObject final : public StoredObject {
 public:
  explicit BucketObject(OpenedObject object) : object_(std::move(object)) {}

  std::uint64_t size() const override { return object_.size; }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> out) override;

 private:
  struct Kept {
    std::uint64_t number = 0;
    std::shared_ptr<arrow::Buffer> bytes;
  };

  Result<std::shared_ptr<arrow::Buffer>> block(std::uint64_t number);

  OpenedObject object_;
  std::mutex mutex_;
  std::list<Kept> kept_;  // the newest first
};

arrow::Result<OpenedObject> opened(BucketPlace place) {
  ARROW_ASSIGN_OR_RAISE(auto file, place.bucket->OpenInputFile(place.path));
  ARROW_ASSIGN_OR_RAISE(const std::int64_t size, file->GetSize());
  ARROW_ASSIGN_OR_RAISE(const auto metadata, file->ReadMetadata());
  std::string version = decimal(size) + '\n' + version_in(metadata.get());
  return OpenedObject{std::move(place), std::move(file), static_cast<std::uint64_t>(size),
                      std::move(version)};
}

Result<OpenedObject> OpenedObject::open(BucketPlace place) {
  const Path url = place.url;
  arrow::Result<OpenedObject> out = opened(std::move(place));
  if (!out.ok()) return store_error(url, out.status());
  return std::move(out).ValueUnsafe();
}

Outcome OpenedObject::check_unchanged() const {
  const Result<OpenedObject> again = open(place);
  if (again.ok() ? again->version != version : again.error().code() == ErrorCode::invalid_data)
    return changed_object(place.url);
  if (!again.ok()) return again.error();
  return done();
}

Error OpenedObject::reason_of(const arrow::Status& status) const {
  const Outcome state = check_unchanged();
  if (!state.ok()) return state.error();
  return store_error(place.url, status);
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
  if (static_cast<std::uint64_t>(block_->size()) != expected) return changed_object(object_.place.url);
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
  if (static_cast<std::uint64_t>((*got)->size()) != bytes) return changed_object(object_.place.url);
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

}  // namespace

Result<std::unique_ptr<StoredStream>> open_bucket_stream(BucketPlace place) {
  const bool is_small = place.size && *place.size > 0 && *place.size <= first_block_bytes;
  if (is_small && place.url.native().starts_with("s3:")) {
    const std::uint64_t size = *place.size;
    return std::unique_ptr<StoredStream>(std::make_unique<SmallStream>(std::move(place), size));
  }
  FIDUCIAL_TRY(OpenedObject object, OpenedObject::open(std::move(place)));
  return std::unique_ptr<StoredStream>(std::make_unique<BucketStream>(std::move(object)));
}

Result<std::unique_ptr<StoredObject>> open_bucket_object(BucketPlace place) {
  FIDUCIAL_TRY(OpenedObject object, OpenedObject::open(std::move(place)));
  return std::unique_ptr<StoredObject>(std::make_unique<BucketObject>(std::move(object)));
}

}  // namespace fiducial
