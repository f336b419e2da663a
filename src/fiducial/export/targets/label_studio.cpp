#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/export/annotated_slices.h"

namespace fiducial {

namespace {

constexpr const char* tasks_file = "tasks.json";
constexpr std::int32_t fewest_entities = 10;  // for those that annotators find besides

Json region_of(const SliceShape& shape) {
  Json code = Json::Array{};
  for (const std::uint8_t byte : brush_code(shape.pixels)) code.push(static_cast<std::int64_t>(byte));
  const std::string label = "entity " + decimal(std::int64_t{shape.entity});
  return Json::object(
      {{"id", "e" + decimal(std::int64_t{shape.entity})},
       {"type", "brushlabels"},
       {"from_name", "mask"},
       {"to_name", "image"},
       {"original_width", shape.pixels.width},
       {"original_height", shape.pixels.height},
       {"image_rotation", 0},
       {"value",
        Json::object({{"format", "rle"}, {"rle", std::move(code)}, {"brushlabels", Json::array({label})}})}});
}

// A task for every finding on every slice that shows it.
class TaskList {
 public:
  TaskList(std::string image_root, bool are_predictions)
      : image_root_(std::move(image_root)), said_by_(are_predictions ? "predictions" : "annotations") {}

  void add(const SlicedCase& one) {
    for (const auto& [slice, shapes] : one.slices) {
      for (auto first = shapes.begin(); first != shapes.end();) {
        const auto last = std::find_if(
            first, shapes.end(), [first](const SliceShape& each) { return each.finding != first->finding; });
        add_task(one, slice, {first, last});
        first = last;
      }
    }
  }

  const Json& json() const { return tasks_; }
  std::int64_t count() const { return count_; }

  // The labelling interface: the sentence above the slice, and a brush for every entity.
  std::string interface() const {
    std::string labels;
    for (std::int32_t entity = 1; entity <= std::max(most_, fewest_entities); ++entity)
      labels += "    <Label value=\"entity " + decimal(std::int64_t{entity}) + "\"/>\n";
    return "<View>\n  <Header value=\"$sentence\"/>\n  <Text name=\"place\" value=\"$place\"/>\n"
           "  <Image name=\"image\" value=\"$image\" zoom=\"true\" zoomControl=\"true\" "
           "brightnessControl=\"true\" contrastControl=\"true\"/>\n"
           "  <BrushLabels name=\"mask\" toName=\"image\">\n" +
           labels + "  </BrushLabels>\n</View>\n";
  }

 private:
  void add_task(const SlicedCase& one, std::int64_t slice, std::span<const SliceShape> shapes) {
    const Finding& finding = one.entry->findings[static_cast<std::size_t>(shapes.front().finding)];
    Json result = Json::Array{};
    for (const SliceShape& shape : shapes) {
      result.push(region_of(shape));
      most_ = std::max(most_, shape.entity);
    }
    const std::string place = one.stem() + ", finding " + decimal(finding.index) + ", slice " +
                              decimal(slice + 1) + " of " + decimal(one.axes.count[2]) + " from the head";
    Json data = Json::object({{"image", image_root_ + one.picture_name(slice)},
                              {"finding", finding.index},
                              {"sentence", finding.text},
                              {"category", finding.category},
                              {"place", place}});
    Json said = Json::object({{"result", std::move(result)}});
    if (said_by_ == "predictions") said.set("model_version", "fiducial export");
    tasks_.push(Json::object(
        {{"id", ++count_}, {"data", std::move(data)}, {said_by_, Json::array({std::move(said)})}}));
  }

  std::string image_root_;
  std::string said_by_;
  Json tasks_ = Json::Array{};
  std::int64_t count_ = 0;
  std::int32_t most_ = 1;
};

Result<ExportOutcome> export_tasks(const ExportCall& call) {
  FIDUCIAL_TRY(const ViewWindow window, window_of(call));
  FIDUCIAL_TRY(StagedFolder folder,
               StagedFolder::create(call.request.output, tasks_file, call.request.overwrite));
  const std::string root = call.text("image-root");
  const std::string name = std::filesystem::absolute(call.request.output).filename().string();
  TaskList tasks(root.empty() ? "/data/local-files/?d=" + name + "/" : root,
                 call.request.predictions.has_value());
  std::int64_t cases = 0;
  FIDUCIAL_TRY_DONE(visit_sliced_cases(call, [&](const SlicedCase& one) -> Outcome {
    ++cases;
    tasks.add(one);
    return write_slices(one, window, folder.staging());
  }));
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / tasks_file, tasks.json().compact() + "\n"));
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / "interface.xml", tasks.interface()));
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / "terms.json", call.terms.pretty()));
  FIDUCIAL_TRY_DONE(folder.publish());
  return ExportOutcome{.manifest = Json::object({{"cases", cases}, {"tasks", tasks.count()}}),
                       .told = call.request.output.string() + ": " + decimal(tasks.count()) + " tasks of " +
                               decimal(cases) + " cases"};
}

}  // namespace

ExportTarget label_studio_target() {
  return {.id = "label-studio",
          .title = "Label Studio: a task for every finding on every slice, with its brush strokes",
          .predictions = ExportTarget::Need::optional,
          .volumes = ExportTarget::Need::required,
          .carries_data = true,
          .options = {window_option(),
                      {.name = "image-root",
                       .help = "What stands before images/ in the tasks (default: local files, "
                               "/data/local-files/?d=OUT/)"}},
          .run = export_tasks};
}

}  // namespace fiducial
