#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/sha256.h"
#include "fiducial/cases/diagnosis_case.h"

namespace fiducial {

// The cases of one split, by number, and the file they were read from.
struct DiagnosisSplit {
  std::string name;
  std::string file;  // relative to the dataset's folder
  Digest digest;     // of that file's bytes
  std::vector<DiagnosisCase> cases;
};

// A folder of teaching cases with a question each.
class DiagnosisDataset {
 public:
  virtual ~DiagnosisDataset() = default;

  virtual const Path& folder() const = 0;
  virtual std::vector<std::string> split_names() const = 0;
  // Every case of a split that is there; images are not opened. Refuses rows that cannot be scored.
  virtual Result<DiagnosisSplit> read_split(const std::string& name) const = 0;
  // The bytes of an image of a split, by its path: a file, a member of an archive, or what its row holds.
  // Where the images of a split stand is found once. Several threads may read at once.
  virtual Result<std::string> read_picture(const std::string& split, const std::string& path) const = 0;
};

// The wanted split, or by default "test", else the only one; an error lists what there is.
Result<std::string> choose_split(const DiagnosisDataset& dataset, const std::optional<std::string>& wanted);

}  // namespace fiducial
