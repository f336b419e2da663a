#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fiducial/archive/zip_writer.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"

namespace fiducial {

// A file of an output, hashed as it is written.
class OutputFile {
 public:
  static Result<std::unique_ptr<OutputFile>> create(const Path& path, std::string name);

  Outcome write(std::string_view text);
  Outcome publish();
  Json json() const;  // name, bytes, sha256; once published

 private:
  OutputFile(std::string name, std::unique_ptr<FileSink> sink)
      : name_(std::move(name)), sink_(std::move(sink)) {}
  Outcome flush();

  std::string name_;
  std::unique_ptr<FileSink> sink_;
  std::string held_;
  Sha256 hash_;
  std::string digest_;
  std::uint64_t bytes_ = 0;
};

// Where a stage writes: one file with others beside it, or a folder. Nothing is seen of it before publish().
class OutputFiles {
 public:
  static Result<OutputFiles> create(const Path& target, bool is_folder, bool overwrite);
  // Whether a path has the ending of a file.
  static bool names_file(const Path& target);

  // The file a stage is run for. The extension counts in a folder only, where it is "items" + extension.
  Result<OutputFile*> add_main(const std::string& extension);
  // Another one: in a folder NAME, beside a file OUT.NAME.
  Result<OutputFile*> add(const std::string& name);
  // The folder that becomes the output; not for single files.
  const Path& staging() const;

  // Publishes the files, then manifest.json with their hashes under "outputs".
  Result<Json> publish(Json manifest);

 private:
  explicit OutputFiles(Path target) : target_(std::move(target)) {}

  Path target_;
  std::unique_ptr<StagedFolder> folder_;
  std::vector<std::unique_ptr<OutputFile>> files_;
};

// A line that ends as the published scripts end theirs.
std::string with_crlf(const std::string& line);

}  // namespace fiducial
