#include "fiducial/eval/grounded_references.h"

#include <map>
#include <set>

#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/radgenome/split.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

namespace {

Result<ReferenceReports> references_with_masks(const TableScoreRequest& request) {
  FIDUCIAL_TRY(OpenedGroundedDataset opened, open_grounded_dataset(request.dataset));
  ReferenceReports out{.benchmark = opened.adapter->id, .dataset = std::move(opened.dataset)};
  FIDUCIAL_TRY(out.split, choose_split(*out.dataset, request.split));
  FIDUCIAL_TRY(out.cases, cases_by_name(*out.dataset, out.split));
  out.dataset_file = out.dataset->file_name();
  out.files.push_back({out.dataset_file, out.dataset->digest()});
  for (const GroundedCase& entry : out.cases) {
    ReferenceReport report{.name = entry.name, .patient = entry.patient};
    for (const Finding& finding : entry.findings)
      report.sentences.push_back({finding.text, finding.index, {}});
    out.reports.push_back(std::move(report));
  }
  return out;
}

// The sentences of a volume with every path they stand at.
using RegionSentences = std::map<std::string, std::set<std::string>>;

Result<ReferenceReports> references_of_regions(const TableScoreRequest& request) {
  FIDUCIAL_TRY(const radgenome::TableFolder folder, radgenome::TableFolder::open(request.dataset));
  ReferenceReports out{.benchmark = "radgenome"};
  FIDUCIAL_TRY(out.split, folder.choose_split(request.split));
  const radgenome::TableFile* file = folder.find(out.split, radgenome::TableKind::region_report);
  if (file == nullptr) {
    return Error(ErrorCode::unavailable,
                 "grounded reports need the table region_report of split " + out.split,
                 Place{.path = request.dataset.string()});
  }
  radgenome::Split split{.name = out.split};
  FIDUCIAL_TRY(const radgenome::PooledTable table,
               radgenome::read_table(folder, *file, split, radgenome::TableUse::whole));
  out.dataset_file = table.file;
  out.files.push_back({table.file, table.digest});
  std::map<std::string, RegionSentences> by_volume;
  for (const radgenome::PooledRow& row : table.rows) {
    const std::string& text = split.texts.text(row.answer);
    const std::string& path = split.texts.text(row.place);
    RegionSentences& sentences = by_volume[split.volumes.text(row.volume)];
    for (const Sentence& sentence : split_sentences(text, SentenceRule::published)) {
      const std::string_view words = sentence.content.of(text);
      if (words.empty()) continue;
      std::set<std::string>& paths = sentences[std::string(words)];
      if (!path.empty()) paths.insert(path);
    }
  }
  for (const auto& [volume, sentences] : by_volume) {
    ReferenceReport report{.name = volume, .patient = patient_of(volume)};
    for (const auto& [text, paths] : sentences) {
      report.sentences.push_back({text, std::nullopt, deepest({paths.begin(), paths.end()})});
    }
    out.reports.push_back(std::move(report));
  }
  return out;
}

}  // namespace

Result<ReferenceReports> read_references(const TableScoreRequest& request) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request.dataset));
  if (adapter->open_tables != nullptr) return references_of_regions(request);
  if (adapter->open_grounded != nullptr) return references_with_masks(request);
  return bad_usage(request.dataset.string() + ": " + adapter->id +
                   " has no findings that reports are held against");
}

}  // namespace fiducial
