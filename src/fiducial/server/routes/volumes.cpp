#include <algorithm>
#include <cmath>

#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/image/picture_writer.h"
#include "fiducial/server/found_case.h"
#include "fiducial/server/routes.h"
#include "fiducial/server/slice_drawing.h"
#include "fiducial/wire/slab.h"

namespace fiducial {

Result<http::Reply> get_volume_meta(ApiCall& call);
Result<http::Reply> get_volume_slab(ApiCall& call);
Result<http::Reply> get_volume_slice(ApiCall& call);

namespace {

struct CaseVolume {
  FoundCase found;
  std::shared_ptr<const ServedVolume> volume;
};

Result<FoundOr<CaseVolume>> case_volume(const ApiCall& call) {
  FIDUCIAL_TRY(const auto looked_up, found_case(call));
  if (const auto* refusal = std::get_if<http::Reply>(&looked_up)) return FoundOr<CaseVolume>(*refusal);
  const auto& found = std::get<FoundCase>(looked_up);
  const auto path = call.library.find_volume(*found.dataset, *found.place);
  if (!path) return FoundOr<CaseVolume>(not_found("the CT of this case is not below the served folders"));
  FIDUCIAL_TRY(auto volume, call.library.volumes().open(*path));
  return FoundOr<CaseVolume>(CaseVolume{found, std::move(volume)});
}

Json numbers(std::initializer_list<double> values) {
  Json out{Json::Array{}};
  for (const double value : values) out.push(value);
  return out;
}

std::int64_t slab_count(const Extent& extent) {
  return (extent.z + wire::slab_slices - 1) / wire::slab_slices;
}

Json axes_json(const Affine& affine) {
  Json out{Json::Array{}};
  const double determinant = affine.determinant();
  const bool is_placed = std::isfinite(determinant) && determinant != 0;
  for (const char letter : is_placed ? OrientationCode::of(affine).text() : std::string("LPS"))
    out.push(std::string(1, letter));
  return out;
}

}  // namespace

Result<http::Reply> get_volume_meta(ApiCall& call) {
  FIDUCIAL_TRY(const auto looked_up, case_volume(call));
  if (const auto* refusal = std::get_if<http::Reply>(&looked_up)) return *refusal;
  const auto& volume = *std::get<CaseVolume>(looked_up).volume;
  const Grid& grid = volume.grid();
  const Vec3 spacing = grid.affine.spacing_mm();
  Json affine{Json::Array{}};
  for (const auto& row : grid.affine.m) {
    for (const double value : row) affine.push(value);
  }
  for (const double value : {0.0, 0.0, 0.0, 1.0}) affine.push(value);
  const auto range = volume.range();
  return http::Reply::json(Json::object(
      {{"dimensions", Json::array({grid.extent.x, grid.extent.y, grid.extent.z})},
       {"spacing_mm", numbers({spacing[0], spacing[1], spacing[2]})},
       {"affine", std::move(affine)},
       {"axes", axes_json(grid.affine)},
       {"range", range ? Json::array({std::int64_t{range->first}, std::int64_t{range->second}}) : Json()},
       {"slab", wire::slab_slices},
       {"slabs", slab_count(grid.extent)},
       {"coding", Json::array({"raw", "dp"})},
       {"pictures", true}}));
}

Result<http::Reply> get_volume_slab(ApiCall& call) {
  FIDUCIAL_TRY(const auto looked_up, case_volume(call));
  if (const auto* refusal = std::get_if<http::Reply>(&looked_up)) return *refusal;
  const auto& volume = *std::get<CaseVolume>(looked_up).volume;
  const Extent& extent = volume.grid().extent;
  const auto slab = parse_integer(call.part("slab"));
  if (!slab || *slab < 0 || *slab >= slab_count(extent))
    return not_found("the CT has slabs 0 to " + decimal(slab_count(extent) - 1));
  const std::int64_t first = *slab * wire::slab_slices;
  FIDUCIAL_TRY(const auto voxels, volume.slices(first, std::min(first + wire::slab_slices, extent.z)));
  if (call.query.text("coding", "raw") == "raw") {
    http::Reply reply = bytes_reply("application/octet-stream", wire::raw_slab(voxels));
    return std::move(reply.set("Cache-Control", "no-cache, no-transform"));
  }
  const Bytes packed = gzip_compressed(wire::encode_slab(voxels, extent.x), 1);
  http::Reply reply = bytes_reply("application/octet-stream", packed);
  return std::move(reply.set("Content-Encoding", "gzip"));
}

namespace {

// "reference:0,run:good:0": the set stands before the last colon.
Result<std::vector<ColouredMask>> drawn_masks(const ApiCall& call, const FoundCase& found,
                                              std::vector<std::shared_ptr<const MaskSet>>& kept) {
  std::vector<ColouredMask> out;
  std::string rest = call.query.text("masks");
  while (!rest.empty()) {
    const std::string one = rest.substr(0, rest.find(','));
    rest.erase(0, one.size() + 1);
    const std::size_t colon = one.rfind(':');
    const auto id = colon == std::string::npos ? std::nullopt : parse_unsigned(one.substr(colon + 1));
    if (!id || *id > UINT32_MAX) return bad_usage("masks: expected SET:ID, found \"" + one + "\"");
    FIDUCIAL_TRY(const auto set, call.library.masks(*found.dataset, *found.place, one.substr(0, colon)));
    const ServedMask* mask = set->find(static_cast<std::uint32_t>(*id));
    if (mask == nullptr) return bad_usage("masks: there is no mask " + one);
    kept.push_back(set);
    out.push_back({&mask->labels, finding_colour(static_cast<std::size_t>(*id))});
  }
  return out;
}

MaskDrawing drawing_of(const std::string& mode) {
  return mode == "diff"      ? MaskDrawing::difference
         : mode == "outline" ? MaskDrawing::outline
                             : MaskDrawing::fill;
}

}  // namespace

Result<http::Reply> get_volume_slice(ApiCall& call) {
  const std::string plane = call.part("plane");
  if (plane != "axial" && plane != "coronal" && plane != "sagittal")
    return not_found("planes are axial, coronal and sagittal");
  FIDUCIAL_TRY(const auto looked_up, case_volume(call));
  if (const auto* refusal = std::get_if<http::Reply>(&looked_up)) return *refusal;
  const auto& [found, volume] = std::get<CaseVolume>(looked_up);
  const PlaneView view = PlaneView::of(volume->grid(), plane);
  std::string name = call.part("picture");
  const bool is_png = name.ends_with(".png");
  const auto slice = is_png ? parse_integer(name.substr(0, name.size() - 4)) : std::nullopt;
  const std::int64_t slices = view.extent[view.slice_axis];
  if (!slice || *slice < 0 || *slice >= slices)
    return not_found(plane + " slices are 0.png to " + decimal(slices - 1) + ".png");
  const IntensityWindow window{.name = "",
                               .centre_hu = call.query.number("l", lung_window.centre_hu),
                               .width_hu = call.query.number("w", lung_window.width_hu)};
  std::vector<std::shared_ptr<const MaskSet>> kept;
  FIDUCIAL_TRY(const std::vector<ColouredMask> masks, drawn_masks(call, found, kept));
  for (const ColouredMask& mask : masks) {
    if (mask.labels->extent() != volume->grid().extent)
      return invalid_data("a mask of " + mask.labels->extent().text() + " voxels on a CT of " +
                          volume->grid().extent.text());
  }
  FIDUCIAL_TRY(Picture picture, slice_picture(*volume, view, *slice, window));
  draw_masks(picture, view, *slice, masks, drawing_of(call.query.text("mode")));
  return bytes_reply("image/png", png_picture_file(picture));
}

}  // namespace fiducial
