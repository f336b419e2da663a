#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/tasks/grounded_reports/grounded_report.h"

namespace fiducial {

// Organ masks that lie in a dataset's folder: below organs/, or as RadGenome-Chest CT has them. Safe from
// several threads.
class OrganMasks {
 public:
  // None where the folder has none.
  static Result<std::unique_ptr<OrganMasks>> find(const Path& dataset);
  explicit OrganMasks(MaskLibrary library) : library_(std::move(library)) {}

  Result<CaseMasks> read(const std::string& name, const std::vector<std::string>& wanted);

 private:
  std::mutex mutex_;
  MaskLibrary library_;
};

// A mask against the places that a fact names.
struct PlaceFit {
  double share = 0;  // of its voxels that lie in them
  double dice = 0;

  bool is_in_place() const;
};

// Nothing where one of the places has no mask.
std::optional<PlaceFit> fit_to_places(const Mask& mask, const ReportFact& fact, const CaseMasks& organs);

}  // namespace fiducial
