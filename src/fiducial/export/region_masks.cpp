#include "fiducial/export/region_masks.h"

#include <system_error>
#include <utility>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/base/version.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/export/mask_output.h"

namespace fiducial {

namespace {

// What is asked of every volume, and where it goes.
struct WantedUnion {
  std::string asked;   // of CaseMasks::resolve
  std::string name;    // of the file
  std::string folder;  // "region_mask" or "anatomy_mask"
};

Result<std::vector<WantedUnion>> wanted_unions(const std::vector<std::string>& names) {
  const Anatomy& anatomy = Anatomy::chest_ct();
  std::vector<WantedUnion> out;
  for (const std::string& name : names.empty() ? anatomy.regions() : names) {
    if (anatomy.is_region(name)) {
      if (name != "others") out.push_back({std::string(region_prefix) + name, name, "region_mask"});
    } else if (const Structure* structure = anatomy.find(name)) {
      out.push_back({structure->name, structure->name, "anatomy_mask"});
    } else {
      return bad_usage(unknown_name("region or structure", name, anatomy.regions()));
    }
  }
  return out;
}

Result<std::optional<Grid>> ct_grid_of(const RegionMaskRequest& request, const std::string& volume) {
  if (!request.volumes) return std::optional<Grid>();
  const auto path = rexgroundingct::find_volume(*request.volumes, volume + ".nii.gz");
  if (!path) {
    return Error(ErrorCode::invalid_data, "no CT of " + volume + " below this folder",
                 Place{.path = request.volumes->string()});
  }
  FIDUCIAL_TRY(const NiftiHeader header, read_volume_header(*path).in_file(path->string()));
  return std::optional<Grid>(header.grid());
}

Outcome write_union(const Mask& mask, const Path& folder, const std::string& name) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error(ErrorCode::io, failed.message(), Place{.path = folder.string()});
  return write_mask(mask, folder / (name + ".nii.gz"));
}

Outcome go_on_uniting() {
  if (call_given_up()) return given_up();
  if (stop_requested()) return Error(ErrorCode::interrupted, "stopped by a signal; nothing was written");
  return done();
}

}  // namespace

Result<RegionMaskCounts> write_region_masks(const RegionMaskRequest& request, Progress& progress) {
  FIDUCIAL_TRY(const std::vector<WantedUnion> wanted, wanted_unions(request.names));
  FIDUCIAL_TRY(MaskLibrary library, MaskLibrary::open(request.masks));
  FIDUCIAL_TRY(const std::vector<std::string> volumes, library.volumes());
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(request.output, "", false));
  RegionMaskCounts out;
  Json list = Json::Array{};
  progress.begin("volumes", static_cast<std::int64_t>(volumes.size()));
  for (const std::string& volume : volumes) {
    FIDUCIAL_TRY_DONE(go_on_uniting());
    FIDUCIAL_TRY(const std::optional<Grid> grid, ct_grid_of(request, volume));
    FIDUCIAL_TRY(const CaseMasks masks,
                 library.read_case(volume, grid).context("reading masks of " + volume));
    ++out.volumes;
    for (const WantedUnion& each : wanted) {
      const StructureMask made = masks.resolve(each.asked);
      list.push(Json::object({{"volume", volume},
                              {"mask", each.name},
                              {"status", std::string(to_string(made.status))},
                              {"source", made.source},
                              {"detail", made.detail}}));
      if (!made.mask) {
        ++out.lacking[each.name];
        continue;
      }
      ++out.written;
      out.empty += made.mask->empty() ? 1 : 0;
      FIDUCIAL_TRY_DONE(
          write_union(*made.mask, folder.staging() / each.folder / ("seg_" + volume), each.name));
    }
    progress.advance(1);
  }
  progress.end();
  if (out.written == 0) {
    return Error(ErrorCode::invalid_data, "no volume has the masks that any of these is made of",
                 Place{.path = request.masks.string()});
  }
  out.manifest = Json::object({{"schema", "fiducial.region_masks/1"},
                               {"tool", Json::object({{"name", "fiducial"}, {"version", tool_version}})},
                               {"volumes", out.volumes},
                               {"written", out.written},
                               {"empty", out.empty},
                               {"masks", list}});
  FIDUCIAL_TRY_DONE(folder.publish());
  FIDUCIAL_TRY_DONE(write_file(request.output.string() + ".json", out.manifest.pretty()));
  return out;
}

}  // namespace fiducial
