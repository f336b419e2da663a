#pragma once

#include <memory>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace arrow::fs {
class FileSystem;
}

namespace fiducial {

// A URL as Arrow takes it: "s3://bucket/a/b" is "bucket/a/b" of the file system of that bucket.
struct BucketPath {
  std::string root;  // scheme and bucket: "s3://bucket"
  std::string path;  // "bucket/a/b"; no slash at its end
};

BucketPath bucket_path(const Path& url);

// The file system of a bucket by its root, with keys, region and endpoint of the environment; errors name the
// URL.
Result<std::shared_ptr<arrow::fs::FileSystem>> open_bucket(const std::string& root, const Path& url);

}  // namespace fiducial
