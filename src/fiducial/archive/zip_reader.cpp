#include "fiducial/archive/zip_reader.h"

#include <algorithm>

#include <libdeflate.h>

#include "fiducial/archive/zip_directory.h"
#include "fiducial/archive/zip_format.h"
#include "fiducial/archive/zip_name.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

// The content of an entry, held against the promises of the archive.
class EntryStream final : public ByteStream {
 public:
  struct Promise {
    ZipEntry entry;
    std::string path;
    std::uint64_t data_offset = 0;
  };

  EntryStream(Promise promise, std::unique_ptr<ByteStream> stored)
      : promise_(std::move(promise)), content_(std::move(stored)), left_(promise_.entry.size) {}
  EntryStream(Promise promise, std::unique_ptr<InflateStream> inflated)
      : promise_(std::move(promise)),
        inflate_(inflated.get()),
        content_(std::move(inflated)),
        left_(promise_.entry.size) {}

  Result<std::size_t> read(std::span<std::byte> out) override {
    if (verified_) return std::size_t{0};
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), left_));
    FIDUCIAL_TRY(const std::size_t got, content(out.first(wanted)));
    crc_ = libdeflate_crc32(crc_, out.data(), got);
    left_ -= got;
    if (got < wanted) {
      return failure("ends after " + decimal(promise_.entry.size - left_) + " of " +
                     decimal(promise_.entry.size) + " bytes");
    }
    if (left_ == 0) FIDUCIAL_TRY_DONE(verify());
    return got;
  }

 private:
  Outcome verify() {
    std::byte extra{};
    FIDUCIAL_TRY(const std::size_t got, content({&extra, 1}));
    if (got > 0) return failure("goes on after the " + decimal(promise_.entry.size) + " bytes it promises");
    if (inflate_ != nullptr && inflate_->consumed() != promise_.entry.compressed_size) {
      return failure("has deflate data that end after " + decimal(inflate_->consumed()) + " of " +
                     decimal(promise_.entry.compressed_size) + " compressed bytes");
    }
    if (crc_ != promise_.entry.crc32) {
      return failure("has CRC-32 " + decimal(crc_) + "; the archive promises " +
                     decimal(promise_.entry.crc32));
    }
    verified_ = true;
    return done();
  }

  // Errors of the layers below count bytes from the start of the data.
  Result<std::size_t> content(std::span<std::byte> out) {
    Result<std::size_t> got = content_->read(out);
    if (got.ok()) return got;
    const Error& below = got.error();
    return Error(below.code(), "entry " + quoted_name(promise_.entry.name) + ": " + below.message(),
                 Place{.path = promise_.path, .byte = promise_.data_offset + below.place().byte.value_or(0)});
  }

  Error failure(const std::string& message) const {
    return {ErrorCode::invalid_data, "entry " + quoted_name(promise_.entry.name) + " " + message,
            Place{.path = promise_.path, .byte = promise_.data_offset}};
  }

  Promise promise_;
  const InflateStream* inflate_ = nullptr;
  std::unique_ptr<ByteStream> content_;
  std::uint64_t left_;
  std::uint32_t crc_ = 0;
  bool verified_ = false;
};

}  // namespace

Result<ZipReader> ZipReader::open(const Path& path) {
  FIDUCIAL_TRY(std::unique_ptr<FileSource> source, FileSource::open(path));
  return open(std::shared_ptr<const ByteSource>(std::move(source)), path.string());
}

Result<ZipReader> ZipReader::open(std::shared_ptr<const ByteSource> source, std::string name_in_errors) {
  FIDUCIAL_TRY(std::vector<ZipRecord> records, read_zip_directory(*source).in_file(name_in_errors));
  ZipReader reader(std::move(source), std::move(name_in_errors));
  for (ZipRecord& record : records) {
    if (record.folder()) continue;
    reader.entries_.push_back({std::move(record.name), record.compressed_size, record.size, record.crc32});
    reader.places_.push_back({record.data_offset, record.method == zip::deflated});
  }
  return reader;
}

std::optional<std::size_t> ZipReader::find(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [name](const ZipEntry& entry) { return entry.name == name; });
  if (found == entries_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - entries_.begin());
}

Result<std::unique_ptr<ByteStream>> ZipReader::open_entry(std::size_t index) const {
  FIDUCIAL_ASSERT(index < entries_.size());
  const ZipEntry& entry = entries_[index];
  const DataPlace& place = places_[index];
  auto stored = std::make_unique<SourceStream>(source_, place.offset, entry.compressed_size);
  EntryStream::Promise promise{entry, path_, place.offset};
  std::unique_ptr<ByteStream> out;
  if (place.deflated) {
    auto inflated = std::make_unique<InflateStream>(std::move(stored), DeflateWrapper::none);
    out = std::make_unique<EntryStream>(std::move(promise), std::move(inflated));
  } else {
    out = std::make_unique<EntryStream>(std::move(promise), std::unique_ptr<ByteStream>(std::move(stored)));
  }
  return out;
}

}  // namespace fiducial
