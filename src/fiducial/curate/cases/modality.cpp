#include "fiducial/cases/modality.h"

#include "fiducial/curate/cases/image_labels.h"

namespace fiducial {

namespace {

Result<ItemStatus> label_images(Item& item, ImageTable& table) {
  const std::string title = item.id();
  std::vector<std::string> missing;
  std::int64_t number = 0;
  for (const auto& [slot, id] : image_slots(item.value)) {
    ++number;
    auto row = table.rows.find({title, id});
    if (row == table.rows.end()) row = table.rows.find({title, numbered_image(number)});
    if (row == table.rows.end()) {
      missing.push_back(id);
      continue;
    }
    const std::string& modality = row->second["modality"];
    if (!is_known_modality(modality)) {
      std::string told = id;
      told.append(": \"").append(modality).append("\" is none of the nine of level 1");
      return rejected("modality_unknown", told);
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
      .summary = "Import the modalities of images and check them against the vocabulary",
      .example = "fiducial curate modality cases.jsonl labels.csv -o labelled.jsonl",
      .inputs = {{.name = "CASES", .help = "Cases of the released schema (JSON, JSONL)", .required = true},
                 {.name = "LABELS",
                  .help = "Table with title, image_id, modality, sub_modality (.csv, .json, .jsonl), or the "
                          "predictions of run --workflow label-images",
                  .required = true}},
      .run = run_modality};
}

}  // namespace fiducial
