#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fiducial/base/bytes.h"
#include "fiducial/base/file.h"
#include "fiducial/base/partial_file.h"
#include "fiducial/base/result.h"

namespace fiducial {

enum class ZipMethod { stored, deflated };

// Where an archive is written to, front to back.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Outcome write(ByteView bytes) = 0;
};

// Keeps everything in memory.
class MemorySink final : public ByteSink {
 public:
  Outcome write(ByteView bytes) override;
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

// A file that appears at its target with publish(), all at once; without it nothing is left behind.
class FileSink final : public ByteSink {
 public:
  static Result<std::unique_ptr<FileSink>> create(const Path& target);

  Outcome write(ByteView bytes) override { return file_.write(bytes); }
  Outcome publish() { return file_.publish(); }  // call once, last

 private:
  explicit FileSink(PartialFile file) : file_(std::move(file)) {}

  PartialFile file_;
};

struct ZipWriterOptions {
  int level = 6;                          // of deflate, 1 to 12
  std::uint64_t zip64_from = 0xFFFFFFFF;  // sizes and offsets from here on take the zip64 form
};

// Writes an archive whose bytes depend on nothing but names, contents and options: times are 1980-01-01,
// modes 0644, entries in the order they are added.
class ZipWriter {
 public:
  explicit ZipWriter(ByteSink& sink, ZipWriterOptions options = {}) : sink_(sink), options_(options) {}

  // Deflated entries that would not get smaller are stored. Refuses names that ZipReader would refuse.
  Outcome add(std::string_view name, ByteView bytes, ZipMethod method);
  // Stores a file in constant memory; it is read twice and must not change in between.
  Outcome add_file(std::string_view name, const Path& file);
  Outcome finish();  // call once, last

 private:
  struct Record {
    std::string name;
    std::uint16_t method = 0;
    std::uint32_t crc32 = 0;
    std::uint64_t compressed_size = 0;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
  };

  Outcome begin(Record record);
  Outcome write(ByteView bytes);
  Outcome check_name(std::string_view name);
  Bytes local_header(const Record& record) const;
  Bytes central_record(const Record& record) const;
  Bytes end_records(std::uint64_t directory_offset, std::uint64_t directory_size) const;
  bool wide(std::uint64_t value) const { return value >= options_.zip64_from; }

  ByteSink& sink_;
  ZipWriterOptions options_;
  std::uint64_t written_ = 0;
  std::vector<Record> records_;
  std::unordered_set<std::string> names_;
};

}  // namespace fiducial
