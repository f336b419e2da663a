#pragma once

#include <memory>
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
};

// Reads an object from its beginning; blocks ahead of whoever asks for them, once more than the first is
// wanted.
Result<std::unique_ptr<StoredStream>> open_bucket_stream(BucketPlace place);

// Reads an object anywhere. The blocks that were read last are kept: archives are read in many small pieces.
Result<std::unique_ptr<StoredObject>> open_bucket_object(BucketPlace place);

}  // namespace fiducial
