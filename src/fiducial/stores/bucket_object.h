#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>

#include <arrow/buffer.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/future.h>

#include "fiducial/base/store.h"

namespace fiducial {

// An object of a bucket as it was when it was opened.
struct OpenedObject {
  std::shared_ptr<arrow::fs::FileSystem> bucket;
  std::string path;
  Path url;  // for errors
  std::shared_ptr<arrow::io::RandomAccessFile> file;
  std::uint64_t size = 0;
  std::string version;  // what the store says of its content: its ETag, generation and time

  static Result<OpenedObject> open(std::shared_ptr<arrow::fs::FileSystem> bucket, std::string path, Path url);
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

}  // namespace fiducial
