#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/base/stored_file.h"

namespace fiducial {

class ZipReader;

// The files somebody hands in: a folder, or a flat zip archive. Reading is safe from several threads.
class PredictionFiles {
 public:
  // A broken or hostile archive is refused as a whole, and so is a folder with a link that leads out of it; a
  // broken member shows when it is read. A folder may stand beside the files, "masks/": what lies in it is
  // not among the names.
  static Result<PredictionFiles> open(const Path& folder_or_zip, const std::string& beside = "");
  // A submission without files.
  static PredictionFiles none() { return {}; }
  PredictionFiles(PredictionFiles&&) noexcept;
  PredictionFiles& operator=(PredictionFiles&&) noexcept;
  ~PredictionFiles();

  const std::vector<std::string>& names() const { return names_; }  // ascending
  // The file that has a name, or the same masks in another format: of "case.nii.gz" also "case.fmask".
  std::optional<std::string> find(const std::string& name) const;
  bool has(const std::string& name) const { return find(name).has_value(); }
  bool is_archive() const { return zip_ != nullptr; }
  bool has_beside() const { return has_beside_; }  // whether anything lies in the folder beside the files
  // The file that find() gives; errors name it relative to the folder or archive.
  Result<StoredFile> open_file(const std::string& name) const;

 private:
  PredictionFiles();

  Path folder_;
  std::unique_ptr<ZipReader> zip_;
  std::vector<std::string> names_;
  std::vector<std::size_t> zip_entries_;  // beside names_
  bool has_beside_ = false;
};

}  // namespace fiducial
