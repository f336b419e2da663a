#include "fiducial/datasets/radgenome/agreement.h"

#include "fiducial/base/inflate.h"
#include "fiducial/findings/report_labels.h"

namespace fiducial::radgenome {

namespace {

using LabelFlags = std::vector<bool>;

// Flags by volume of a split.
class LabelFile {
 public:
  static Result<LabelFile> read(const Split& split, const Path& path) {
    FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
    std::unique_ptr<ByteStream> bytes = std::move(file);
    FIDUCIAL_TRY(const bool compressed, is_gzip_file(path));
    if (compressed) bytes = std::make_unique<InflateStream>(std::move(bytes), DeflateWrapper::gzip);
    LabelFile out;
    CsvBatches batches(*bytes);
    while (true) {
      FIDUCIAL_TRY(const std::optional<CsvTable> table, batches.next().in_file(path.string()));
      if (!table) return out;
      FIDUCIAL_TRY_DONE(out.add(split, *table).in_file(path.string()));
    }
  }

  const std::map<std::uint32_t, LabelFlags>& by_volume() const { return by_volume_; }

 private:
  Outcome add(const Split& split, const CsvTable& table) {
    FIDUCIAL_TRY(const std::size_t volume, table.column("VolumeName"));
    std::vector<std::size_t> columns;
    for (const std::string& name : ct_rate_label_rules().names()) {
      FIDUCIAL_TRY(columns.emplace_back(), table.column(name));
    }
    for (std::size_t row = 0; row < table.rows(); ++row) {
      std::string name(table.cell(row, volume));
      if (!name.ends_with(".nii.gz")) name += ".nii.gz";
      const auto known = split.volumes.find(name);
      if (!known) continue;
      LabelFlags flags;
      for (const std::size_t column : columns) {
        const std::string_view cell = table.cell(row, column);
        const bool raised = cell == "1" || cell == "1.0";
        if (!raised && cell != "0" && cell != "0.0") {
          return table.cell_error(row, column, "expected 0 or 1, found \"" + std::string(cell) + "\"");
        }
        flags.push_back(raised);
      }
      if (!by_volume_.emplace(*known, std::move(flags)).second)
        return table.cell_error(row, volume, name + " has a second row");
    }
    return done();
  }

  std::map<std::uint32_t, LabelFlags> by_volume_;
};

std::vector<LabelAgreement> agreement_of(const std::map<std::uint32_t, LabelFlags>& said,
                                         const std::map<std::uint32_t, LabelFlags>& labelled) {
  std::vector<LabelAgreement> out;
  for (const std::string& name : ct_rate_label_rules().names()) out.push_back({.label = name});
  for (const auto& [volume, flags] : labelled) {
    const auto found = said.find(volume);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const bool is_said = found != said.end() && found->second[i];
      out[i].said += is_said ? 1 : 0;
      out[i].labelled += flags[i] ? 1 : 0;
      out[i].said_and_labelled += is_said && flags[i] ? 1 : 0;
    }
  }
  return out;
}

Json agreement_share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? Json() : Json(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::map<std::uint32_t, std::vector<bool>> raised_labels(const Split& split, const PooledTable& table) {
  ReportLabeller labeller;
  const std::size_t labels = labeller.rules().names().size();
  std::map<std::uint32_t, std::vector<bool>> of_text;
  std::map<std::uint32_t, std::vector<bool>> out;
  for (const PooledRow& row : table.rows) {
    const auto [flags, is_new] = of_text.try_emplace(row.answer, labels, false);
    if (is_new) {
      for (const std::string_view atom : list_atoms(split.texts.text(row.answer))) {
        const std::vector<bool>& of_atom = labeller.labels(atom);
        for (std::size_t i = 0; i < labels; ++i) flags->second[i] = flags->second[i] || of_atom[i];
      }
    }
    std::vector<bool>& all = out.try_emplace(row.volume, labels, false).first->second;
    for (std::size_t i = 0; i < labels; ++i) all[i] = all[i] || flags->second[i];
  }
  return out;
}

Json LabelAgreement::json() const {
  return Json::object({{"positive_volumes", said},
                       {"labelled_volumes", labelled},
                       {"both", said_and_labelled},
                       {"precision", agreement_share(said_and_labelled, said)},
                       {"recall", agreement_share(said_and_labelled, labelled)}});
}

Json SplitAgreement::json() const {
  Json out = Json::object({{"volumes", volumes}});
  const auto add = [&out](const char* name, const std::vector<LabelAgreement>& labels) {
    if (labels.empty()) return;
    Json list = Json::object({});
    for (const LabelAgreement& each : labels) list.set(each.label, each.json());
    out.set(name, std::move(list));
  };
  add("abnormality", abnormality);
  add("disorders", disorders);
  return out;
}

Result<SplitAgreement> agreement_with_labels(const Split& split, const Path& labels) {
  FIDUCIAL_TRY(const LabelFile file, LabelFile::read(split, labels));
  SplitAgreement out{.volumes = static_cast<std::int64_t>(file.by_volume().size())};
  if (const PooledTable* table = split.find(TableKind::abnormality))
    out.abnormality = agreement_of(raised_labels(split, *table), file.by_volume());
  if (const PooledTable* table = split.find(TableKind::disorders))
    out.disorders = agreement_of(raised_labels(split, *table), file.by_volume());
  return out;
}

}  // namespace fiducial::radgenome
