#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "fiducial/base/store.h"

namespace arrow::fs {
class FileSystem;
}

namespace fiducial {

// Where an object lies: the bucket and the path in it, and its URL for errors.
struct BucketPlace {
  std::shared_ptr<arrow::fs::FileSystem> bucket;
  std::string path;
  Path url;
  std::optional<std::uint64_t> size = std::nullopt;  // what the store said of it a moment ago
};

// Reads an object from its beginning; blocks ahead of whoever asks for them, once more than the first is
// wanted. A small object whose size is known costs one request.
Result<std::unique_ptr<StoredStream>> open_bucket_stream(BucketPlace place);

// Reads an object anywhere. The blocks that were read last are kept: archives are read in many small pieces.
Result<std::unique_ptr<StoredObject>> open_bucket_object(BucketPlace place);

}  // namespace fiducial
