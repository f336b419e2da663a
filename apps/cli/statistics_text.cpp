#include "statistics_text.h"

#include <algorithm>
#include <functional>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/rexgroundingct/ontology.h"
#include "fiducial/report/chart.h"
#include "fiducial/report/text_table.h"

namespace fiducial::cli {

namespace {

using rexgroundingct::CountDistribution;
using rexgroundingct::DatasetStatistics;
using rexgroundingct::SplitStatistics;

// A table whose columns are the splits.
class SplitTable {
 public:
  explicit SplitTable(const DatasetStatistics& statistics) {
    for (const SplitStatistics& split : statistics.splits) columns_.push_back(&split);
    columns_.push_back(&statistics.all);
    row("", [](const SplitStatistics& split) { return split.name; });
  }

  void row(const std::string& name, const std::function<std::string(const SplitStatistics&)>& text) {
    std::vector<std::string> cells{name};
    for (const SplitStatistics* split : columns_) cells.push_back(text(*split));
    table_.add(std::move(cells));
  }
  void count(const std::string& name, const std::function<std::int64_t(const SplitStatistics&)>& count_of) {
    row(name, [&count_of](const SplitStatistics& split) { return grouped_digits(count_of(split)); });
  }
  void gap() { table_.add_gap(); }
  std::string text() const { return table_.text(); }

 private:
  std::vector<const SplitStatistics*> columns_;
  TextTable table_;
};

// "-" where nothing is known.
std::string total_text(const CountDistribution& counts) {
  return counts.histogram.empty() ? "-" : grouped_digits(counts.total());
}

std::string mean_text(const CountDistribution& counts) {
  return counts.histogram.empty() ? "-" : fixed(counts.mean(), 2);
}

std::string range_text(const CountDistribution& counts) {
  return counts.histogram.empty() ? "-" : decimal(counts.least()) + ".." + decimal(counts.greatest());
}

void add_totals(SplitTable& table) {
  table.count("scans", [](const SplitStatistics& split) { return split.scans; });
  table.count("patients", [](const SplitStatistics& split) { return split.patients; });
  table.count("findings", [](const SplitStatistics& split) { return split.findings; });
  table.count("unique texts", [](const SplitStatistics& split) { return split.unique_texts; });
  table.row("entities", [](const SplitStatistics& split) { return total_text(split.entities); });
  table.row("pixels", [](const SplitStatistics& split) { return total_text(split.voxels); });
}

void add_distributions(SplitTable& table, bool with_components) {
  table.row("findings a scan",
            [](const SplitStatistics& split) { return range_text(split.findings_per_scan); });
  table.count("scans with one", [](const SplitStatistics& split) { return split.findings_per_scan.at(1); });
  table.gap();
  table.row("entities a finding", [](const SplitStatistics& split) { return range_text(split.entities); });
  table.row("  mean", [](const SplitStatistics& split) { return mean_text(split.entities); });
  for (const std::int64_t count : {1, 2, 3}) {
    table.count("  " + decimal(count),
                [count](const SplitStatistics& split) { return split.entities.at(count); });
  }
  table.count("  more than 3", [](const SplitStatistics& split) { return split.entities.above(3); });
  if (with_components) {
    table.row("components", [](const SplitStatistics& split) { return total_text(split.components); });
  }
}

void add_categories(SplitTable& table, const SplitStatistics& all) {
  for (const auto& each : all.categories) {
    const std::string& code = each.first;
    const auto category = rexgroundingct::find_category(code);
    table.count(code + " " + std::string(category ? category->title : ""),
                [&code](const SplitStatistics& split) { return split.categories.at(code); });
  }
  if (all.uncategorized > 0) {
    table.count("without a category", [](const SplitStatistics& split) { return split.uncategorized; });
  }
  table.count("focal", [](const SplitStatistics& split) { return split.focal; });
  table.row("focal share", [](const SplitStatistics& split) {
    return split.focal + split.non_focal == 0 ? "-" : fixed(100 * split.focal_share(), 1) + " %";
  });
}

void add_protocols(SplitTable& table, const SplitStatistics& all) {
  for (const auto& each : all.protocols) {
    const std::string& protocol = each.first;
    table.count(protocol.empty() ? "without a protocol" : protocol,
                [&protocol](const SplitStatistics& split) {
                  const auto found = split.protocols.find(protocol);
                  return found == split.protocols.end() ? std::int64_t{0} : found->second;
                });
  }
}

std::string counted_name(const SplitStatistics& split, std::int64_t count, const std::string& things) {
  return split.name + " (" + grouped_digits(count) + " " + things + ")";
}

BarChart category_chart(const DatasetStatistics& statistics) {
  BarChart chart{.title = "Findings by category",
                 .subtitle = "1a-1f are typically non-focal, 2a-2h focal",
                 .value_title = "share of the split's findings",
                 .unit = " %"};
  for (const auto& [code, count] : statistics.all.categories) {
    const auto category = rexgroundingct::find_category(code);
    chart.labels.push_back(code + " " + std::string(category ? category->title : ""));
  }
  for (const SplitStatistics& split : statistics.splits) {
    if (split.findings == 0) continue;
    BarSeries series{.name = counted_name(split, split.findings, "findings")};
    for (const auto& [code, count] : split.categories) {
      series.bars.push_back(share_bar(count, split.findings, split.name + " " + code));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// One bar for each count from least to most; what lies above goes into a last bar of its own.
struct CountAxis {
  std::int64_t least = 1;
  std::int64_t most = 12;
  std::string things;  // that are counted: "scans"
};

BarChart count_chart(const DatasetStatistics& statistics, const CountAxis& axis,
                     const std::function<const CountDistribution&(const SplitStatistics&)>& counts_of) {
  BarChart chart{.value_title = "share of the split's " + axis.things, .unit = " %"};
  const std::int64_t greatest = counts_of(statistics.all).greatest();
  const std::int64_t last = std::max(axis.least, std::min(axis.most, greatest));
  const std::int64_t least = std::min(axis.least, counts_of(statistics.all).least());
  for (std::int64_t count = least; count <= last; ++count) chart.labels.push_back(decimal(count));
  if (greatest > last) chart.labels.push_back("> " + decimal(last));
  for (const SplitStatistics& split : statistics.splits) {
    const CountDistribution& counts = counts_of(split);
    if (counts.histogram.empty()) continue;
    BarSeries series{.name = counted_name(split, counts.known(), axis.things)};
    for (std::int64_t count = least; count <= last; ++count) {
      series.bars.push_back(share_bar(counts.at(count), counts.known(), split.name + ", " + decimal(count)));
    }
    if (greatest > last) {
      series.bars.push_back(
          share_bar(counts.above(last), counts.known(), split.name + ", > " + decimal(last)));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

BarChart findings_chart(const DatasetStatistics& statistics) {
  BarChart chart = count_chart(
      statistics, {.least = 1, .most = 15, .things = "scans"},
      [](const SplitStatistics& split) -> const CountDistribution& { return split.findings_per_scan; });
  chart.title = "Findings per scan";
  chart.subtitle = "Scans by the number of their findings";
  chart.label_title = "findings";
  return chart;
}

BarChart entities_chart(const DatasetStatistics& statistics) {
  BarChart chart =
      count_chart(statistics, {.least = 1, .most = 12, .things = "findings"},
                  [](const SplitStatistics& split) -> const CountDistribution& { return split.entities; });
  chart.title = "Entities per finding";
  chart.subtitle = "Training splits name at most about three entities of a finding; others name all";
  chart.label_title = "entities";
  return chart;
}

// "1e3", or "3e3" for the half decade above it.
std::string size_label(int half_decade) {
  return (half_decade % 2 == 0 ? "1e" : "3e") + decimal(half_decade / 2);
}

BarChart size_chart(const DatasetStatistics& statistics) {
  BarChart chart{.title = "Size of findings",
                 .subtitle = "Two bins a decade; a label is the least number of voxels in its bin",
                 .value_title = "share of the split's findings",
                 .label_title = "voxels",
                 .unit = " %"};
  const auto bins = statistics.all.sizes();
  for (const auto& bin : bins) chart.labels.push_back(size_label(bin.half_decade));
  for (const SplitStatistics& split : statistics.splits) {
    if (split.voxels.histogram.empty()) continue;
    const std::int64_t known = split.voxels.known();
    BarSeries series{.name = counted_name(split, known, "findings")};
    for (const auto& bin : bins) {
      const auto own = split.sizes();
      const auto found = std::find_if(own.begin(), own.end(), [&bin](const rexgroundingct::SizeBin& each) {
        return each.half_decade == bin.half_decade;
      });
      series.bars.push_back(share_bar(found == own.end() ? 0 : found->findings, known,
                                      split.name + ", from " + size_label(bin.half_decade)));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::string statistics_text(const DatasetStatistics& statistics) {
  SplitTable table(statistics);
  add_totals(table);
  table.gap();
  add_distributions(table, !statistics.all.components.histogram.empty());
  table.gap();
  add_categories(table, statistics.all);
  table.gap();
  add_protocols(table, statistics.all);
  std::string out = table.text();
  for (const auto& shared : statistics.shared_patients) {
    out +=
        "patients in both " + shared.a + " and " + shared.b + ": " + grouped_digits(shared.patients) + "\n";
  }
  return out;
}

std::vector<Drawing> statistics_drawings(const DatasetStatistics& statistics) {
  return {{"categories.svg", horizontal_bar_svg(category_chart(statistics))},
          {"findings_per_scan.svg", vertical_bar_svg(findings_chart(statistics))},
          {"entities_per_finding.svg", vertical_bar_svg(entities_chart(statistics))},
          {"sizes.svg", vertical_bar_svg(size_chart(statistics))}};
}

}  // namespace fiducial::cli
