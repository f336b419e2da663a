#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/export/drawn_masks.h"

namespace fiducial {

namespace {

std::string place_of(const std::string& list, std::size_t index) {
  return "/" + list + "/" + decimal(static_cast<std::uint64_t>(index));
}

struct CocoImage {
  std::string name;
  std::int64_t width = 0;
  std::int64_t height = 0;
};

Result<std::map<std::int64_t, CocoImage>> coco_images(const Json& document) {
  FIDUCIAL_TRY(const Json* listed, required_field(document, "images", ""));
  FIDUCIAL_TRY(const Json::Array* images, expect_array(*listed, "/images"));
  std::map<std::int64_t, CocoImage> out;
  for (std::size_t i = 0; i < images->size(); ++i) {
    const std::string pointer = place_of("images", i);
    CocoImage image;
    FIDUCIAL_TRY(const std::int64_t id, required_integer((*images)[i], "id", pointer));
    FIDUCIAL_TRY(image.name, required_string((*images)[i], "file_name", pointer));
    FIDUCIAL_TRY(image.width, required_integer((*images)[i], "width", pointer));
    FIDUCIAL_TRY(image.height, required_integer((*images)[i], "height", pointer));
    if (!out.emplace(id, std::move(image)).second)
      return at_pointer(pointer + "/id", "two images have the id " + decimal(id));
  }
  return out;
}

std::map<std::int64_t, std::string> coco_categories(const Json& document) {
  std::map<std::int64_t, std::string> out;
  const Json::Array* listed = find_array(document, "categories");
  for (std::size_t i = 0; listed != nullptr && i < listed->size(); ++i)
    out[integer_at((*listed)[i], "id")] = text_at((*listed)[i], "name");
  return out;
}

Result<DrawnShape> coco_shape(const Json& annotation, const std::string& pointer,
                              const std::map<std::int64_t, CocoImage>& images) {
  FIDUCIAL_TRY(const std::int64_t image, required_integer(annotation, "image_id", pointer));
  const auto found = images.find(image);
  if (found == images.end())
    return at_pointer(pointer + "/image_id", "no image has the id " + decimal(image));
  DrawnShape out{.picture = found->second.name,
                 .finding = {},
                 .category = {},
                 .width = found->second.width,
                 .height = found->second.height,
                 .pointer = pointer + "/segmentation"};
  FIDUCIAL_TRY(out.code, required_field(annotation, "segmentation", pointer));
  if (const Json* attributes = annotation.find("attributes")) {
    if (attributes->find("finding") != nullptr) out.finding = integer_at(*attributes, "finding");
    if (attributes->find("entity") != nullptr)
      out.entity = static_cast<std::int32_t>(integer_at(*attributes, "entity"));
  }
  return out;
}

Result<DrawnShapes> read_coco(const Json& document) {
  FIDUCIAL_TRY(const auto images, coco_images(document));
  FIDUCIAL_TRY(const Json* listed, required_field(document, "annotations", ""));
  FIDUCIAL_TRY(const Json::Array* annotations, expect_array(*listed, "/annotations"));
  const std::map<std::int64_t, std::string> categories = coco_categories(document);
  DrawnShapes out;
  for (const auto& [id, image] : images) out.pictures.push_back(image.name);
  for (std::size_t i = 0; i < annotations->size(); ++i) {
    const std::string pointer = place_of("annotations", i);
    FIDUCIAL_TRY(DrawnShape shape, coco_shape((*annotations)[i], pointer, images));
    const auto category = categories.find(integer_at((*annotations)[i], "category_id"));
    if (category != categories.end()) shape.category = category->second;
    out.shapes.push_back(std::move(shape));
  }
  return out;
}

Result<PixelMask> coco_pixels(const DrawnShape& shape) {
  if (shape.code->as_array() != nullptr)
    return at_pointer(shape.pointer, "polygons say nothing exact about pixels; export run lengths (RLE)");
  const Json::Array* size = find_array(*shape.code, "size");
  if (size == nullptr || size->size() != 2 || (*size)[0].compact() != decimal(shape.height) ||
      (*size)[1].compact() != decimal(shape.width))
    return at_pointer(shape.pointer + "/size", "expected [height, width] of its image");
  FIDUCIAL_TRY(const Json* counts, required_field(*shape.code, "counts", shape.pointer));
  std::vector<std::int64_t> runs;
  if (const std::string* text = counts->as_string()) {
    FIDUCIAL_TRY(runs, parse_coco_text(*text));
  } else {
    FIDUCIAL_TRY(const Json::Array* listed, expect_array(*counts, shape.pointer + "/counts"));
    for (const Json& each : *listed) {
      FIDUCIAL_TRY(const std::int64_t run, expect_integer(each, shape.pointer + "/counts"));
      runs.push_back(run);
    }
  }
  return from_coco_runs(runs, shape.width, shape.height);
}

// "entity 3" as the interface has it; any other label is the one entity.
std::int32_t entity_in(const std::string& label) {
  constexpr std::string_view start = "entity ";
  if (!label.starts_with(start)) return 1;
  const auto number = parse_unsigned(std::string_view(label).substr(start.size()));
  constexpr std::uint64_t most = 255;
  return number && *number >= 1 && *number <= most ? static_cast<std::int32_t>(*number) : 1;
}

Result<std::optional<DrawnShape>> stroke_of(const Json& region, const std::string& pointer) {
  if (text_at(region, "type") != "brushlabels") return std::optional<DrawnShape>();
  FIDUCIAL_TRY(const Json* value, required_field(region, "value", pointer));
  DrawnShape out{.picture = {}, .finding = {}, .category = {}, .pointer = pointer + "/value/rle"};
  FIDUCIAL_TRY(out.code, required_field(*value, "rle", pointer + "/value"));
  FIDUCIAL_TRY(out.width, required_integer(region, "original_width", pointer));
  FIDUCIAL_TRY(out.height, required_integer(region, "original_height", pointer));
  const std::vector<std::string> labels = strings_at(*value, "brushlabels");
  if (!labels.empty()) out.entity = entity_in(labels.front());
  return std::optional(std::move(out));
}

// The newest annotation that was not cancelled; of a task that nobody worked on the predictions.
const Json* last_said(const Json& task) {
  const Json* out = nullptr;
  for (const char* list : {"predictions", "annotations"}) {
    const Json::Array* said = find_array(task, list);
    for (std::size_t i = 0; said != nullptr && i < said->size(); ++i) {
      if (!flag_at((*said)[i], "was_cancelled").value_or(false)) out = &(*said)[i];
    }
  }
  return out;
}

Outcome add_task(const Json& task, const std::string& pointer, DrawnShapes& out) {
  FIDUCIAL_TRY(const Json* data, required_field(task, "data", pointer));
  FIDUCIAL_TRY(const std::string picture, required_string(*data, "image", pointer + "/data"));
  FIDUCIAL_TRY(const std::int64_t finding, required_integer(*data, "finding", pointer + "/data"));
  out.pictures.push_back(picture);
  const Json* said = last_said(task);
  const Json::Array* regions = said == nullptr ? nullptr : find_array(*said, "result");
  for (std::size_t i = 0; regions != nullptr && i < regions->size(); ++i) {
    FIDUCIAL_TRY(std::optional<DrawnShape> stroke,
                 stroke_of((*regions)[i], pointer + "/result/" + decimal(static_cast<std::uint64_t>(i))));
    if (!stroke) continue;
    stroke->picture = picture;
    stroke->finding = finding;
    out.shapes.push_back(*std::move(stroke));
  }
  return done();
}

Result<DrawnShapes> read_tasks(const Json& document) {
  FIDUCIAL_TRY(const Json::Array* tasks, expect_array(document, ""));
  DrawnShapes out;
  for (std::size_t i = 0; i < tasks->size(); ++i) {
    const std::string pointer = "/" + decimal(static_cast<std::uint64_t>(i));
    if ((*tasks)[i].find("data") == nullptr)
      return at_pointer(pointer, "this is no task of Label Studio; export JSON, not JSON-MIN");
    FIDUCIAL_TRY_DONE(add_task((*tasks)[i], pointer, out));
  }
  return out;
}

Result<PixelMask> stroke_pixels(const DrawnShape& shape) {
  FIDUCIAL_TRY(const Json::Array* listed, expect_array(*shape.code, shape.pointer));
  Bytes code;
  code.reserve(listed->size());
  for (const Json& each : *listed) {
    FIDUCIAL_TRY(const std::int64_t value, expect_integer(each, shape.pointer));
    if (value < 0 || value > 255) return at_pointer(shape.pointer, "expected bytes, found " + decimal(value));
    code.push_back(static_cast<std::byte>(value));
  }
  return parse_brush_code(code, shape.width, shape.height);
}

}  // namespace

const std::vector<AnnotationFormat>& annotation_formats() {
  static const std::vector<AnnotationFormat> formats = {
      {.id = "coco",
       .title = "COCO file of run lengths on exported slices",
       .read = read_coco,
       .pixels = coco_pixels},
      {.id = "label-studio",
       .title = "JSON export of Label Studio with brush strokes on exported slices",
       .read = read_tasks,
       .pixels = stroke_pixels},
  };
  return formats;
}

const AnnotationFormat* find_annotation_format(const std::string& id) {
  for (const AnnotationFormat& format : annotation_formats()) {
    if (format.id == id) return &format;
  }
  return nullptr;
}

}  // namespace fiducial
