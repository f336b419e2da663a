#include "fiducial/datasets/case_description.h"

#include <algorithm>
#include <functional>
#include <set>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

using Columns = std::vector<const DiagnosisStatistics*>;
using Histogram = DiagnosisStatistics::Histogram;

std::int64_t count_at(const Histogram& histogram, std::int64_t value) {
  const auto found = histogram.find(value);
  return found == histogram.end() ? 0 : found->second;
}

std::int64_t count_of(const DiagnosisStatistics::Counts& counts, const std::string& label) {
  const auto found = counts.find(label);
  return found == counts.end() ? 0 : found->second;
}

DescribedFigure mean_figure_of(const Histogram& histogram) {
  std::int64_t things = 0;
  std::int64_t total = 0;
  for (const auto& [value, count] : histogram) {
    things += count;
    total += value * count;
  }
  if (things == 0) return {};
  return DescribedMean{static_cast<double>(total) / static_cast<double>(things)};
}

DescribedFigure range_figure_of(const Histogram& histogram) {
  if (histogram.empty()) return {};
  return DescribedRange{histogram.begin()->first, histogram.rbegin()->first};
}

DescribedFigure share_figure(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return {};
  return DescribedShare{static_cast<double>(part) / static_cast<double>(whole)};
}

DescribedRow row_of(const Columns& columns, const std::string& title,
                    const std::function<DescribedFigure(const DiagnosisStatistics&)>& figure,
                    bool is_part = false) {
  DescribedRow out{.title = title, .is_part = is_part};
  for (const DiagnosisStatistics* column : columns) out.figures.push_back(figure(*column));
  return out;
}

DescribedSection counts_section(const Columns& columns, const std::string& title,
                                DiagnosisStatistics::Counts DiagnosisStatistics::*counts) {
  std::set<std::string> labels;
  for (const DiagnosisStatistics* column : columns) {
    for (const auto& [label, count] : column->*counts) labels.insert(label);
  }
  DescribedSection out{.title = title};
  for (const std::string& label : labels) {
    out.rows.push_back(row_of(
        columns, label, [&](const DiagnosisStatistics& each) { return count_of(each.*counts, label); },
        true));
  }
  return out;
}

DescribedSection totals_section(const Columns& columns) {
  using Each = const DiagnosisStatistics&;
  DescribedSection out;
  const auto add = [&](const std::string& title, const std::function<DescribedFigure(Each)>& figure,
                       bool is_part = false) { out.rows.push_back(row_of(columns, title, figure, is_part)); };
  add("cases", [](Each each) { return each.cases; });
  add("images", [](Each each) { return each.images; });
  add("images a case", [](Each each) { return range_figure_of(each.images_per_case); });
  add(
      "mean", [](Each each) { return mean_figure_of(each.images_per_case); }, true);
  // What a blind copy does not hold is not known, and not 0.
  const auto add_told = [&](const std::string& title, const std::function<DescribedFigure(Each)>& figure,
                            bool is_part = false) {
    const auto told = [figure](Each each) -> DescribedFigure {
      return each.told() == 0 && each.hidden > 0 ? DescribedUnknown() : figure(each);
    };
    add(title, told, is_part);
  };
  add_told("modalities a case", [](Each each) { return range_figure_of(each.modalities_per_case); });
  add_told(
      "mean", [](Each each) { return mean_figure_of(each.modalities_per_case); }, true);
  add_told("longitudinal", [](Each each) { return each.longitudinal; });
  add_told(
      "share", [](Each each) { return share_figure(each.longitudinal, each.told()); }, true);
  add_told("timepoints", [](Each each) { return range_figure_of(each.timepoints); });
  add_told("key is longest option", [](Each each) { return share_figure(each.key_is_longest, each.told()); });
  add("cases with equal options", [](Each each) { return each.equal_options; });
  return out;
}

DescribedDistribution scale_of(const CaseStatistics& statistics) {
  DescribedDistribution out{.name = "scale",
                            .title = "Scale",
                            .subtitle = "Cases and images of each split",
                            .value_title = "count",
                            .in_shares = false,
                            .labels_are_names = true};
  DescribedSeries cases{.name = "cases", .whole = statistics.all.cases};
  DescribedSeries images{.name = "images", .whole = statistics.all.images};
  for (const DiagnosisStatistics& split : statistics.splits) {
    out.labels.push_back(split.name);
    cases.counts.push_back({split.cases, split.name});
    images.counts.push_back({split.images, split.name});
  }
  out.series = {std::move(cases), std::move(images)};
  return out;
}

// Shares of a split's cases by a count, one bar a value.
DescribedDistribution cases_by_count(const CaseStatistics& statistics,
                                     Histogram DiagnosisStatistics::*counts) {
  DescribedDistribution out{.value_title = "share of the split's cases"};
  const Histogram& all = statistics.all.*counts;
  const std::int64_t least = all.empty() ? 0 : all.begin()->first;
  const std::int64_t most = all.empty() ? 0 : std::min(all.rbegin()->first, least + 99);
  for (std::int64_t value = least; value <= most; ++value) out.labels.push_back(decimal(value));
  for (const DiagnosisStatistics& split : statistics.splits) {
    DescribedSeries series{.name = split.name, .things = "cases", .whole = split.cases};
    for (std::int64_t value = least; value <= most; ++value)
      series.counts.push_back({count_at(split.*counts, value), split.name + ", " + decimal(value)});
    out.series.push_back(std::move(series));
  }
  return out;
}

DescribedDistribution density_of(const CaseStatistics& statistics) {
  DescribedDistribution out = cases_by_count(statistics, &DiagnosisStatistics::images_per_case);
  out.name = "image_density";
  out.title = "Image density";
  out.subtitle = "Cases by the number of their images";
  out.label_title = "images";
  return out;
}

// How many modalities a case has, and below which.
DescribedDistribution breadth_of(const CaseStatistics& statistics) {
  DescribedDistribution out{.name = "modality_breadth",
                            .title = "Modality breadth",
                            .subtitle = "Cases with so many modalities, then cases with a modality",
                            .value_title = "share of the split's cases",
                            .labels_are_names = true};
  for (const auto& [count, cases] : statistics.all.modalities_per_case)
    out.labels.push_back(decimal(count) + (count == 1 ? " modality" : " modalities"));
  for (const auto& [modality, cases] : statistics.all.cases_by_modality) out.labels.push_back(modality);
  for (const DiagnosisStatistics& split : statistics.splits) {
    DescribedSeries series{.name = split.name, .things = "cases", .whole = split.cases};
    for (const auto& [count, cases] : statistics.all.modalities_per_case)
      series.counts.push_back(
          {count_at(split.modalities_per_case, count), split.name + ", " + decimal(count) + " modalities"});
    for (const auto& [modality, cases] : statistics.all.cases_by_modality)
      series.counts.push_back({count_of(split.cases_by_modality, modality), split.name + ", " + modality});
    out.series.push_back(std::move(series));
  }
  return out;
}

// The pairs of modalities that most cases have both of.
DescribedDistribution modalities_together(const CaseStatistics& statistics) {
  std::vector<SplitPairs> splits;
  for (const DiagnosisStatistics& split : statistics.splits)
    splits.push_back({split.name, split.cases, &split.modalities_together});
  return drawn_pairs({.name = "co_occurrence",
                      .title = "Modalities of one case",
                      .subtitle = "Cases with images of both modalities, the most frequent pairs"},
                     "cases", splits);
}

DescribedDistribution timepoints_of(const CaseStatistics& statistics) {
  DescribedDistribution out = cases_by_count(statistics, &DiagnosisStatistics::timepoints);
  out.name = "longitudinal";
  out.title = "Longitudinal structure";
  out.label_title = "timepoints";
  out.subtitle = "Cases by the number of their timepoints; longitudinal:";
  for (const DiagnosisStatistics& split : statistics.splits) {
    const double share = split.told() == 0 ? 0
                                           : 100.0 * static_cast<double>(split.longitudinal) /
                                                 static_cast<double>(split.told());
    out.subtitle += " " + split.name +
                    (split.hidden > 0 && split.told() == 0 ? " not known" : " " + fixed(share, 1) + " %");
  }
  return out;
}

}  // namespace

Result<DatasetDescription> describe_cases(const std::string& benchmark, const DiagnosisDataset& dataset) {
  FIDUCIAL_TRY(const CaseStatistics statistics, case_statistics(benchmark, dataset));
  DatasetDescription out{.distributions = {scale_of(statistics), density_of(statistics),
                                           breadth_of(statistics), timepoints_of(statistics)},
                         .json = statistics.json()};
  if (!statistics.all.modalities_together.empty())
    out.distributions.push_back(modalities_together(statistics));
  Columns columns;
  for (const DiagnosisStatistics& split : statistics.splits) columns.push_back(&split);
  columns.push_back(&statistics.all);
  for (const DiagnosisStatistics* column : columns) out.columns.push_back(column->name);
  out.sections = {totals_section(columns),
                  counts_section(columns, "images by modality", &DiagnosisStatistics::images_by_modality),
                  counts_section(columns, "cases by modality", &DiagnosisStatistics::cases_by_modality),
                  counts_section(columns, "cases by ICD chapter", &DiagnosisStatistics::icd_chapters),
                  counts_section(columns, "cases by key", &DiagnosisStatistics::key_letters)};
  return out;
}

}  // namespace fiducial
