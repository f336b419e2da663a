#include "fiducial/datasets/radgenome/card.h"

#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/counted.h"
#include "fiducial/datasets/radgenome/blind.h"
#include "fiducial/datasets/radgenome/statistics.h"

namespace fiducial::radgenome {

namespace {

constexpr double chance_of_presence = 0.60;  // questions that are answered blindly more often need no image

std::string table_sizes(const std::vector<TableStatistics>& tables) {
  return joined(tables, "; ", [](const TableStatistics& table) {
    return table.split + " " + table.task + ": " + counted(table.rows, "row") + ", " +
           counted(table.volumes, "volume") + ", " + counted(table.patients, "patient");
  });
}

std::string table_files(const std::vector<TableStatistics>& tables) {
  std::string out;
  for (const TableStatistics& table : tables) {
    const bool packed = table.file.ends_with(".gz");
    append_joined(out, table.file + " (UTF-8 CSV" + (packed ? ", gzip" : "") + ")", "; ");
  }
  return out;
}

// A table in words, and what answers to it are scored by.
struct DescribedTable {
  TableKind kind;
  const char* task;
  std::vector<std::string_view> metrics;
};

const std::vector<DescribedTable>& described_tables() {
  static const std::vector<DescribedTable> tables{
      {TableKind::region_report,
       "Grounded report generation",
       {"bleu1_13a_smooth", "bleu4_13a_smooth", "rouge_1_nostem", "rouge_2_nostem", "rouge_l_nostem",
        "meteor_nltk", "cider_d", "clinical_precision", "clinical_recall", "clinical_f1"}},
      {TableKind::abnormality,
       "Question: abnormalities of a region",
       {"abnormality_exact", "abnormality_f1"}},
      {TableKind::location,
       "Question: location of a finding",
       {"location_exact", "location_head", "location_path", "location_any_of"}},
      {TableKind::presence, "Question: presence of a finding", {"presence_accuracy", "presence_f1"}},
      {TableKind::size, "Question: size of a finding", {"size_error", "size_agreement"}},
      {TableKind::disorders, "Question: disorders of a scan", {"disorders_exact", "disorders_f1"}}};
  return tables;
}

// The masks of a release that lie in its folder.
struct DescribedMasks {
  std::int64_t volumes = 0;  // folders of them
  std::int64_t files = 0;
  std::string sources;  // folders and archives, with what they are

  bool any() const { return !sources.empty(); }
  std::string size() const {
    if (volumes == 0) return "";
    return "; unpacked masks: " + counted(files, "file") + " in " + counted(volumes, "folder");
  }
};

// Nothing where there is no such folder.
std::vector<FolderEntry> listed(const Path& folder) {
  Result<std::vector<FolderEntry>> entries = entries_of(folder);
  return entries.ok() ? *std::move(entries) : std::vector<FolderEntry>();
}

void add_mask_folder(const Path& folder, DescribedMasks& out) {
  for (const FolderEntry& volume : listed(folder)) {
    if (!volume.is_folder) continue;
    ++out.volumes;
    for (const FolderEntry& file : listed(volume.path)) {
      const std::string name = file.path.filename().string();
      out.files += name.ends_with(".nii.gz") || name.ends_with(".nii") ? 1 : 0;
    }
  }
}

DescribedMasks masks_below(const Path& dataset) {
  DescribedMasks out;
  std::set<Path> found;
  for (const Path& folder : {dataset, dataset / "dataset"}) {
    for (const FolderEntry& entry : listed(folder)) found.insert(entry.path);
  }
  for (const Path& path : found) {
    const std::string name = path.filename().string();
    const bool is_masks =
        name.find("anatomy_mask") != std::string::npos || name.find("region_mask") != std::string::npos;
    if (!is_masks) continue;
    const bool is_folder = fiducial::is_folder(path);
    if (is_folder) add_mask_folder(path, out);
    out.sources += "; " + name + (is_folder ? " (NIfTI masks)" : " (archive of NIfTI masks)");
  }
  return out;
}

bool has_table(const TableFolder& folder, TableKind kind) {
  return std::any_of(folder.files().begin(), folder.files().end(),
                     [kind](const TableFile& file) { return file.kind == kind; });
}

// Tasks and metrics of the tables and masks that are there.
void fill_tasks(const TableFolder& folder, bool has_masks, const std::string& files, CardFacts& facts) {
  Json tasks = Json::Array{};
  std::vector<std::string_view> metrics;
  for (const DescribedTable& table : described_tables()) {
    if (!has_table(folder, table.kind)) continue;
    tasks.push(table.task);
    metrics.insert(metrics.end(), table.metrics.begin(), table.metrics.end());
  }
  if (has_masks) {
    tasks.push("Segmentation of organs and regions");
    metrics.insert(metrics.end(), {"dice", "nsd_surfel", "hd95_surfel_directed_max"});
  }
  facts.set("purpose_and_intended_users.tasks", std::move(tasks), files);
  facts.metrics.assign(metrics.begin(), metrics.end());
}

void fill_blind(const std::string& split, const BlindBaselines& blind, CardFacts& facts) {
  std::string values;
  for (const BlindBaselines::Value& value : blind.values) {
    if (!value.value) continue;
    append_joined(values,
                  value.task + " " + value.measure + " by " + value.known + " " + fixed(*value.value, 4));
  }
  if (values.empty()) return;
  facts.baselines.push_back("Without images on " + split + " (halves of the patients, both ways): " + values +
                            ".");
  const BlindBaselines::Value* presence = blind.find("presence", "finding", "accuracy");
  if (presence == nullptr || !presence->value || *presence->value <= chance_of_presence) return;
  const std::string text = "presence questions of " + split + " are answered rightly in " +
                           fixed(*presence->value, 4) + " from the finding alone";
  facts.limitations.push_back(text + ".");
  facts.risks["blind_answers"] = text;
}

struct TableTexts {
  LanguageGuess language;
  std::set<std::string> volumes;
};

Outcome read_region_texts(const TableFolder& folder, const std::string& split, LanguageGuess& language) {
  const TableFile* file = folder.find(split, TableKind::region_report);
  if (file == nullptr) return done();
  FIDUCIAL_TRY(TableRows rows, TableRows::open(folder.path_of(*file), layout_of(file->kind)));
  while (true) {
    FIDUCIAL_TRY(const std::optional<TableRow> row, rows.next());
    if (!row) return done();
    language.add(row->answer);
  }
}

// One split in memory at a time.
Result<std::vector<TableStatistics>> read_tables(const TableFolder& folder, TableTexts& texts,
                                                 CardFacts& facts) {
  std::vector<TableStatistics> out;
  for (const std::string& name : folder.split_names()) {
    FIDUCIAL_TRY(const Split split, read_split(folder, name, TableUse::audit));
    for (TableStatistics& table : table_statistics(split)) out.push_back(std::move(table));
    for (std::uint32_t i = 0; i < split.volumes.size(); ++i) texts.volumes.insert(split.volumes.text(i));
    FIDUCIAL_TRY_DONE(read_region_texts(folder, name, texts.language));
    fill_blind(name, blind_baselines(split, 0), facts);
  }
  return out;
}

std::int64_t rows_of(const std::vector<TableStatistics>& tables, bool reports) {
  std::int64_t out = 0;
  for (const TableStatistics& table : tables)
    out += (table.task == "region_report") == reports ? table.rows : 0;
  return out;
}

}  // namespace

Result<CardFacts> card_facts(const Path& dataset) {
  FIDUCIAL_TRY(const TableFolder folder, TableFolder::open(dataset));
  CardFacts facts;
  TableTexts texts;
  FIDUCIAL_TRY(const std::vector<TableStatistics> tables, read_tables(folder, texts, facts));
  facts.volumes.assign(texts.volumes.begin(), texts.volumes.end());
  const std::string files = "computed from " + counted(static_cast<std::int64_t>(tables.size()), "table");
  const std::string layout = "layout: radgenome (arXiv:2404.16754)";
  facts.set("benchmark_details.name", "RadGenome-Chest CT", layout);
  facts.set("benchmark_details.overview",
            "Reports of chest CTs tied to the regions they speak of, and questions about them: " +
                counted(static_cast<std::int64_t>(texts.volumes.size()), "volume") + ", " +
                counted(rows_of(tables, true), "region text") + ", " +
                counted(rows_of(tables, false), "question row") + ".",
            files);
  facts.set("benchmark_details.data_type", "3D chest CT, texts of regions, and questions", layout);
  facts.set("benchmark_details.domains", Json::array({"Healthcare", "Radiology"}), layout);
  texts.language.fill(facts, "region_report");
  facts.set("purpose_and_intended_users.goal",
            "Measure how well a model describes regions of a chest CT and answers questions about them.",
            layout);
  const DescribedMasks masks = masks_below(dataset);
  fill_tasks(folder, masks.any(), files + (masks.any() ? " and masks" : ""), facts);
  facts.set("data.source", "CT-RATE chest CT volumes and reports", layout);
  facts.set("data.size", table_sizes(tables) + masks.size(), files);
  facts.set("data.format", table_files(tables) + masks.sources, "computed from the files of the folder");
  facts.risks["health_data"] = "texts about CTs of patients";
  return facts;
}

}  // namespace fiducial::radgenome
