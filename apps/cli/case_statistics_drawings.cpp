#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/report/chart.h"
#include "fiducial/report/text_table.h"

#include "case_statistics_text.h"

namespace fiducial::cli {

namespace {

using Statistics = DiagnosticStatistics;

std::int64_t at(const Statistics::Histogram& histogram, std::int64_t value) {
  const auto found = histogram.find(value);
  return found == histogram.end() ? 0 : found->second;
}

std::string name_with_cases(const Statistics& split) {
  return split.name + " (" + grouped_digits(split.cases) + " cases)";
}

BarChart scale_chart(const DatasetDescription& description) {
  BarChart chart{
      .title = "Scale", .subtitle = "Cases and images of each split", .value_title = "count", .unit = ""};
  BarSeries cases{.name = "cases (" + grouped_digits(description.all.cases) + ")"};
  BarSeries images{.name = "images (" + grouped_digits(description.all.images) + ")"};
  for (const Statistics& split : description.splits) {
    chart.labels.push_back(split.name);
    cases.bars.push_back(
        {static_cast<double>(split.cases), split.name + ": " + grouped_digits(split.cases) + " cases"});
    images.bars.push_back(
        {static_cast<double>(split.images), split.name + ": " + grouped_digits(split.images) + " images"});
  }
  chart.series = {std::move(cases), std::move(images)};
  return chart;
}

// Shares of a split's cases by a count, one bar a value.
BarChart cases_by_count(const DatasetDescription& description, Statistics::Histogram Statistics::*counts) {
  BarChart chart{.value_title = "share of the split's cases", .unit = " %"};
  const Statistics::Histogram& all = description.all.*counts;
  const std::int64_t least = all.empty() ? 0 : all.begin()->first;
  const std::int64_t most = all.empty() ? 0 : std::min(all.rbegin()->first, least + 99);
  for (std::int64_t value = least; value <= most; ++value) chart.labels.push_back(decimal(value));
  for (const Statistics& split : description.splits) {
    BarSeries series{.name = name_with_cases(split)};
    for (std::int64_t value = least; value <= most; ++value) {
      series.bars.push_back(
          share_bar(at(split.*counts, value), split.cases, split.name + ", " + decimal(value)));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

BarChart density_chart(const DatasetDescription& description) {
  BarChart chart = cases_by_count(description, &Statistics::images_per_case);
  chart.title = "Image density";
  chart.subtitle = "Cases by the number of their images";
  chart.label_title = "images";
  return chart;
}

// How many modalities a case has, and below which.
BarChart breadth_chart(const DatasetDescription& description) {
  BarChart chart{.title = "Modality breadth",
                 .subtitle = "Cases with so many modalities, then cases with a modality",
                 .value_title = "share of the split's cases",
                 .unit = " %"};
  for (const auto& [count, cases] : description.all.modalities_per_case) {
    chart.labels.push_back(decimal(count) + (count == 1 ? " modality" : " modalities"));
  }
  std::set<std::string> modalities;
  for (const auto& [modality, cases] : description.all.cases_by_modality) {
    modalities.insert(modality);
    chart.labels.push_back(modality);
  }
  for (const Statistics& split : description.splits) {
    BarSeries series{.name = name_with_cases(split)};
    for (const auto& [count, cases] : description.all.modalities_per_case) {
      series.bars.push_back(share_bar(at(split.modalities_per_case, count), split.cases,
                                      split.name + ", " + decimal(count) + " modalities"));
    }
    for (const std::string& modality : modalities) {
      const auto found = split.cases_by_modality.find(modality);
      series.bars.push_back(share_bar(found == split.cases_by_modality.end() ? 0 : found->second, split.cases,
                                      split.name + ", " + modality));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

BarChart longitudinal_chart(const DatasetDescription& description) {
  BarChart chart = cases_by_count(description, &Statistics::timepoints);
  chart.title = "Longitudinal structure";
  chart.label_title = "timepoints";
  chart.subtitle = "Cases by the number of their timepoints; longitudinal:";
  for (const Statistics& split : description.splits) {
    const double share =
        split.cases == 0 ? 0
                         : 100.0 * static_cast<double>(split.longitudinal) / static_cast<double>(split.cases);
    chart.subtitle += " " + split.name + " " + fixed(share, 1) + " %";
  }
  return chart;
}

}  // namespace

std::vector<Drawing> case_statistics_drawings(const DatasetDescription& description) {
  return {{"scale.svg", horizontal_bar_svg(scale_chart(description))},
          {"image_density.svg", vertical_bar_svg(density_chart(description))},
          {"modality_breadth.svg", horizontal_bar_svg(breadth_chart(description))},
          {"longitudinal.svg", vertical_bar_svg(longitudinal_chart(description))}};
}

}  // namespace fiducial::cli
