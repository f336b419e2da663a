#include "fiducial/base/number_text.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/drawing/slice_picture.h"
#include "fiducial/drawing/thumbnail.h"
#include "fiducial/image/picture_writer.h"
#include "fiducial/image/volume_slice.h"
#include "fiducial/server/found_case.h"
#include "fiducial/server/routes.h"

namespace fiducial {

Result<http::Reply> get_image(ApiCall& call);
Result<http::Reply> get_image_thumb(ApiCall& call);
Result<http::Reply> get_thumb(ApiCall& call);

namespace {

constexpr std::int64_t usual_side = 192;
constexpr int thumb_quality = 80;

std::optional<std::size_t> image_number(const ApiCall& call) {
  const auto number = parse_unsigned(call.part("image"));
  return number ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

http::Reply jpeg_reply(const Picture& picture) {
  return bytes_reply("image/jpeg", jpeg_file(picture, thumb_quality));
}

Result<http::Reply> small_copy(const FoundCase& found, std::size_t number, std::int64_t side) {
  FIDUCIAL_TRY(const ServedPicture stored, found.place->source->picture(found.place->at, number));
  FIDUCIAL_TRY(const Picture picture, decode_picture(as_bytes(stored.bytes)));
  return jpeg_reply(thumbnail(picture, side));
}

// The slice with most of the first finding, else the middle one, through a window for lungs. Read straight
// from the file: a list of cases is no reason to decode their CTs.
Result<http::Reply> slice_thumb(const ApiCall& call, const FoundCase& found, std::int64_t side) {
  const auto path = call.library.find_volume(*found.dataset, *found.place);
  if (!path) return not_found("the CT of this case is not below the served folders");
  FIDUCIAL_TRY(NiftiStream stream, open_volume(*path));
  const AxialView view = AxialView::of(stream.header().grid());
  const PlanePlace middle{.axis = view.slice_axis, .index = view.extent[view.slice_axis] / 2};
  FIDUCIAL_TRY(const auto planes, read_volume_planes(stream, std::span(&middle, 1)));
  const Raster grey = windowed_slice(planes.front(), view, lung_window);
  return jpeg_reply(
      thumbnail({.width = grey.width, .height = grey.height, .channels = 1, .values = grey.pixels}, side));
}

}  // namespace

Result<http::Reply> get_image(ApiCall& call) {
  FIDUCIAL_TRY(const auto looked_up, found_case(call));
  if (const auto* refusal = std::get_if<http::Reply>(&looked_up)) return *refusal;
  const auto& found = std::get<FoundCase>(looked_up);
  const auto number = image_number(call);
  if (!number || *number < 1 || *number > found.place->source->pictures(found.place->at))
    return not_found("the case has no image " + call.part("image"));
  FIDUCIAL_TRY(const ServedPicture picture, found.place->source->picture(found.place->at, *number));
  return bytes_reply(picture.type, as_bytes(picture.bytes));
}

Result<http::Reply> get_image_thumb(ApiCall& call) {
  FIDUCIAL_TRY(const auto looked_up, found_case(call));
  if (const auto* refusal = std::get_if<http::Reply>(&looked_up)) return *refusal;
  const auto& found = std::get<FoundCase>(looked_up);
  const auto number = image_number(call);
  if (!number || *number < 1 || *number > found.place->source->pictures(found.place->at))
    return not_found("the case has no image " + call.part("image"));
  return small_copy(found, *number, call.query.integer("side", usual_side));
}

Result<http::Reply> get_thumb(ApiCall& call) {
  FIDUCIAL_TRY(const auto looked_up, found_case(call));
  if (const auto* refusal = std::get_if<http::Reply>(&looked_up)) return *refusal;
  const auto& found = std::get<FoundCase>(looked_up);
  const std::int64_t side = call.query.integer("side", usual_side);
  if (found.place->source->pictures(found.place->at) > 0) return small_copy(found, 1, side);
  return slice_thumb(call, found, side);
}

}  // namespace fiducial
