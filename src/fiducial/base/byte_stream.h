#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "fiducial/base/bytes.h"
#include "fiducial/base/file.h"
#include "fiducial/base/open_file.h"
#include "fiducial/base/result.h"
#include "fiducial/base/sha256.h"

namespace fiducial {

// Bytes that are read once, front to back. One thread at a time.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Fills out completely unless the stream ends first; returns how many bytes were written.
  virtual Result<std::size_t> read(std::span<std::byte> out) = 0;
};

// A regular file, or an object of a store where the path is a URL (base/store.h), read in order. A file that
// shrinks while it is read simply ends early; an object that changes is an error.
class FileStream final : public ByteStream {
 public:
  static Result<std::unique_ptr<FileStream>> open(const Path& path);

  Result<std::size_t> read(std::span<std::byte> out) override;
  std::uint64_t size() const { return size_; }

 private:
  FileStream(OpenFile file, std::uint64_t size) : file_(std::move(file)), size_(size) {}
  FileStream(std::unique_ptr<ByteStream> stored, std::uint64_t size)
      : stored_(std::move(stored)), size_(size) {}

  OpenFile file_;
  std::unique_ptr<ByteStream> stored_;  // in place of the file
  std::uint64_t size_;
};

// Bytes that are already in memory; they must outlive the stream.
class MemoryStream final : public ByteStream {
 public:
  explicit MemoryStream(ByteView bytes) : rest_(bytes) {}
  Result<std::size_t> read(std::span<std::byte> out) override;

 private:
  ByteView rest_;
};

// Reads from a stream that somebody else owns and keeps alive.
class BorrowedStream final : public ByteStream {
 public:
  explicit BorrowedStream(ByteStream& stream) : stream_(stream) {}
  Result<std::size_t> read(std::span<std::byte> out) override { return stream_.read(out); }

 private:
  ByteStream& stream_;
};

// Gives back bytes that were read ahead, then the rest.
class PrefixedStream final : public ByteStream {
 public:
  PrefixedStream(Bytes prefix, std::unique_ptr<ByteStream> rest)
      : prefix_(std::move(prefix)), rest_(std::move(rest)) {}
  Result<std::size_t> read(std::span<std::byte> out) override;

 private:
  Bytes prefix_;
  std::size_t used_ = 0;
  std::unique_ptr<ByteStream> rest_;
};

// Passes bytes on and hashes them on the way.
class HashingStream final : public ByteStream {
 public:
  explicit HashingStream(std::unique_ptr<ByteStream> upstream) : upstream_(std::move(upstream)) {}
  Result<std::size_t> read(std::span<std::byte> out) override;
  // Reads what is left and returns the hash of the whole stream.
  Result<Digest> finish();

 private:
  std::unique_ptr<ByteStream> upstream_;
  Sha256 hash_;
};

}  // namespace fiducial
