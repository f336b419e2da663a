#include <map>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/chat/reply_schema.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/workflows/grounding.h"
#include "fiducial/workflows/prepared_run.h"
#include "fiducial/workflows/scan_question.h"

namespace fiducial {

Workflow grounded_report_workflow();

namespace {

ScanItem report_item(const std::string& scan) {
  return {.title = scan, .scan = scan, .region = {}, .questions = {{.kind = "report"}}};
}

// The scans of a split, whatever is said of them.
Result<ScanSplit> read_scans_of(const DatasetAdapter& adapter, const Path& dataset,
                                const std::optional<std::string>& split) {
  ScanSplit out;
  if (adapter.open_grounded != nullptr) {
    FIDUCIAL_TRY(const std::unique_ptr<GroundedDataset> opened, adapter.open_grounded(dataset));
    out.file = opened->file_name();
    out.sha256 = opened->digest().hex();
    FIDUCIAL_TRY(out.name, choose_split(*opened, split));
    for (const GroundedCase& entry : *opened->find_split(out.name))
      out.items.push_back(report_item(entry.name));
    return out;
  }
  FIDUCIAL_TRY(out, read_table_questions(adapter, dataset, split, {"region_report"}));
  std::set<std::string> seen;
  std::vector<ScanItem> items;
  for (const ScanItem& item : out.items) {
    if (seen.insert(item.scan).second) items.push_back(report_item(item.scan));
  }
  out.items = std::move(items);
  return out;
}

class GroundedReportDialogue final : public Dialogue {
 public:
  explicit GroundedReportDialogue(const DialogueStart& start) : Dialogue(*start.asked) {
    const PromptValues values{{"image_labels", image_labels(start.shown.images)},
                              {"image_count", decimal(start.shown.images.size())}};
    std::vector<std::pair<std::string, Json>> members = place_schemas();
    members.insert(members.begin(), {"text", text_schema()});
    Json schema = exact_object_schema({{"sentences", list_schema(exact_object_schema(members))}});
    ChatRequest request =
        request_in_words(asked(), "grounded_report", values, start.shown.images, std::move(schema));
    request.sample = start.sample;
    begin("report", std::move(request));
  }

  CaseAnswer answer() const override {
    CaseAnswer out = answer_so_far();
    if (exchange(0).has_failed()) return out;
    if (exchange(0).value().is_null()) {
      out.failures.emplace_back("report", "the reply has no form: it says no place");
      return out;
    }
    out.fields.set("prediction", exchange(0).value().compact());
    out.fields.set("sentences", *exchange(0).value().find("sentences"));
    return out;
  }
};

// The line of a scan; sentences with boxes get a channel each.
Result<Json> grounded_line(GroundedScans& scans, const AnsweredItem& item, Json& files, LeftOut& left_out) {
  FIDUCIAL_TRY(const Grid grid, scans.grid_of(item.scan));
  std::vector<std::string> names;
  const Json::Array& sentences = *find_array(item.fields, "sentences");
  const auto has_boxes = [](const Json& sentence) {
    const Json::Array* boxes = find_array(sentence, "boxes");
    return boxes != nullptr && !boxes->empty();
  };
  for (const Json& sentence : sentences) {
    if (!has_boxes(sentence)) continue;
    for (std::string& name : named_regions(sentence)) names.push_back(std::move(name));
  }
  FIDUCIAL_TRY(const CaseMasks organs, scans.organs_of(item.scan, grid, names));
  std::vector<Mask> channels;
  Json said = Json::Array{};
  for (const Json& sentence : sentences) {
    Json line = Json::object({{"text", text_at(sentence, "text")}});
    if (has_boxes(sentence)) {
      Grounding grounding(*item.shown, grid, organs);
      const auto channel = static_cast<std::int64_t>(channels.size());
      channels.push_back(grounding.mask_of(sentence));
      left_out.add(item.scan, channel, grounding.left_out());
      line.set("channel", channel);
    }
    Json regions = Json::Array{};
    for (const std::string& region : strings_at(sentence, "regions")) {
      if (!region.empty()) regions.push(region);
    }
    said.push(line.set("regions", std::move(regions)));
  }
  if (!channels.empty()) {
    FIDUCIAL_TRY(auto written, scans.write(item.scan, channels));
    files.set(written.first, std::move(written.second));
  }
  return Json::object({{"case", item.scan}, {"sentences", std::move(said)}});
}

Result<Json> write_grounded_reports(const PreparedRun& run, const std::vector<AnsweredItem>& answers) {
  GroundedScans scans(run);
  Json files = Json::Object{};
  LeftOut left_out;
  std::string lines;
  for (const AnsweredItem& item : answers) {
    FIDUCIAL_TRY(const Json line, grounded_line(scans, item, files, left_out));
    lines += line.compact() + "\n";
  }
  constexpr const char* name = "grounded_reports.jsonl";
  FIDUCIAL_TRY_DONE(write_file(run.request().output / name, std::string_view(lines)));
  FIDUCIAL_TRY_DONE(left_out.write(run, files));
  return files.set(name, sha256(as_bytes(lines)).hex());
}

}  // namespace

Workflow grounded_report_workflow() {
  return {.name = "grounded-report",
          .summary = "A report of a scan whose sentences say where they look, as boxes and regions",
          .prompts = {"grounded_report", "ask_again"},
          .answers = false,
          .scans = ScanQuestions{.view = "axial-two-windows",
                                 .single_slices = true,
                                 .read = read_scans_of,
                                 .write = write_grounded_reports},
          .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
            return std::make_unique<GroundedReportDialogue>(start);
          }};
}

}  // namespace fiducial
