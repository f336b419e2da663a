#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/export/annotated_slices.h"

namespace fiducial {

namespace {

constexpr const char* annotations_file = "annotations.json";

std::string category_of(const Finding& finding) {
  if (!finding.category_title.empty()) return finding.category_title;
  return finding.category.empty() ? std::string(uncategorized) : finding.category;
}

// The box around what is inside: left, top, width, height.
Json box_of(const PixelMask& pixels) {
  std::int64_t left = pixels.width;
  std::int64_t top = pixels.height;
  std::int64_t right = 0;
  std::int64_t bottom = 0;
  for (std::int64_t row = 0; row < pixels.height; ++row) {
    for (std::int64_t column = 0; column < pixels.width; ++column) {
      if (pixels.at(column, row) == 0) continue;
      left = std::min(left, column);
      top = std::min(top, row);
      right = std::max(right, column + 1);
      bottom = std::max(bottom, row + 1);
    }
  }
  return Json::array({left, top, right - left, bottom - top});
}

// The parts of the file while cases come in; categories get their numbers at the end, by name.
class CocoFile {
 public:
  void add(const SlicedCase& one) {
    for (const auto& [slice, shapes] : one.slices) {
      const std::int64_t image = ++images_;
      images_json_.push(Json::object({{"id", image},
                                      {"file_name", one.picture_name(slice)},
                                      {"width", one.axes.count[0]},
                                      {"height", one.axes.count[1]},
                                      {"license", 1}}));
      for (const SliceShape& shape : shapes)
        add_shape(one.entry->findings[static_cast<std::size_t>(shape.finding)], shape, image);
    }
  }

  Json json(const Json& terms) {
    Json categories = Json::Array{};
    std::map<std::string, std::int64_t> numbers;
    for (const std::string& name : names_) {
      numbers[name] = static_cast<std::int64_t>(numbers.size()) + 1;
      categories.push(Json::object({{"id", numbers[name]}, {"name", name}, {"supercategory", "finding"}}));
    }
    Json annotations = Json::Array{};
    for (auto& [name, annotation] : annotations_)
      annotations.push(annotation.set("category_id", numbers[name]));
    const Json* licence = terms.find("licence");
    return Json::object(
        {{"info",
          Json::object({{"description", "axial slices, a pixel a voxel, the patient's right on the left"},
                        {"contributor", "fiducial"}})},
         {"licenses",
          Json::array({Json::object({{"id", 1}, {"name", licence == nullptr ? Json("") : *licence}})})},
         {"images", std::move(images_json_)},
         {"annotations", std::move(annotations)},
         {"categories", std::move(categories)}});
  }

  std::int64_t images() const { return images_; }
  std::int64_t shapes() const { return static_cast<std::int64_t>(annotations_.size()); }

 private:
  void add_shape(const Finding& finding, const SliceShape& shape, std::int64_t image) {
    const std::string category = category_of(finding);
    names_.insert(category);
    Json size = Json::array({shape.pixels.height, shape.pixels.width});
    const std::string counts = coco_text(coco_runs(shape.pixels));
    Json annotation = Json::object(
        {{"id", shapes() + 1},
         {"image_id", image},
         {"category_id", 0},
         {"segmentation", Json::object({{"size", std::move(size)}, {"counts", counts}})},
         {"bbox", box_of(shape.pixels)},
         {"area", shape.pixels.count()},
         {"iscrowd", 0},
         {"attributes",
          Json::object({{"finding", shape.finding}, {"entity", shape.entity}, {"sentence", finding.text}})}});
    annotations_.emplace_back(category, std::move(annotation));
  }

  std::int64_t images_ = 0;
  Json images_json_ = Json::Array{};
  std::vector<std::pair<std::string, Json>> annotations_;
  std::set<std::string> names_;
};

Result<ExportOutcome> export_coco(const ExportCall& call) {
  FIDUCIAL_TRY(const ViewWindow window, window_of(call));
  FIDUCIAL_TRY(StagedFolder folder,
               StagedFolder::create(call.request.output, annotations_file, call.request.overwrite));
  CocoFile file;
  std::int64_t cases = 0;
  FIDUCIAL_TRY_DONE(visit_sliced_cases(call, [&](const SlicedCase& one) -> Outcome {
    ++cases;
    file.add(one);
    return write_slices(one, window, folder.staging());
  }));
  const ExportOutcome out{
      .manifest = Json::object({{"cases", cases}, {"images", file.images()}, {"annotations", file.shapes()}}),
      .told = call.request.output.string() + ": " + decimal(file.shapes()) + " shapes on " +
              decimal(file.images()) + " slices of " + decimal(cases) + " cases"};
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / annotations_file, file.json(call.terms).pretty()));
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / "terms.json", call.terms.pretty()));
  FIDUCIAL_TRY_DONE(folder.publish());
  return out;
}

}  // namespace

ExportTarget coco_target() {
  return {.id = "coco",
          .title = "COCO: findings on axial slices as run lengths, with pictures",
          .predictions = ExportTarget::Need::optional,
          .volumes = ExportTarget::Need::required,
          .carries_data = true,
          .options = {window_option()},
          .run = export_coco};
}

}  // namespace fiducial
