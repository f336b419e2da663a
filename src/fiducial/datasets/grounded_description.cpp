#include "fiducial/datasets/grounded_description.h"

#include <algorithm>
#include <functional>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/counted.h"

namespace fiducial {

namespace {

DescribedFigure total_figure(const CountDistribution& counts) {
  return counts.histogram.empty() ? DescribedFigure() : DescribedFigure(counts.total());
}

DescribedFigure mean_figure(const CountDistribution& counts) {
  return counts.histogram.empty() ? DescribedFigure() : DescribedFigure(DescribedMean{counts.mean()});
}

DescribedFigure range_figure(const CountDistribution& counts) {
  if (counts.histogram.empty()) return {};
  return DescribedRange{counts.least(), counts.greatest()};
}

// The rows of a table whose columns are the splits.
class SplitRows {
 public:
  explicit SplitRows(const GroundedStatistics& statistics) {
    for (const SplitStatistics& split : statistics.splits) columns_.push_back(&split);
    columns_.push_back(&statistics.all);
  }

  using FigureOf = std::function<DescribedFigure(const SplitStatistics&)>;
  void add(const std::string& title, const FigureOf& figure, bool is_part = false) {
    DescribedRow row{.title = title, .is_part = is_part};
    for (const SplitStatistics* split : columns_) row.figures.push_back(figure(*split));
    rows_.push_back(std::move(row));
  }
  DescribedSection section() { return {.rows = std::exchange(rows_, {})}; }

 private:
  std::vector<const SplitStatistics*> columns_;
  std::vector<DescribedRow> rows_;
};

void add_totals(SplitRows& rows) {
  rows.add("scans", [](const SplitStatistics& split) { return split.scans; });
  rows.add("patients", [](const SplitStatistics& split) { return split.patients; });
  rows.add("findings", [](const SplitStatistics& split) { return split.findings; });
  rows.add("unique texts", [](const SplitStatistics& split) { return split.unique_texts; });
  rows.add("entities", [](const SplitStatistics& split) { return total_figure(split.entities); });
  rows.add("pixels", [](const SplitStatistics& split) { return total_figure(split.voxels); });
}

void add_findings(SplitRows& rows) {
  rows.add("findings a scan",
           [](const SplitStatistics& split) { return range_figure(split.findings_per_scan); });
  rows.add("scans with one", [](const SplitStatistics& split) { return split.findings_per_scan.at(1); });
}

void add_entities(SplitRows& rows, bool with_components) {
  rows.add("entities a finding", [](const SplitStatistics& split) { return range_figure(split.entities); });
  rows.add(
      "mean", [](const SplitStatistics& split) { return mean_figure(split.entities); }, true);
  for (const std::int64_t count : {1, 2, 3}) {
    rows.add(
        decimal(count), [count](const SplitStatistics& split) { return split.entities.at(count); }, true);
  }
  rows.add(
      "more than 3", [](const SplitStatistics& split) { return split.entities.above(3); }, true);
  if (with_components)
    rows.add("components", [](const SplitStatistics& split) { return total_figure(split.components); });
}

void add_categories(SplitRows& rows, const GroundedStatistics& statistics) {
  for (const auto& each : statistics.category_titles) {
    const std::string& code = each.first;
    rows.add(code + " " + each.second,
             [&code](const SplitStatistics& split) { return split.categories.at(code); });
  }
  if (statistics.all.uncategorized > 0)
    rows.add("without a category", [](const SplitStatistics& split) { return split.uncategorized; });
  rows.add("focal", [](const SplitStatistics& split) { return split.focal; });
  rows.add("focal share", [](const SplitStatistics& split) {
    return split.focal + split.non_focal == 0 ? DescribedFigure()
                                              : DescribedFigure(DescribedShare{split.focal_share()});
  });
}

void add_protocols(SplitRows& rows, const SplitStatistics& all) {
  for (const auto& each : all.protocols) {
    const std::string& protocol = each.first;
    rows.add(protocol.empty() ? "without a protocol" : protocol, [&protocol](const SplitStatistics& split) {
      const auto found = split.protocols.find(protocol);
      return found == split.protocols.end() ? std::int64_t{0} : found->second;
    });
  }
}

std::vector<DescribedSection> sections_of(const GroundedStatistics& statistics) {
  std::vector<DescribedSection> out;
  SplitRows rows(statistics);
  add_totals(rows);
  out.push_back(rows.section());
  add_findings(rows);
  out.push_back(rows.section());
  add_entities(rows, !statistics.all.components.histogram.empty());
  out.push_back(rows.section());
  add_categories(rows, statistics);
  out.push_back(rows.section());
  add_protocols(rows, statistics.all);
  out.push_back(rows.section());
  return out;
}

DescribedDistribution categories_of(const GroundedStatistics& statistics, const std::string& note) {
  DescribedDistribution out{.name = "categories",
                            .title = "Findings by category",
                            .subtitle = note,
                            .value_title = "share of the split's findings",
                            .labels_are_names = true};
  for (const auto& [code, title] : statistics.category_titles) out.labels.push_back(code + " " + title);
  for (const SplitStatistics& split : statistics.splits) {
    if (split.findings == 0) continue;
    DescribedSeries series{.name = split.name, .things = "findings", .whole = split.findings};
    for (const auto& [code, count] : split.categories)
      series.counts.push_back({count, split.name + " " + code});
    out.series.push_back(std::move(series));
  }
  return out;
}

// One bar for each count from least to most; what lies above goes into a last bar of its own.
struct CountAxis {
  std::int64_t least = 1;
  std::int64_t most = 12;
  std::string things;  // that are counted: "scans"
};

DescribedDistribution counts_of(const GroundedStatistics& statistics, const CountAxis& axis,
                                CountDistribution SplitStatistics::*counts) {
  DescribedDistribution out{.value_title = "share of the split's " + axis.things};
  const std::int64_t greatest = (statistics.all.*counts).greatest();
  const std::int64_t last = std::max(axis.least, std::min(axis.most, greatest));
  const std::int64_t least = std::min(axis.least, (statistics.all.*counts).least());
  for (std::int64_t count = least; count <= last; ++count) out.labels.push_back(decimal(count));
  if (greatest > last) out.labels.push_back("> " + decimal(last));
  for (const SplitStatistics& split : statistics.splits) {
    const CountDistribution& own = split.*counts;
    if (own.histogram.empty()) continue;
    DescribedSeries series{.name = split.name, .things = axis.things, .whole = own.known()};
    for (std::int64_t count = least; count <= last; ++count)
      series.counts.push_back({own.at(count), split.name + ", " + decimal(count)});
    if (greatest > last) series.counts.push_back({own.above(last), split.name + ", > " + decimal(last)});
    out.series.push_back(std::move(series));
  }
  return out;
}

DescribedDistribution findings_of(const GroundedStatistics& statistics) {
  DescribedDistribution out =
      counts_of(statistics, {.least = 1, .most = 15, .things = "scans"}, &SplitStatistics::findings_per_scan);
  out.name = "findings_per_scan";
  out.title = "Findings per scan";
  out.subtitle = "Scans by the number of their findings";
  out.label_title = "findings";
  return out;
}

DescribedDistribution entities_of(const GroundedStatistics& statistics, const std::string& note) {
  DescribedDistribution out =
      counts_of(statistics, {.least = 1, .most = 12, .things = "findings"}, &SplitStatistics::entities);
  out.name = "entities_per_finding";
  out.title = "Entities per finding";
  out.subtitle = note;
  out.label_title = "entities";
  return out;
}

// "1e3", or "3e3" for the half decade above it.
std::string size_label(int half_decade) {
  return (half_decade % 2 == 0 ? "1e" : "3e") + decimal(half_decade / 2);
}

DescribedDistribution sizes_of(const GroundedStatistics& statistics) {
  DescribedDistribution out{.name = "sizes",
                            .title = "Size of findings",
                            .subtitle = "Two bins a decade; a label is the least number of voxels in its bin",
                            .value_title = "share of the split's findings",
                            .label_title = "voxels"};
  const std::vector<SizeBin> bins = statistics.all.sizes();
  for (const SizeBin& bin : bins) out.labels.push_back(size_label(bin.half_decade));
  for (const SplitStatistics& split : statistics.splits) {
    if (split.voxels.histogram.empty()) continue;
    DescribedSeries series{.name = split.name, .things = "findings", .whole = split.voxels.known()};
    const std::vector<SizeBin> own = split.sizes();
    for (const SizeBin& bin : bins) {
      const auto found = std::find_if(own.begin(), own.end(), [&bin](const SizeBin& each) {
        return each.half_decade == bin.half_decade;
      });
      series.counts.push_back(
          {found == own.end() ? 0 : found->findings, split.name + ", from " + size_label(bin.half_decade)});
    }
    out.series.push_back(std::move(series));
  }
  return out;
}

}  // namespace

Result<DatasetDescription> describe_grounded(const GroundedToDescribe& described, const Executor& executor,
                                             Progress& progress) {
  GroundedStatistics statistics;
  if (described.masks) {
    FIDUCIAL_TRY(statistics, statistics_of_masks(described.dataset, described.ontology, executor, progress));
  } else {
    statistics = statistics_of(splits_of(described.dataset), described.ontology);
  }
  DatasetDescription out{
      .sections = sections_of(statistics),
      .distributions = {categories_of(statistics, described.ontology_note), findings_of(statistics),
                        entities_of(statistics, described.entities_note), sizes_of(statistics)},
      .notes = statistics.notes};
  for (const SplitStatistics& split : statistics.splits) out.columns.push_back(split.name);
  out.columns.push_back(statistics.all.name);
  for (const SharedPatients& shared : statistics.shared_patients) {
    out.lines.push_back("patients in both " + shared.a + " and " + shared.b + ": " +
                        grouped_count(shared.patients));
  }
  out.json = statistics_json(statistics, {.benchmark = described.benchmark,
                                          .file = described.dataset.file_name(),
                                          .digest = described.dataset.digest(),
                                          .counted_from = described.masks ? "masks" : "dataset"});
  return out;
}

}  // namespace fiducial
