#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/bytes.h"
#include "fiducial/base/file.h"
#include "fiducial/base/open_file.h"
#include "fiducial/base/result.h"

namespace fiducial {

class StoredObject;

// Bytes of a known number that can be read at any place. Reads may come from several threads at once.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  // Fills out from the offset on, unless the source ends first; returns how many bytes were written.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> out) const = 0;
};

// A regular file, or an object of a store where the path is a URL. A file that shrinks while it is read
// simply ends early; an object that changes is an error.
class FileSource final : public ByteSource {
 public:
  static Result<std::unique_ptr<FileSource>> open(const Path& path);

  std::uint64_t size() const override { return size_; }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> out) const override;

 private:
  FileSource(OpenFile file, std::uint64_t size) : file_(std::move(file)), size_(size) {}
  FileSource(std::shared_ptr<StoredObject> stored, std::uint64_t size)
      : stored_(std::move(stored)), size_(size) {}

  OpenFile file_;
  std::shared_ptr<StoredObject> stored_;  // in place of the file
  std::uint64_t size_;
};

// Bytes that are already in memory; they must outlive the source.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(ByteView bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> out) const override;

 private:
  ByteView bytes_;
};

// A stretch of a source, read in order.
class SourceStream final : public ByteStream {
 public:
  SourceStream(std::shared_ptr<const ByteSource> source, std::uint64_t offset,
               std::uint64_t size = UINT64_MAX)
      : source_(std::move(source)), at_(offset), left_(size) {}
  Result<std::size_t> read(std::span<std::byte> out) override;

 private:
  std::shared_ptr<const ByteSource> source_;
  std::uint64_t at_;
  std::uint64_t left_;
};

}  // namespace fiducial
