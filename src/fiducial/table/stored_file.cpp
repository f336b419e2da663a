#include "fiducial/table/stored_file.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include <arrow/buffer.h>
#include <arrow/io/file.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <arrow/util/io_util.h>

#include "fiducial/base/store.h"
#include "fiducial/base/system_error.h"

namespace fiducial {

namespace {

constexpr const char* detail_id = "fiducial::StoreError";

// Carries an error of ours through Arrow.
class StoreError final : public arrow::StatusDetail {
 public:
  explicit StoreError(Error error) : error_(std::move(error)) {}

  const char* type_id() const override { return detail_id; }
  std::string ToString() const override { return error_.text(); }
  const Error& error() const { return error_; }

 private:
  Error error_;
};

arrow::Status status_of(const Error& error) {
  return {arrow::StatusCode::IOError, error.message(), std::make_shared<StoreError>(error)};
}

class StoredFile final : public arrow::io::RandomAccessFile {
 public:
  explicit StoredFile(std::unique_ptr<StoredObject> object) : object_(std::move(object)) {}

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<std::int64_t> Tell() const override { return place_; }
  arrow::Result<std::int64_t> GetSize() override { return static_cast<std::int64_t>(object_->size()); }
  arrow::Status Seek(std::int64_t place) override {
    place_ = place;
    return arrow::Status::OK();
  }

  arrow::Result<std::int64_t> Read(std::int64_t bytes, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const std::int64_t got, ReadAt(place_, bytes, out));
    place_ += got;
    return got;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t bytes) override {
    ARROW_ASSIGN_OR_RAISE(auto out, ReadAt(place_, bytes));
    place_ += out->size();
    return out;
  }

  arrow::Result<std::int64_t> ReadAt(std::int64_t place, std::int64_t bytes, void* out) override {
    if (place < 0 || bytes < 0) return arrow::Status::Invalid("a place before the beginning of the file");
    const std::span<std::byte> into(static_cast<std::byte*>(out), static_cast<std::size_t>(bytes));
    const Result<std::size_t> got = object_->read_at(static_cast<std::uint64_t>(place), into);
    if (!got.ok()) return status_of(got.error());
    return static_cast<std::int64_t>(*got);
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(std::int64_t place, std::int64_t bytes) override {
    // A broken file may ask for more than there is.
    const std::int64_t left = std::max<std::int64_t>(0, static_cast<std::int64_t>(object_->size()) - place);
    ARROW_ASSIGN_OR_RAISE(auto out, arrow::AllocateResizableBuffer(std::min(bytes, left)));
    ARROW_ASSIGN_OR_RAISE(const std::int64_t got, ReadAt(place, out->size(), out->mutable_data()));
    ARROW_RETURN_NOT_OK(out->Resize(got));
    return std::shared_ptr<arrow::Buffer>(std::move(out));
  }

 private:
  std::unique_ptr<StoredObject> object_;
  std::int64_t place_ = 0;
  bool closed_ = false;
};

Result<std::unique_ptr<StoredObject>> open_stored(const Path& url) {
  FIDUCIAL_TRY(Store* const store, store_of(url));
  return store->open_object(url);
}

}  // namespace

arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> open_for_arrow(const Path& path) {
  if (!is_url(path)) {
    ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(path.string()));
    return std::shared_ptr<arrow::io::RandomAccessFile>(std::move(file));
  }
  Result<std::unique_ptr<StoredObject>> object = open_stored(path);
  if (!object.ok()) return status_of(object.error());
  return std::shared_ptr<arrow::io::RandomAccessFile>(std::make_shared<StoredFile>(*std::move(object)));
}

std::optional<Error> error_of_store(const arrow::Status& status) {
  const auto& detail = status.detail();
  if (detail == nullptr || std::string_view(detail->type_id()) != detail_id) return std::nullopt;
  return static_cast<const StoreError&>(*detail).error();
}

Error arrow_error(const Path& path, const arrow::Status& status) {
  if (auto of_store = error_of_store(status)) return *std::move(of_store);
  const int number = arrow::internal::ErrnoFromStatus(status);
  const ErrorCode code = number == 0 ? ErrorCode::invalid_data : system_error("", number).code();
  return {code, status.message(), Place{.path = path.string()}};
}

}  // namespace fiducial
