#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/system_error.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/export/hf/hub_content.h"
#include "fiducial/table/csv.h"
#include "fiducial/table/hub_view.h"

namespace fiducial {

namespace {

constexpr const char* volume_config = "volumes";

// The name of a table's file without folders and gzip.
std::string plain_table_name(const std::string& file) {
  std::string out = Path(file).filename().string();
  if (out.ends_with(".gz")) out.resize(out.size() - 3);
  return out;
}

class TableHub {
 public:
  TableHub(const ExportCall& call, const radgenome::TableFolder& tables, Path folder)
      : call_(call), tables_(tables), folder_(std::move(folder)) {}

  Result<HubContent> write() {
    FIDUCIAL_TRY(const std::vector<std::string> splits,
                 splits_to_export(call_, tables_.split_names(), content_));
    call_.progress.begin("exporting", static_cast<std::int64_t>(tables_.files().size()));
    for (const radgenome::TableLayout& layout : radgenome::table_layouts()) {
      HubConfig config{.name = std::string(layout.task), .features = {}, .splits = {}};
      for (const std::string& split : splits) {
        const radgenome::TableFile* file = tables_.find(split, layout.kind);
        if (file == nullptr) continue;
        FIDUCIAL_TRY_DONE(write_table(*file, config));
        call_.progress.advance(1);
      }
      if (!config.splits.empty()) content_.configs.push_back(std::move(config));
    }
    call_.progress.end();
    if (call_.request.volumes) FIDUCIAL_TRY_DONE(write_volumes(splits));
    return std::move(content_);
  }

 private:
  bool is_flagged(std::string_view volume) {
    const auto [known, is_new] = flagged_.try_emplace(std::string(volume));
    if (!is_new) return known->second;
    const std::string name(volume.substr(0, volume.find(".nii")));
    for (const std::string& each : {std::string(volume), name, name + ".nii.gz"})
      known->second |= !reason_to_stay(call_.terms, each).empty();
    return known->second;
  }

  Result<FeatureShards> open_shards(const radgenome::TableFile& file, const Path& folder,
                                    const std::vector<Feature>& features) const {
    const HubPart part{.form = HubPart::Form::table, .file = plain_table_name(file.file)};
    return FeatureShards::create(
        folder, {.split = file.split,
                 .features = features,
                 .metadata = {{hub_part_key, part.json().compact()}, {"terms", call_.terms.compact()}},
                 .cut = {.rows_of_a_group = 10'000}});
  }

  static Outcome refuse_other_columns(const HubConfig& config, const std::vector<std::string>& columns,
                                      const Path& path) {
    if (config.features.empty() ||
        std::equal(columns.begin(), columns.end(), config.features.begin(), config.features.end(),
                   [](const std::string& name, const Feature& feature) { return name == feature.name; }))
      return done();
    return Error(ErrorCode::invalid_data,
                 "a table of " + config.name + " with other columns than in the split before",
                 Place{.path = path.string(), .line = 1});
  }

  Outcome write_table(const radgenome::TableFile& file, HubConfig& config) {
    const Path path = tables_.path_of(file);
    FIDUCIAL_TRY(const std::unique_ptr<ByteStream> text, radgenome::open_table_text(path));
    CsvBatches batches(*text);
    FIDUCIAL_TRY(std::optional<CsvTable> batch, batches.next().in_file(path.string()));
    FIDUCIAL_TRY_DONE(refuse_other_columns(config, batch->columns(), path));
    FIDUCIAL_TRY(const std::size_t volume,
                 batch->column(std::string(radgenome::volume_column)).in_file(path.string()));
    config.features.clear();
    for (const std::string& name : batch->columns()) config.features.push_back({.name = name});
    const Path folder = folder_ / "data" / config.name;
    FIDUCIAL_TRY_DONE(make_folders(folder));
    FIDUCIAL_TRY(FeatureShards shards, open_shards(file, folder, config.features));
    HubSplit out{.name = file.split};
    std::uint64_t bytes = csv_row(batch->columns()).size();
    std::int64_t flagged = 0;
    while (batch) {
      for (std::size_t row = 0; row < batch->rows(); ++row) {
        if (is_flagged(batch->cell(row, volume))) {
          ++flagged;
          continue;
        }
        FIDUCIAL_TRY_DONE(add_row(*batch, row, shards, bytes));
        volumes_[file.split].insert(std::string(batch->cell(row, volume)));
        ++out.rows;
      }
      FIDUCIAL_TRY(batch, batches.next().in_file(path.string()));
    }
    if (flagged > 0)
      content_.left_out.push_back(decimal(flagged) + " rows of " + file.file +
                                  " are about volumes that the terms of the data flag");
    const Json sizes = Json::object({{plain_table_name(file.file), bytes}});
    FIDUCIAL_TRY(const std::vector<std::string> files, shards.finish({{hub_sizes_key, sizes.compact()}}));
    for (const std::string& name : files) out.files.push_back("data/" + config.name + "/" + name);
    add_split(std::move(out), config, content_);
    return done();
  }

  static Outcome add_row(const CsvTable& table, std::size_t row, FeatureShards& shards,
                         std::uint64_t& bytes) {
    FeatureRow values;
    std::vector<std::string> cells;
    for (std::size_t column = 0; column < table.columns().size(); ++column) {
      cells.emplace_back(table.cell(row, column));
      values.values.set(table.columns()[column], cells.back());
    }
    bytes += csv_row(cells).size();
    return shards.add(values);
  }

  // The CT of every volume that a table speaks of.
  Outcome write_volumes(const std::vector<std::string>& splits) {
    HubConfig config{.name = volume_config,
                     .features = {{.name = "Volumename"},
                                  Feature::file("ct", "Nifti"),
                                  {.name = "ct_bytes", .kind = Feature::Kind::integer}},
                     .splits = {}};
    const HubPart part{.left_out = {"ct_bytes"}, .folders = {{"ct", "volumes"}}};
    const Path folder = folder_ / "data" / volume_config;
    FIDUCIAL_TRY_DONE(make_folders(folder));
    for (const std::string& split : splits) {
      FIDUCIAL_TRY(FeatureShards shards,
                   FeatureShards::create(folder, {.split = split,
                                                  .features = config.features,
                                                  .metadata = {{hub_part_key, part.json().compact()},
                                                               {"terms", call_.terms.compact()}}}));
      HubSplit out{.name = split};
      for (const std::string& volume : volumes_[split]) {
        FIDUCIAL_TRY(const FeatureRow row, volume_row(volume));
        FIDUCIAL_TRY_DONE(shards.add(row));
        ++out.rows;
      }
      FIDUCIAL_TRY(const std::vector<std::string> files, shards.finish());
      for (const std::string& name : files) out.files.push_back("data/volumes/" + name);
      add_split(std::move(out), config, content_);
    }
    if (!config.splits.empty()) content_.configs.push_back(std::move(config));
    return done();
  }

  Result<FeatureRow> volume_row(const std::string& volume) {
    const std::string name = volume.ends_with(".nii.gz") ? volume : volume + ".nii.gz";
    const auto path = rexgroundingct::find_volume(*call_.request.volumes, name);
    if (!path)
      return path_missing("no CT of " + volume + " below this folder", call_.request.volumes->string());
    FIDUCIAL_TRY(RowFile file, row_file(*path, name));
    FeatureRow out;
    out.values.set("Volumename", volume).set("ct_bytes", static_cast<std::int64_t>(file.bytes.size()));
    out.files.emplace("ct", std::move(file));
    ++content_.volumes;
    return out;
  }

  const ExportCall& call_;
  const radgenome::TableFolder& tables_;
  Path folder_;
  std::map<std::string, std::set<std::string>> volumes_;  // by split
  std::map<std::string, bool> flagged_;                   // by volume
  HubContent content_;
};

}  // namespace

Result<HubContent> write_table_hub(const ExportCall& call, const radgenome::TableFolder& tables,
                                   const Path& folder) {
  return TableHub(call, tables, folder).write();
}

}  // namespace fiducial
