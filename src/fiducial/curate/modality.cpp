#include <algorithm>
#include <array>

#include "fiducial/curate/image_labels.h"

namespace fiducial {

namespace {

constexpr std::array<std::string_view, 9> level_one = {"CT",
                                                       "MRI",
                                                       "X-ray",
                                                       "Ultrasound",
                                                       "Pathology",
                                                       "Clinical photography",
                                                       "Nuclear medicine & Molecular imaging",
                                                       "Endoscopy",
                                                       "Non-modality / Workflow / Post-processing"};

bool is_known(const std::string& modality) {
  return std::find(level_one.begin(), level_one.end(), modality) != level_one.end();
}

Result<ItemStatus> label_images(Item& item, ImageTable& table) {
  const std::string title = item.id();
  std::vector<std::string> missing;
  for (const auto& [slot, id] : image_slots(item.value)) {
    const auto row = table.rows.find({title, id});
    if (row == table.rows.end()) {
      missing.push_back(id);
      continue;
    }
    const std::string& modality = row->second["modality"];
    if (!is_known(modality)) {
      return rejected("modality_unknown", id + ": \"" + modality + "\" is none of the nine of level 1");
    }
    item.value.set(slot + "_modality", modality).set(slot + "_sub_modality", row->second["sub_modality"]);
  }
  if (missing.empty()) return ItemStatus{.status = "changed"};
  return rejected("no_label",
                  "no row for image " + missing.front() + (missing.size() > 1 ? " and others" : ""));
}

Outcome run_modality(StageCall& call) {
  FIDUCIAL_TRY(ImageTable table, read_image_table(call, "LABELS", {"modality", "sub_modality"}));
  return change_items(call, "CASES", [&table](Item& item) { return label_images(item, table); });
}

}  // namespace

Stage modality_stage() {
  return {
      .name = "modality",
      .summary = "Import the modalities of images and hold them against the vocabulary",
      .example = "fiducial curate modality cases.jsonl labels.csv -o labelled.jsonl",
      .inputs = {{.name = "CASES", .help = "Cases of the released schema (JSON, JSONL)", .required = true},
                 {.name = "LABELS",
                  .help = "Table with title, image_id, modality, sub_modality (.csv, .json, .jsonl)",
                  .required = true}},
      .run = run_modality};
}

}  // namespace fiducial
