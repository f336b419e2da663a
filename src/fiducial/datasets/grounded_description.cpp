#include "fiducial/datasets/grounded_description.h"

#include <algorithm>
#include <functional>
#include <limits>

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

DescribedFigure median_figure(const ValueDistribution& values) {
  return values.values.empty() ? DescribedFigure() : DescribedFigure(DescribedMean{values.median()});
}

void add_measures(SplitRows& rows) {
  rows.add("median ml", [](const SplitStatistics& split) { return median_figure(split.ml); });
  rows.add("median mm", [](const SplitStatistics& split) { return median_figure(split.mm); });
  rows.add("median HU", [](const SplitStatistics& split) { return median_figure(split.hu); });
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
  if (!statistics.all.ml.values.empty()) {
    add_measures(rows);
    out.push_back(rows.section());
  }
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

// The bins of a measure: what is less than the first edge, then from each edge to the next.
struct ValueAxis {
  const char* name;
  const char* title;
  const char* subtitle;
  const char* unit;
  std::vector<double> edges;
  ValueDistribution SplitStatistics::*values;
};

const std::vector<ValueAxis>& value_axes() {
  static const std::vector<ValueAxis> axes{
      {"volumes_ml",
       "Volume of findings",
       "A label is the least volume in its bin",
       "ml",
       {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000},
       &SplitStatistics::ml},
      {"diameters_mm",
       "Diameter of findings",
       "Of balls of the same volume; a label is the least diameter in its bin",
       "mm",
       {3, 6, 8, 10, 15, 20, 30, 50, 80, 120, 200},
       &SplitStatistics::mm},
      {"densities_hu",
       "Density of findings",
       "Mean of a finding's voxels; a label is the least mean in its bin",
       "HU",
       {-900, -800, -700, -600, -500, -400, -300, -200, -100, 0, 50, 100, 200, 400, 800},
       &SplitStatistics::hu}};
  return axes;
}

DescribedDistribution measured_by_bin(const GroundedStatistics& statistics, const ValueAxis& axis) {
  DescribedDistribution out{.name = axis.name,
                            .title = axis.title,
                            .subtitle = axis.subtitle,
                            .value_title = "share of the split's findings",
                            .label_title = axis.unit};
  constexpr double far = std::numeric_limits<double>::infinity();
  const ValueDistribution& all = statistics.all.*axis.values;
  for (const SplitStatistics& split : statistics.splits) {
    const ValueDistribution& own = split.*axis.values;
    if (own.values.empty()) continue;
    out.series.push_back(
        {.name = split.name, .things = "findings", .whole = static_cast<std::int64_t>(own.values.size())});
  }
  for (std::size_t bin = 0; bin <= axis.edges.size(); ++bin) {
    const double low = bin == 0 ? -far : axis.edges[bin - 1];
    double high = far;
    if (bin < axis.edges.size()) high = axis.edges[bin];
    if (all.between(-far, high) == 0 || all.between(low, far) == 0) continue;  // beyond all of them
    out.labels.push_back(bin == 0 ? "< " + shortest(high) : shortest(low));
    std::size_t series = 0;
    for (const SplitStatistics& split : statistics.splits) {
      const ValueDistribution& own = split.*axis.values;
      if (own.values.empty()) continue;
      out.series[series++].counts.push_back(
          {own.between(low, high), split.name + ", " + (bin == 0 ? "" : "from ") + out.labels.back()});
    }
  }
  return out;
}

// The pairs of categories that most scans have both of.
DescribedDistribution together_of(const GroundedStatistics& statistics) {
  std::vector<SplitPairs> splits;
  for (const SplitStatistics& split : statistics.splits)
    splits.push_back({split.name, split.scans, &split.together});
  return drawn_pairs({.name = "co_occurrence",
                      .title = "Categories of one scan",
                      .subtitle = "Scans with findings of both categories, the most frequent pairs"},
                     "scans", splits);
}

// Only of what is known.
void add_measured_distributions(const GroundedStatistics& statistics,
                                std::vector<DescribedDistribution>& distributions) {
  for (const ValueAxis& axis : value_axes()) {
    if (!(statistics.all.*axis.values).values.empty())
      distributions.push_back(measured_by_bin(statistics, axis));
  }
  if (!statistics.all.together.empty()) distributions.push_back(together_of(statistics));
}

}  // namespace

Result<DatasetDescription> describe_grounded(const GroundedToDescribe& described, const Executor& executor,
                                             Progress& progress) {
  GroundedStatistics statistics;
  const bool counts_masks = described.masks || described.volumes;
  if (counts_masks) {
    FIDUCIAL_TRY(statistics, statistics_of_masks(described.dataset, described.ontology, executor, progress,
                                                 described.volumes));
  } else {
    statistics = statistics_of(splits_of(described.dataset), described.ontology);
  }
  DatasetDescription out{
      .sections = sections_of(statistics),
      .distributions = {categories_of(statistics, described.ontology_note), findings_of(statistics),
                        entities_of(statistics, described.entities_note), sizes_of(statistics)},
      .notes = statistics.notes};
  add_measured_distributions(statistics, out.distributions);
  for (const SplitStatistics& split : statistics.splits) out.columns.push_back(split.name);
  out.columns.push_back(statistics.all.name);
  for (const SharedPatients& shared : statistics.shared_patients) {
    out.lines.push_back("patients in both " + shared.a + " and " + shared.b + ": " +
                        grouped_count(shared.patients));
  }
  out.json = statistics_json(statistics, {.benchmark = described.benchmark,
                                          .file = described.dataset.file_name(),
                                          .digest = described.dataset.digest(),
                                          .counted_from = counts_masks ? "masks" : "dataset"});
  return out;
}

}  // namespace fiducial
