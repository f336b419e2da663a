#include "fiducial/tasks/grounded_reports/grounded_references.h"

#include <map>
#include <set>

#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/radgenome/split.h"
#include "fiducial/tasks/finding_masks/finding_masks.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

namespace {

Result<ReferenceReports> references_with_masks(const TaskCall& call) {
  FIDUCIAL_TRY(OpenedGroundedDataset opened, open_grounded_dataset(call.dataset()));
  ReferenceReports out{.benchmark = opened.adapter->id, .dataset = std::move(opened.dataset)};
  FIDUCIAL_TRY(out.split, choose_split(*out.dataset, call.optional_text("split")));
  FIDUCIAL_TRY(const std::vector<GroundedCase> cases, cases_by_name(*out.dataset, out.split));
  out.dataset_file = out.dataset->file_name();
  out.files.push_back({out.dataset_file, out.dataset->digest()});
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const GroundedCase& entry = cases[i];
    out.known.insert(entry.name);
    if (!call.lists(entry.name)) continue;
    ReferenceReport report{
        .name = entry.name, .patient = entry.patient, .position = static_cast<std::int64_t>(i)};
    for (const Finding& finding : entry.findings) {
      report.sentences.push_back({finding.text, finding.index, {}});
      append_joined(report.text, finding.text, " ");
    }
    out.corpus.push_back(report.text);
    if (!call.in_shard(entry.name)) continue;
    out.cases.push_back(entry);
    out.reports.push_back(std::move(report));
  }
  return out;
}

// The sentences of a volume with every path they stand at, and as they follow each other.
struct RegionSentences {
  std::map<std::string, std::set<std::string>> paths;
  std::string text;
};

Result<ReferenceReports> references_of_regions(const TaskCall& call) {
  FIDUCIAL_TRY(const radgenome::TableFolder folder, radgenome::TableFolder::open(call.dataset()));
  ReferenceReports out{.benchmark = "radgenome"};
  FIDUCIAL_TRY(out.split, folder.choose_split(call.optional_text("split")));
  const radgenome::TableFile* file = folder.find(out.split, radgenome::TableKind::region_report);
  if (file == nullptr) {
    return Error(ErrorCode::unavailable,
                 "grounded reports need the table region_report of split " + out.split,
                 Place{.path = call.dataset().string()});
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
      const auto [place, is_new] = sentences.paths.try_emplace(std::string(words));
      if (is_new) append_joined(sentences.text, words, " ");
      if (!path.empty()) place->second.insert(path);
    }
  }
  for (const auto& [volume, sentences] : by_volume) {
    const auto position = static_cast<std::int64_t>(out.known.size());
    out.known.insert(volume);
    if (!call.lists(volume)) continue;
    out.corpus.push_back(sentences.text);
    if (!call.in_shard(volume)) continue;
    ReferenceReport report{
        .name = volume, .patient = patient_of(volume), .position = position, .text = sentences.text};
    for (const auto& [text, paths] : sentences.paths) {
      report.sentences.push_back({text, std::nullopt, deepest({paths.begin(), paths.end()})});
    }
    out.reports.push_back(std::move(report));
  }
  return out;
}

}  // namespace

Result<ReferenceReports> read_references(const TaskCall& call) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(call.dataset()));
  if (adapter->open_tables != nullptr) return references_of_regions(call);
  if (adapter->open_grounded != nullptr) return references_with_masks(call);
  return bad_usage(call.dataset().string() + ": " + adapter->id +
                   " has no findings that reports are held against");
}

}  // namespace fiducial
