#pragma once

#include <map>
#include <span>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/workflows/picture_store.h"
#include "fiducial/workflows/prepared_run.h"

namespace fiducial {

// Pictures of scans for a run, made once: what was drawn of a scan is written down beside the run's pictures,
// so that a run which goes on draws nothing again.
class ScanPictures {
 public:
  // folder: of the run; empty where nothing is kept.
  ScanPictures(const RunRequest& request, const ViewPolicy& policy, Path folder, PictureStore& store)
      : request_(request), policy_(policy), folder_(std::move(folder)), store_(store) {}

  // Gives every item of a scan its pictures, or the reason why it has none.
  Outcome show(const std::string& scan, std::span<AskedCase*> items);

 private:
  // Pictures of a region of the scan, or why there are none.
  struct Drawn {
    std::vector<ShownImage> images;
    std::string problem;
  };
  using DrawnRegions = std::map<std::string, Drawn>;  // by region

  Result<DrawnRegions> drawn(const std::string& scan, const Path& volume,
                             const std::vector<std::string>& regions);
  Result<CaseMasks> read_masks(const std::string& scan, const Grid& grid,
                               const std::vector<std::string>& regions);
  Result<Drawn> kept(const Result<std::vector<ViewPicture>>& pictures);
  // What an earlier run drew of the same file by the same policy; nothing where that is not all there.
  std::optional<DrawnRegions> remembered(const std::string& scan, const Json& key,
                                         const std::vector<std::string>& regions);

  const RunRequest& request_;
  const ViewPolicy& policy_;
  Path folder_;
  PictureStore& store_;
  std::optional<MaskLibrary> library_;
};

// The items of a split that a request is about, in its order.
Result<std::vector<AskedCase>> asked_items(const ScanSplit& split, const RunRequest& request);

// The masks of organs that a dataset has, in organs/ or as its layout keeps them, or those of another folder.
Result<MaskLibrary> open_organ_masks(const Path& dataset, const Path& masks);

}  // namespace fiducial
