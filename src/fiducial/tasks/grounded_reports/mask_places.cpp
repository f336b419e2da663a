#include "fiducial/tasks/grounded_reports/mask_places.h"

#include <filesystem>

#include "fiducial/base/paths.h"
#include "fiducial/metrics/dice_formula.h"
#include "fiducial/spatial/overlap.h"

namespace fiducial {

Result<std::unique_ptr<OrganMasks>> OrganMasks::find(const Path& dataset) {
  const Path organs = dataset / "organs";
  const bool is_apart = is_folder(organs);
  FIDUCIAL_TRY(MaskLibrary library, MaskLibrary::open(is_apart ? organs : dataset));
  if (!is_apart && !library.has_masks()) return std::unique_ptr<OrganMasks>();
  return std::make_unique<OrganMasks>(std::move(library));
}

Result<CaseMasks> OrganMasks::read(const std::string& name, const std::vector<std::string>& wanted) {
  const std::lock_guard lock(mutex_);
  return library_.read_case(name, std::nullopt, wanted);
}

bool PlaceFit::is_in_place() const {
  constexpr double least_share = 0.5;  // of a finding's mask, in a region that is far larger
  return dice >= least_grounded_dice || share >= least_share;
}

std::optional<PlaceFit> fit_to_places(const Mask& mask, const ReportFact& fact, const CaseMasks& organs) {
  std::optional<Mask> named;
  for (const std::string& place : fact.places) {
    const StructureMask structure = organs.resolve(node_of(place));
    if (!structure.mask || structure.mask->extent() != mask.extent()) return std::nullopt;
    named = named ? united(*named, *structure.mask) : *structure.mask;
  }
  if (!named) return std::nullopt;
  const Result<Overlap> shared = overlap(*named, mask);
  if (!shared.ok()) return std::nullopt;
  if (mask.empty()) return PlaceFit{};
  return PlaceFit{static_cast<double>(shared->both) / static_cast<double>(mask.count()), exact_dice(*shared)};
}

}  // namespace fiducial
