#include "fiducial/image/transform_record.h"

#include <cmath>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

namespace {

constexpr std::string_view transform_schema = "fiducial.transform/1";
constexpr std::int64_t longest_axis = 1 << 20;
constexpr double farthest_mm = 1e7;  // of anything in a patient's world

Error not_invertible(const std::string& what) {
  return invalid_data("the transform cannot be undone: " + what);
}

Outcome check_transform_grid(const Grid& grid) {
  if (!grid.affine.finite() || !inverse(grid.affine)) return not_invertible("its affine is singular");
  for (const auto& row : grid.affine.m) {
    for (const double value : row) {
      if (std::abs(value) > farthest_mm) {
        return not_invertible("a place " + shortest(value) + " mm away is in no patient");
      }
    }
  }
  double voxels = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (grid.extent[axis] < 1 || grid.extent[axis] > longest_axis) {
      return not_invertible("a grid of " + grid.extent.text() + " voxels");
    }
    voxels *= static_cast<double>(grid.extent[axis]);
  }
  if (voxels > static_cast<double>(max_image_bytes)) {
    return not_invertible("a grid of " + grid.extent.text() + " voxels");
  }
  return done();
}

Result<Grid> after(const transform_steps::Orient& step, const Grid& grid) {
  return reorientation(OrientationCode::of(grid.affine), step.code).apply(grid);
}

Result<Grid> after(const transform_steps::Spacing& step, const Grid& grid) {
  const Vec3 spacing = grid.affine.spacing_mm();
  Grid out = grid;
  Vec3 first{0, 0, 0};
  std::array<std::int64_t*, 3> sizes{&out.extent.x, &out.extent.y, &out.extent.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(step.mm[axis] > 0) || !std::isfinite(step.mm[axis])) {
      return not_invertible("voxels of " + shortest(step.mm[axis]) + " mm");
    }
    const double ratio = spacing[axis] / step.mm[axis];
    const auto size = static_cast<double>(*sizes[axis]);
    const double count =
        step.keeps_first_voxel ? std::nearbyint((size - 1) * ratio + 1) : std::nearbyint(size * ratio);
    if (!(count >= 1) || count > static_cast<double>(longest_axis)) {
      return not_invertible("an axis of " + shortest(count) + " voxels");
    }
    *sizes[axis] = static_cast<std::int64_t>(count);
    if (!step.keeps_first_voxel) first[axis] = (1 / ratio - 1) / 2;
    for (std::size_t row = 0; row < 3; ++row) out.affine.m[row][axis] = grid.affine.m[row][axis] / ratio;
  }
  const Vec3 origin = grid.affine.apply(first);
  for (std::size_t row = 0; row < 3; ++row) out.affine.m[row][3] = origin[row];
  return out;
}

Result<Grid> after(const transform_steps::Onto& step, const Grid&) { return step.grid; }

// The grid of a box whose low corner is a voxel of another grid, or lies beyond it.
Grid boxed(const Grid& grid, const std::array<std::int64_t, 3>& low, const Extent& shape) {
  Grid out{shape, grid.affine};
  const Vec3 origin = grid.affine.apply(
      {static_cast<double>(low[0]), static_cast<double>(low[1]), static_cast<double>(low[2])});
  for (std::size_t row = 0; row < 3; ++row) out.affine.m[row][3] = origin[row];
  return out;
}

Result<Grid> after(const transform_steps::Crop& step, const Grid& grid) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t low = step.low[static_cast<std::size_t>(axis)];
    if (low < 0 || step.shape[axis] < 1 || step.shape[axis] > grid.extent[axis] - low) {
      return not_invertible("a crop of " + step.shape.text() + " voxels from (" + decimal(step.low[0]) +
                            ", " + decimal(step.low[1]) + ", " + decimal(step.low[2]) +
                            ") leaves its image of " + grid.extent.text());
    }
  }
  return boxed(grid, step.low, step.shape);
}

Result<Grid> after(const transform_steps::Pad& step, const Grid& grid) {
  std::array<std::int64_t, 3> low{};
  std::array<std::int64_t, 3> size{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const std::int64_t added : {step.low[axis], step.high[axis]}) {
      if (added < 0 || added > longest_axis)
        return not_invertible("padding by " + decimal(added) + " voxels");
    }
    low[axis] = -step.low[axis];
    size[axis] = grid.extent[static_cast<int>(axis)] + step.low[axis] + step.high[axis];
  }
  return boxed(grid, low, {size[0], size[1], size[2]});
}

Result<Grid> after(const transform_steps::Move& step, const Grid& grid) {
  if (!step.mm.finite() || !inverse(step.mm)) return not_invertible("\"move_mm\" is singular");
  return Grid{grid.extent, composed(step.mm, grid.affine)};
}

Json numbers_json(const Vec3& values) {
  Json out = Json::Array{};
  for (const double value : values) out.push(value);
  return out;
}

Json affine_json(const Affine& affine) {
  Json out = Json::Array{};
  for (const auto& row : affine.m) out.push(Json::array({row[0], row[1], row[2], row[3]}));
  return out;
}

Json shape_json(const Extent& extent) { return Json::array({extent.x, extent.y, extent.z}); }

Json grid_json(const Grid& grid) {
  return Json::object({{"shape", shape_json(grid.extent)}, {"affine", affine_json(grid.affine)}});
}

Json whole_json(const std::array<std::int64_t, 3>& values) {
  return Json::array({values[0], values[1], values[2]});
}

Json step_json(const transform_steps::Orient& step) { return Json::object({{"orient", step.code.text()}}); }
Json step_json(const transform_steps::Spacing& step) {
  return Json::object({{"spacing_mm", numbers_json(step.mm)},
                       {"keeps", step.keeps_first_voxel ? "first voxel" : "outer faces"}});
}
Json step_json(const transform_steps::Onto& step) { return Json::object({{"onto", grid_json(step.grid)}}); }
Json step_json(const transform_steps::Crop& step) {
  return Json::object(
      {{"crop", Json::object({{"low", whole_json(step.low)}, {"shape", shape_json(step.shape)}})}});
}
Json step_json(const transform_steps::Pad& step) {
  return Json::object(
      {{"pad", Json::object({{"low", whole_json(step.low)}, {"high", whole_json(step.high)}})}});
}
Json step_json(const transform_steps::Move& step) {
  return Json::object({{"move_mm", affine_json(step.mm)}});
}

Result<std::vector<double>> read_numbers(const Json& value, const std::string& pointer, std::size_t count) {
  FIDUCIAL_TRY(const Json::Array* list, expect_array(value, pointer));
  if (list->size() != count) {
    return at_pointer(pointer, "expected " + decimal(count) + " numbers, found " + decimal(list->size()));
  }
  std::vector<double> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<double> number = (*list)[i].as_number();
    if (!number) return at_pointer(pointer + "/" + decimal(i), "expected a number");
    out.push_back(*number);
  }
  return out;
}

Result<std::array<std::int64_t, 3>> read_voxels(const Json& object, const std::string& key,
                                                const std::string& pointer) {
  FIDUCIAL_TRY(const Json* value, required_field(object, key, pointer));
  FIDUCIAL_TRY(const std::vector<double> numbers, read_numbers(*value, pointer + "/" + key, 3));
  std::array<std::int64_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (numbers[i] != std::floor(numbers[i]) || std::abs(numbers[i]) > static_cast<double>(longest_axis)) {
      return at_pointer(pointer + "/" + key, "expected whole numbers of voxels");
    }
    out[i] = static_cast<std::int64_t>(numbers[i]);
  }
  return out;
}

Result<Extent> read_shape(const Json& object, const std::string& pointer) {
  FIDUCIAL_TRY(const auto voxels, read_voxels(object, "shape", pointer));
  return Extent{voxels[0], voxels[1], voxels[2]};
}

// Three rows of four numbers; a fourth row, as other tools write it, must be 0 0 0 1.
Result<Affine> read_affine(const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY(const Json::Array* rows, expect_array(value, pointer));
  if (rows->size() != 3 && rows->size() != 4) return at_pointer(pointer, "expected 3 rows of 4 numbers");
  Affine out;
  for (std::size_t row = 0; row < rows->size(); ++row) {
    FIDUCIAL_TRY(const std::vector<double> numbers,
                 read_numbers((*rows)[row], pointer + "/" + decimal(row), 4));
    if (row == 3 && numbers != std::vector<double>{0, 0, 0, 1}) {
      return at_pointer(pointer + "/3", "expected the row 0 0 0 1: a perspective cannot be undone");
    }
    for (std::size_t column = 0; row < 3 && column < 4; ++column) out.m[row][column] = numbers[column];
  }
  return out;
}

Result<Grid> read_grid(const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY_DONE(expect_object(value, pointer));
  FIDUCIAL_TRY(const Extent extent, read_shape(value, pointer));
  FIDUCIAL_TRY(const Json* affine, required_field(value, "affine", pointer));
  FIDUCIAL_TRY(const Affine read, read_affine(*affine, pointer + "/affine"));
  return Grid{extent, read};
}

Result<TransformStep> read_orient(const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY(const std::string text, expect_string(value, pointer));
  const Result<OrientationCode> code = OrientationCode::parse(text);
  if (!code.ok()) return at_pointer(pointer, code.error().message());
  return TransformStep(transform_steps::Orient{*code});
}

Result<TransformStep> read_spacing(const Json& step, const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY(const std::vector<double> mm, read_numbers(value, pointer + "/spacing_mm", 3));
  const std::string keeps = step.find("keeps") == nullptr ? "first voxel" : text_at(step, "keeps");
  if (keeps != "first voxel" && keeps != "outer faces") {
    return at_pointer(pointer + "/keeps", "expected \"first voxel\" or \"outer faces\"");
  }
  return TransformStep(transform_steps::Spacing{{mm[0], mm[1], mm[2]}, keeps == "first voxel"});
}

Result<TransformStep> read_crop(const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY(const auto low, read_voxels(value, "low", pointer));
  FIDUCIAL_TRY(const Extent shape, read_shape(value, pointer));
  return TransformStep(transform_steps::Crop{low, shape});
}

Result<TransformStep> read_pad(const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY(const auto low, read_voxels(value, "low", pointer));
  FIDUCIAL_TRY(const auto high, read_voxels(value, "high", pointer));
  return TransformStep(transform_steps::Pad{low, high});
}

Result<TransformStep> read_step(const Json& step, const std::string& pointer) {
  FIDUCIAL_TRY(const Json::Object* members, expect_object(step, pointer));
  if (members->empty()) return at_pointer(pointer, "a step without a name");
  const auto& [name, value] = members->front();
  const std::string place = pointer + "/" + name;
  for (std::size_t i = 1; i < members->size(); ++i) {
    if (name == "spacing_mm" && (*members)[i].first == "keeps") continue;
    return at_pointer(pointer, "\"" + (*members)[i].first + "\" beside \"" + name + "\"; one step an object");
  }
  if (name == "orient") return read_orient(value, place);
  if (name == "spacing_mm") return read_spacing(step, value, pointer);
  if (name == "crop") return read_crop(value, place);
  if (name == "pad") return read_pad(value, place);
  if (name == "onto") {
    FIDUCIAL_TRY(const Grid grid, read_grid(value, place));
    return TransformStep(transform_steps::Onto{grid});
  }
  if (name == "move_mm") {
    FIDUCIAL_TRY(const Affine mm, read_affine(value, place));
    return TransformStep(transform_steps::Move{mm});
  }
  return at_pointer(place, "a step that cannot be undone: \"" + name +
                               "\"; there are orient, spacing_mm, onto, crop, pad and move_mm");
}

Result<std::vector<TransformStep>> read_steps(const Json& document) {
  FIDUCIAL_TRY(const Json* value, required_field(document, "steps", ""));
  FIDUCIAL_TRY(const Json::Array* list, expect_array(*value, "/steps"));
  std::vector<TransformStep> out;
  out.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    FIDUCIAL_TRY(const TransformStep step, read_step((*list)[i], "/steps/" + decimal(i)));
    out.push_back(step);
  }
  return out;
}

}  // namespace

Json TransformRecord::json() const {
  Json list = Json::Array{};
  for (const TransformStep& step : steps) {
    list.push(std::visit([](const auto& each) { return step_json(each); }, step));
  }
  return Json::object(
      {{"schema", transform_schema}, {"from", grid_json(from)}, {"steps", list}, {"to", grid_json(to)}});
}

Result<TransformRecord> make_transform_record(const Grid& from, std::vector<TransformStep> steps) {
  TransformRecord out{from, std::move(steps), from, from};
  FIDUCIAL_TRY_DONE(check_transform_grid(from));
  Affine moved;
  for (std::size_t i = 0; i < out.steps.size(); ++i) {
    const std::string doing = "following step " + decimal(i);
    FIDUCIAL_TRY(
        out.to,
        std::visit([&out](const auto& each) { return after(each, out.to); }, out.steps[i]).context(doing));
    FIDUCIAL_TRY_DONE(check_transform_grid(out.to).context(doing));
    if (const auto* move = std::get_if<transform_steps::Move>(&out.steps[i]))
      moved = composed(move->mm, moved);
  }
  const std::optional<Affine> back = inverse(moved);
  if (!back) return not_invertible("what moves the image is singular");
  out.place = {out.to.extent, moved.is_identity() ? out.to.affine : composed(*back, out.to.affine)};
  FIDUCIAL_TRY_DONE(check_transform_grid(out.place));
  return out;
}

Result<TransformRecord> parse_transform_record(std::string_view json) {
  FIDUCIAL_TRY(const Json document, parse_json(json));
  FIDUCIAL_TRY(const std::string schema, required_string(document, "schema", ""));
  if (schema != transform_schema) {
    return at_pointer("/schema", "\"" + schema + "\"; expected \"" + std::string(transform_schema) + "\"");
  }
  FIDUCIAL_TRY(const Json* from, required_field(document, "from", ""));
  FIDUCIAL_TRY(const Grid first, read_grid(*from, "/from"));
  FIDUCIAL_TRY(std::vector<TransformStep> steps, read_steps(document));
  FIDUCIAL_TRY(TransformRecord out, make_transform_record(first, std::move(steps)));
  if (const Json* to = document.find("to")) {
    FIDUCIAL_TRY(const Grid said, read_grid(*to, "/to"));
    if (!same_grid(said, out.to)) {
      return at_pointer("/to", "a grid of " + said.extent.text() + " voxels; the steps end at " +
                                   out.to.extent.text() + " voxels" +
                                   (said.extent == out.to.extent ? " at another place" : ""));
    }
  }
  return out;
}

}  // namespace fiducial
