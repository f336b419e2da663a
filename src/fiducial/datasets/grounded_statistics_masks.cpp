#include <filesystem>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/finding_measures.h"
#include "fiducial/datasets/grounded_statistics.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/spatial/components.h"

namespace fiducial {

namespace {

struct FindingCounts {
  std::int64_t entities = 0;
  std::int64_t voxels = 0;
  std::int64_t components = 0;
  FindingMeasures measures;
};

// The counts of one case; nothing where its mask is absent.
struct CaseCounts {
  bool present = false;
  bool has_volume = false;
  std::vector<FindingCounts> findings;
};

Result<CaseCounts> count_mask(const GroundedDataset& dataset, const GroundedCase& entry,
                              const std::optional<Path>& volumes) {
  const Path path = dataset.folder() / dataset.mask_name(entry);
  if (!is_there(path)) return CaseCounts{};
  FIDUCIAL_TRY(StoredFile stored, dataset.open_mask(entry));
  FIDUCIAL_TRY(const MaskFile mask,
               read_mask_file(std::move(stored), std::nullopt).mask.in_file(path.string()));
  if (entry.lists_findings && mask.channels.size() != entry.findings.size()) {
    return Error(
        ErrorCode::invalid_data,
        "mask has " + decimal(mask.channels.size()) + " channels, expected " + decimal(entry.findings.size()),
        Place{.path = path.string()});
  }
  const std::optional<Path> volume = volumes ? dataset.find_volume(*volumes, entry) : std::nullopt;
  CaseCounts out{.present = true, .has_volume = volume.has_value()};
  FIDUCIAL_TRY(const std::vector<FindingMeasures> measures, measure_findings(mask, volume));
  for (const LabelMap& channel : mask.channels) {
    out.findings.push_back({static_cast<std::int64_t>(channel.labels().size()), channel.count(),
                            components(channel.foreground(), Connectivity::edges18).count(),
                            measures[out.findings.size()]});
  }
  return out;
}

// Puts the counts of a mask in the place of those of the dataset file.
void take_counts(GroundedCase& entry, const CaseCounts& counts) {
  if (!entry.lists_findings) {
    entry.findings.resize(counts.findings.size());
    entry.lists_findings = counts.present;
  }
  for (std::size_t i = 0; i < entry.findings.size(); ++i) {
    entry.findings[i].entities.reset();
    entry.findings[i].voxels.reset();
    if (!counts.present) continue;
    entry.findings[i].entities = counts.findings[i].entities;
    entry.findings[i].voxels = counts.findings[i].voxels;
  }
}

void add_measured(const FindingCounts& finding, SplitStatistics& split) {
  split.components.add(finding.components);
  split.ml.add(finding.measures.ml);
  split.mm.add(finding.measures.mm);
  split.hu.add(finding.measures.hu);
}

struct AbsentFiles {
  std::int64_t count = 0;
  std::size_t all = 0;
  std::string what;  // "masks"
  std::string split;
};

void note_absent(const AbsentFiles& absent, Notes& notes) {
  if (absent.count == 0) return;
  notes.push_back({absent.what + "_absent", decimal(absent.count) + " of " + decimal(absent.all) + " " +
                                                absent.what + " of " + absent.split + " are not there"});
}

struct CountedSplits {
  Splits splits;
  std::vector<std::vector<CaseCounts>> counts;  // beside splits
};

Result<CountedSplits> count_masks(const GroundedDataset& dataset, const std::optional<Path>& volumes,
                                  const Executor& executor, Progress& progress) {
  CountedSplits out{.splits = splits_of(dataset)};
  for (auto& split : out.splits) {
    std::vector<GroundedCase>& cases = split.second;
    std::vector<CaseCounts>& counts = out.counts.emplace_back(cases.size());
    progress.begin("reading masks of " + split.first, static_cast<std::int64_t>(cases.size()));
    FIDUCIAL_TRY_DONE(
        executor.for_each(static_cast<std::int64_t>(cases.size()), [&](std::int64_t index) -> Outcome {
          const auto i = static_cast<std::size_t>(index);
          FIDUCIAL_TRY(counts[i], count_mask(dataset, cases[i], volumes));
          progress.advance(1);
          return done();
        }));
    progress.end();
    for (std::size_t i = 0; i < cases.size(); ++i) take_counts(cases[i], counts[i]);
  }
  return out;
}

}  // namespace

Result<GroundedStatistics> statistics_of_masks(const GroundedDataset& dataset, const CategoryTitles& ontology,
                                               const Executor& executor, Progress& progress,
                                               const std::optional<Path>& volumes) {
  FIDUCIAL_TRY(const CountedSplits counted, count_masks(dataset, volumes, executor, progress));
  GroundedStatistics out = statistics_of(counted.splits, ontology);
  for (std::size_t s = 0; s < out.splits.size(); ++s) {
    std::int64_t absent = 0;
    std::int64_t without_volume = 0;
    for (const CaseCounts& counts : counted.counts[s]) {
      absent += counts.present ? 0 : 1;
      without_volume += volumes && counts.present && !counts.has_volume ? 1 : 0;
      for (const FindingCounts& finding : counts.findings) {
        add_measured(finding, out.splits[s]);
        add_measured(finding, out.all);
      }
    }
    note_absent({absent, counted.counts[s].size(), "masks", out.splits[s].name}, out.notes);
    note_absent({without_volume, counted.counts[s].size(), "volumes", out.splits[s].name}, out.notes);
  }
  return out;
}

}  // namespace fiducial
