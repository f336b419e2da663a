#include "fiducial/curate/reports/published_layouts.h"

#include <algorithm>
#include <functional>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/engine/output_files.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/findings/finding_phrases.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/table/csv.h"

namespace fiducial {

namespace {

using StudySet = std::set<std::string, std::less<>>;

// The rows of a table that a stage wrote, in order.
Outcome for_each_stage_row(const Path& path, const std::vector<std::string>& columns,
                           const std::function<Outcome(const std::vector<std::string_view>&)>& use) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  CsvBatches batches(*file);
  std::vector<std::size_t> wanted;
  while (true) {
    FIDUCIAL_TRY(const std::optional<CsvTable> table, batches.next().in_file(path.string()));
    if (!table) return done();
    if (wanted.empty()) {
      for (const std::string& name : columns) {
        FIDUCIAL_TRY(const std::size_t column, table->column(name).in_file(path.string()));
        wanted.push_back(column);
      }
    }
    std::vector<std::string_view> cells(wanted.size());
    for (std::size_t row = 0; row < table->rows(); ++row) {
      for (std::size_t i = 0; i < wanted.size(); ++i) cells[i] = table->cell(row, wanted[i]);
      FIDUCIAL_TRY_DONE(use(cells));
    }
  }
}

Result<StudySet> selected_studies(const Path& stages) {
  StudySet out;
  FIDUCIAL_TRY_DONE(for_each_stage_row(stages / "select.csv", {"VolumeName", "Selected"},
                                       [&out](const std::vector<std::string_view>& cells) {
                                         if (cells[1] == "1") out.emplace(cells[0]);
                                         return done();
                                       }));
  return out;
}

// ReXGroundingCT's names of the splits.
std::string grounding_split(const std::string& split) { return split == "validation" ? "val" : "train"; }

// Cases of a dataset file, as their findings come in.
class GroundingWriter {
 public:
  GroundingWriter(const CuratedReports& reports, StudySet selected)
      : reports_(reports), selected_(std::move(selected)) {}

  Outcome add(const std::vector<std::string_view>& cells) {
    if (!selected_.contains(cells[0]) || !focal_category(cells[2])) return done();
    if (cells[0] != id_) {
      FIDUCIAL_TRY_DONE(close());
      id_ = cells[0];
    }
    // Numbers in a row, so no member is looked for: a report of ten megabytes has half a million findings.
    const std::string index = decimal(findings_.size());
    findings_.emplace_back(index, std::string(cells[1]));
    categories_.emplace_back(index, std::string(cells[2]));
    return done();
  }

  Outcome close() {
    const auto names = reports_.studies.find(id_);
    if (names != reports_.studies.end() && !findings_.empty() &&
        written_.insert(names->second.grounding).second) {
      Json entry = Json::object(
          {{"name", names->second.grounding}, {"findings", findings_}, {"categories", categories_}});
      counts_.rows += static_cast<std::int64_t>(findings_.size());
      ++counts_.cases;
      FIDUCIAL_TRY_DONE(add_shape(names->second.grounding, entry));
      (grounding_split(names->second.split) == "val" ? val_ : train_).push(std::move(entry));
    }
    findings_.clear();
    categories_.clear();
    return done();
  }

  Json document() const {
    Json out = Json::Object{};
    if (!train_.as_array()->empty() || val_.as_array()->empty()) out.set("train", train_);
    if (!val_.as_array()->empty()) out.set("val", val_);
    return out;
  }
  const PublishedCounts& counts() const { return counts_; }

 private:
  Outcome add_shape(const std::string& volume, Json& entry) {
    const std::optional<Path> path =
        reports_.volumes ? rexgroundingct::find_volume(*reports_.volumes, volume) : std::nullopt;
    std::error_code ignored;
    if (!path || !std::filesystem::is_regular_file(*path, ignored)) {
      ++counts_.without_volume;
      return done();
    }
    FIDUCIAL_TRY(const NiftiStream file, NiftiStream::open(*path));
    const Extent extent = file.header().extent();
    entry.set("shape", Json::array({extent.x, extent.y, extent.z}));
    return done();
  }

  const CuratedReports& reports_;
  StudySet selected_;
  std::set<std::string> written_;
  std::string id_;
  Json::Object findings_;
  Json::Object categories_;
  Json train_ = Json::Array{};
  Json val_ = Json::Array{};
  PublishedCounts counts_;
};

// A table of RadGenome-Chest CT: which stage writes it, and its published columns.
struct RegionTable {
  const char* stage;
  const char* name;
  std::vector<std::string> columns;
};

std::vector<RegionTable> region_tables() {
  return {{"reports", "region_report", {"Volumename", "Anatomy", "Sentence"}},
          {"vqa", "vqa_abnormality", {"Volumename", "Anatomy", "Abnormality"}},
          {"vqa", "vqa_location", {"Volumename", "Anatomy", "Abnormality"}},
          {"vqa", "vqa_presence", {"Volumename", "Anatomy", "Finding", "Presence"}},
          {"vqa", "vqa_size", {"Volumename", "Anatomy", "Abnormality", "Size"}},
          {"vqa", "case_disorders", {"Volumename", "Disorders"}}};
}

// The files of one table, one a split, made when their first row comes.
class SplitFiles {
 public:
  SplitFiles(const Path& folder, const RegionTable& table) : folder_(folder), table_(table) {}

  Outcome write(const std::string& split, const std::vector<std::string>& cells) {
    std::unique_ptr<OutputFile>& file = files_[split];
    if (file == nullptr) {
      const std::string name = (split.empty() ? "" : split + "_") + table_.name + ".csv";
      FIDUCIAL_TRY(file, OutputFile::create(folder_ / name, name));
      FIDUCIAL_TRY_DONE(file->write(csv_row(table_.columns)));
    }
    return file->write(csv_row(cells));
  }

  Outcome publish() {
    for (const auto& [split, file] : files_) FIDUCIAL_TRY_DONE(file->publish());
    return done();
  }

 private:
  const Path& folder_;
  const RegionTable& table_;
  std::map<std::string, std::unique_ptr<OutputFile>> files_;
};

Result<std::int64_t> write_region_table(const CuratedReports& reports, const RegionTable& table,
                                        const Path& folder) {
  SplitFiles files(folder, table);
  std::int64_t rows = 0;
  const Path source = reports.stages / table.stage / (std::string(table.name) + ".csv");
  const auto use = [&](const std::vector<std::string_view>& cells) -> Outcome {
    const auto names = reports.studies.find(std::string(cells[0]));
    if (names == reports.studies.end()) return done();
    std::vector<std::string> out(cells.begin(), cells.end());
    out[0] = names->second.region;
    ++rows;
    return files.write(names->second.split, out);
  };
  FIDUCIAL_TRY_DONE(for_each_stage_row(source, table.columns, use));
  FIDUCIAL_TRY_DONE(files.publish());
  return rows;
}

Result<PublishedCounts> write_image_paths(const CuratedReports& reports, const Path& folder) {
  const RegionTable table{"", "image_path", {"Volumename", "nii_path"}};
  SplitFiles files(folder, table);
  PublishedCounts counts{.cases = static_cast<std::int64_t>(reports.studies.size())};
  for (const auto& [id, names] : reports.studies) {
    const std::optional<Path> path =
        reports.volumes ? rexgroundingct::find_volume(*reports.volumes, names.region) : std::nullopt;
    if (!path) {
      ++counts.without_volume;
      continue;
    }
    const std::string shown = std::filesystem::relative(*path, *reports.volumes).generic_string();
    FIDUCIAL_TRY_DONE(files.write(names.split, {names.region, shown}));
  }
  FIDUCIAL_TRY_DONE(files.publish());
  return counts;
}

}  // namespace

Result<PublishedCounts> write_grounding_layout(const CuratedReports& reports, const Path& folder) {
  FIDUCIAL_TRY(StudySet selected, selected_studies(reports.stages));
  GroundingWriter writer(reports, std::move(selected));
  FIDUCIAL_TRY_DONE(for_each_stage_row(
      reports.stages / "categories/categories.csv", {"VolumeName", "Finding", "Category"},
      [&writer](const std::vector<std::string_view>& cells) { return writer.add(cells); }));
  FIDUCIAL_TRY_DONE(writer.close());
  FIDUCIAL_TRY_DONE(write_file(folder / "dataset.json", writer.document().pretty()));
  return writer.counts();
}

Result<PublishedCounts> write_region_layout(const CuratedReports& reports, const Path& folder) {
  FIDUCIAL_TRY(PublishedCounts counts, write_image_paths(reports, folder));
  for (const RegionTable& table : region_tables()) {
    FIDUCIAL_TRY(const std::int64_t rows, write_region_table(reports, table, folder));
    counts.rows += rows;
  }
  return counts;
}

}  // namespace fiducial
