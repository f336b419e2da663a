#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/dicom/slice_header.h"

namespace fiducial {

// What the reader process answers: JSON objects, a line each, and after a line that announces values their
// bytes. The process has read hostile files, so its answer is hostile too: every line is checked.
//
// The first line is {"fiducial-dicom": 1}, the last one {"end": true}. Files are answered in the order they
// were asked for and named by their number; {"file": 3, "error": "..."} ends the answer.
inline constexpr int reader_protocol_version = 1;

// Lines and the bytes between them, out of one stream.
class RecordStream {
 public:
  explicit RecordStream(ByteStream& bytes) : bytes_(bytes) {}
  // The next line as an object; the end of the stream is an error.
  Result<Json> next_object();
  // Exactly the bytes that follow the line.
  Outcome read_bytes(std::span<std::byte> out);

 private:
  Outcome refill();

  ByteStream& bytes_;
  Bytes buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// A file of the folder that is no slice, and why.
struct SkippedFile {
  std::size_t file = 0;
  std::string reason;
};

// The answer to a question for headers.
struct HeaderRecords {
  std::vector<SliceHeader> slices;
  std::vector<SkippedFile> skipped;
};

// How many slices a file has, and how many values each of them.
struct FileSlices {
  int frames = 1;
  std::int64_t values = 0;
};

// The values of one slice, as they were stored, in this machine's byte order.
struct StoredSlice {
  std::size_t file = 0;
  int frame = 0;
  int bytes_per_value = 2;  // 1, 2 or 4
  int bits_stored = 16;
  bool is_signed = false;
  ByteView bytes;
};

// Takes slices one after the other; their bytes are gone afterwards.
using SliceSink = std::function<Outcome(const StoredSlice& slice)>;

// Reads the answer about files, which are given by their names for messages.
class RecordReader {
 public:
  RecordReader(ByteStream& bytes, std::span<const std::string> files) : records_(bytes), files_(files) {}

  Result<HeaderRecords> read_headers();
  // Demands from each file exactly the slices that are expected of it.
  Outcome read_pixels(std::span<const FileSlices> expected, const SliceSink& sink);
  // How many files were answered in full, also after an error: the next one is the one that was being read.
  std::size_t answered() const { return answered_; }

 private:
  Outcome read_start();
  Outcome read_end();
  Outcome check_file(const Json& record) const;
  Outcome read_file_pixels(const FileSlices& expected, const SliceSink& sink);

  RecordStream records_;
  std::span<const std::string> files_;
  std::size_t answered_ = 0;
};

}  // namespace fiducial
