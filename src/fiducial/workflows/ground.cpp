#include <algorithm>
#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/chat/reply_schema.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/workflows/grounding.h"

namespace fiducial {

Workflow ground_workflow();

namespace {

// The findings of a split's scans in their own words: the reference masks are not opened.
Result<ScanSplit> read_findings(const DatasetAdapter& adapter, const Path& dataset,
                                const std::optional<std::string>& split) {
  if (adapter.open_grounded == nullptr)
    return bad_usage(dataset.string() + ": " + adapter.id + " has no findings of scans");
  FIDUCIAL_TRY(const std::unique_ptr<GroundedDataset> opened, adapter.open_grounded(dataset));
  ScanSplit out{.file = opened->file_name(), .sha256 = opened->digest().hex()};
  FIDUCIAL_TRY(out.name, choose_split(*opened, split));
  for (const GroundedCase& entry : *opened->find_split(out.name)) {
    std::int64_t channels = 0;
    for (const Finding& finding : entry.findings) channels = std::max(channels, finding.index + 1);
    for (const Finding& finding : entry.findings) {
      ScanItem item{
          .title = entry.name + " finding " + decimal(finding.index), .scan = entry.name, .region = {}};
      item.questions.push_back(
          {.kind = "finding", .finding = finding.text, .number = finding.index, .of = channels});
      out.items.push_back(std::move(item));
    }
  }
  if (out.items.empty())
    return bad_usage(dataset.string() + ": the split \"" + out.name + "\" lists no findings");
  return out;
}

class GroundDialogue final : public Dialogue {
 public:
  explicit GroundDialogue(const DialogueStart& start)
      : Dialogue(*start.asked), question_(start.shown.questions.front()) {
    const PromptValues values{{"finding", question_.finding},
                              {"image_labels", image_labels(start.shown.images)},
                              {"image_count", decimal(start.shown.images.size())}};
    ChatRequest request = request_in_words(asked(), "ground_finding", values, start.shown.images,
                                           exact_object_schema(place_schemas()));
    request.sample = start.sample;
    begin("answer", std::move(request));
  }

  CaseAnswer answer() const override {
    CaseAnswer out = answer_so_far();
    out.fields.set("finding", question_.number);
    if (exchange(0).has_failed()) return out;
    if (exchange(0).value().is_null()) {
      out.failures.emplace_back("answer", "the reply has no form: it says no place");
      return out;
    }
    out.fields.set("prediction", exchange(0).value().compact());
    for (const char* key : {"regions", "boxes"}) out.fields.set(key, *exchange(0).value().find(key));
    return out;
  }

 private:
  ShownQuestion question_;
};

// A file a scan with a channel a finding; one without an answer is empty.
Result<Json> write_masks(const PreparedRun& run, const std::vector<AnsweredItem>& answers) {
  std::map<std::string, std::vector<const AnsweredItem*>> by_scan;
  for (const AnsweredItem& item : answers) by_scan[item.scan].push_back(&item);
  GroundedScans scans(run);
  Json files = Json::Object{};
  LeftOut left_out;
  for (const auto& [scan, items] : by_scan) {
    FIDUCIAL_TRY(const Grid grid, scans.grid_of(scan));
    std::vector<std::string> names;
    for (const AnsweredItem* item : items) {
      for (std::string& name : named_regions(item->fields)) names.push_back(std::move(name));
    }
    FIDUCIAL_TRY(const CaseMasks organs, scans.organs_of(scan, grid, names));
    std::vector<Mask> channels(static_cast<std::size_t>(items.front()->shown->questions.front().of),
                               Mask(grid));
    for (const AnsweredItem* item : items) {
      Grounding grounding(*item->shown, grid, organs);
      channels.at(static_cast<std::size_t>(item->shown->questions.front().number)) =
          grounding.mask_of(item->fields);
      left_out.add(scan, item->shown->questions.front().number, grounding.left_out());
    }
    FIDUCIAL_TRY(auto written, scans.write(scan, channels));
    files.set(written.first, std::move(written.second));
  }
  FIDUCIAL_TRY_DONE(left_out.write(run, files));
  return files;
}

}  // namespace

Workflow ground_workflow() {
  return {.name = "ground",
          .summary = "Where each finding of a scan is, as boxes and regions that become masks",
          .prompts = {"ground_finding", "ask_again"},
          .answers = false,
          .scans = ScanQuestions{.view = "axial-two-windows",
                                 .single_slices = true,
                                 .read = read_findings,
                                 .write = write_masks},
          .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
            return std::make_unique<GroundDialogue>(start);
          }};
}

}  // namespace fiducial
