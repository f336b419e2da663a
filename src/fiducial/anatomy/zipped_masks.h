#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/anatomy/case_masks.h"
#include "fiducial/archive/zip_reader.h"

namespace fiducial {

// Organ masks of many volumes in a zip archive, laid out below one of its folders as MaskLibrary has them.
class ZippedMasks {
 public:
  // What lies below a folder, "masks/"; "": all of the archive.
  static Result<ZippedMasks> open(const Path& archive, const std::string& folder);

  bool empty() const { return files_.empty(); }
  std::vector<std::string> volumes() const;  // sorted
  // Adds the masks of a volume that are wished for; whether there are any.
  Result<bool> read(const std::string& stem, const std::vector<std::string>& wishes, CaseMasks& masks) const;

 private:
  // A file below the folder.
  struct File {
    std::string name;
    std::size_t entry = 0;
  };

  explicit ZippedMasks(ZipReader zip) : zip_(std::move(zip)) {}
  Result<std::unique_ptr<MaskReader>> open_mask(std::unique_ptr<ByteStream> bytes, const File& file) const;
  const File* find_file(const std::string& name) const;
  using NamesParser = Result<LabelNames> (*)(std::string_view json);
  // Empty where nothing names the labels.
  Result<LabelNames> label_names(const File& map, CaseMasks& masks) const;
  Result<LabelNames> names_in(const std::string& name, NamesParser parse, CaseMasks& masks) const;
  Outcome add_label_map(const File& map, const std::vector<std::string>& wishes, CaseMasks& masks) const;
  Outcome add_structure(const File& file, const std::string& name, CaseMasks& masks) const;

  ZipReader zip_;
  std::vector<File> files_;                              // by name
  std::multimap<std::string, std::size_t> of_volume_{};  // those that a volume's masks may be
};

}  // namespace fiducial
