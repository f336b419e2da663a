#include "case_statistics_text.h"

#include <functional>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/report/text_table.h"

namespace fiducial::cli {

namespace {

using Columns = std::vector<const DiagnosticStatistics*>;

void add_row(TextTable& table, const Columns& columns, const std::string& title,
             const std::function<std::string(const DiagnosticStatistics&)>& cell) {
  std::vector<std::string> cells{title};
  for (const DiagnosticStatistics* column : columns) cells.push_back(cell(*column));
  table.add(std::move(cells));
}

void add_counts(TextTable& table, const Columns& columns, const std::string& title,
                DiagnosticStatistics::Counts DiagnosticStatistics::*counts) {
  std::set<std::string> labels;
  for (const DiagnosticStatistics* column : columns) {
    for (const auto& [label, count] : column->*counts) labels.insert(label);
  }
  table.add_gap();
  table.add({title});
  for (const std::string& label : labels) {
    add_row(table, columns, "  " + label, [&](const DiagnosticStatistics& each) {
      const auto found = (each.*counts).find(label);
      return grouped_digits(found == (each.*counts).end() ? 0 : found->second);
    });
  }
}

std::string mean_text(const DiagnosticStatistics::Histogram& histogram) {
  std::int64_t things = 0;
  std::int64_t total = 0;
  for (const auto& [value, count] : histogram) {
    things += count;
    total += value * count;
  }
  return things == 0 ? "-" : fixed(static_cast<double>(total) / static_cast<double>(things), 2);
}

std::string range_text(const DiagnosticStatistics::Histogram& histogram) {
  if (histogram.empty()) return "-";
  return decimal(histogram.begin()->first) + ".." + decimal(histogram.rbegin()->first);
}

std::string share_text(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "-";
  return fixed(100 * static_cast<double>(part) / static_cast<double>(whole), 1) + " %";
}

}  // namespace

std::string case_statistics_text(const DatasetDescription& description) {
  using Statistics = DiagnosticStatistics;
  Columns columns;
  for (const Statistics& split : description.splits) columns.push_back(&split);
  columns.push_back(&description.all);
  TextTable table;
  add_row(table, columns, "", [](const Statistics& each) { return each.name; });
  add_row(table, columns, "cases", [](const Statistics& each) { return grouped_digits(each.cases); });
  add_row(table, columns, "images", [](const Statistics& each) { return grouped_digits(each.images); });
  add_row(table, columns, "images a case",
          [](const Statistics& each) { return range_text(each.images_per_case); });
  add_row(table, columns, "  mean", [](const Statistics& each) { return mean_text(each.images_per_case); });
  add_row(table, columns, "modalities a case",
          [](const Statistics& each) { return range_text(each.modalities_per_case); });
  add_row(table, columns, "  mean",
          [](const Statistics& each) { return mean_text(each.modalities_per_case); });
  add_row(table, columns, "longitudinal",
          [](const Statistics& each) { return grouped_digits(each.longitudinal); });
  add_row(table, columns, "  share",
          [](const Statistics& each) { return share_text(each.longitudinal, each.cases); });
  add_row(table, columns, "timepoints", [](const Statistics& each) { return range_text(each.timepoints); });
  add_row(table, columns, "key is longest option",
          [](const Statistics& each) { return share_text(each.key_is_longest, each.cases); });
  add_row(table, columns, "cases with equal options",
          [](const Statistics& each) { return grouped_digits(each.equal_options); });
  add_counts(table, columns, "images by modality", &Statistics::images_by_modality);
  add_counts(table, columns, "cases by modality", &Statistics::cases_by_modality);
  add_counts(table, columns, "cases by ICD chapter", &Statistics::icd_chapters);
  add_counts(table, columns, "cases by key", &Statistics::key_letters);
  return table.text();
}

}  // namespace fiducial::cli
