#include "fiducial/datasets/curated_marks.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"

namespace fiducial {

namespace {

void add_words(const std::string& report, const Json& place, std::vector<MarkedWords>& out) {
  const std::int64_t begin = integer_at(place, "begin");
  const std::int64_t end = integer_at(place, "end");
  const std::string column = text_at(place, "column");
  if (column.empty() || begin < 0 || end <= begin || end > std::int64_t{0xFFFFFFFF}) return;
  out.push_back({report, column, {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)}});
}

}  // namespace

std::vector<MarkedWords> marked_words(const Json& row) {
  std::string report = text_at(row, "VolumeName");
  if (report.empty()) report = text_at(row, "Volumename");
  std::vector<MarkedWords> out;
  if (report.empty()) return out;
  add_words(report, row, out);
  if (const Json::Array* sources = find_array(row, "sources")) {
    for (const Json& source : *sources) add_words(report, source, out);
  }
  return out;
}

void ReportMarks::add(const MarkedWords& words, bool stated) {
  reports_[words.report][words.column].push_back({.begin = static_cast<std::uint32_t>(words.span.begin),
                                                  .end = static_cast<std::uint32_t>(words.span.end),
                                                  .stated = stated});
}

const ReportMarks::Marks* ReportMarks::find(const MarkedWords& words) const {
  const auto report = reports_.find(words.report);
  if (report == reports_.end()) return nullptr;
  const auto column = report->second.find(words.column);
  return column == report->second.end() ? nullptr : &column->second;
}

void ReportMarks::settle() {
  for (auto& [report, columns] : reports_) {
    for (auto& [column, marks] : columns) {
      std::stable_sort(marks.begin(), marks.end(),
                       [](const Mark& a, const Mark& b) { return a.begin < b.begin; });
      std::uint32_t furthest = 0;
      for (Mark& mark : marks) mark.furthest = furthest = std::max(furthest, mark.end);
    }
  }
}

std::span<const ReportMarks::Mark> ReportMarks::inside(const MarkedWords& words) const {
  const Marks* marks = find(words);
  if (marks == nullptr) return {};
  const auto begins_before = [](const Mark& mark, std::size_t at) { return mark.begin < at; };
  const auto first = std::lower_bound(marks->begin(), marks->end(), words.span.begin, begins_before);
  return {first, std::lower_bound(first, marks->end(), words.span.end, begins_before)};
}

bool ReportMarks::covers(const MarkedWords& words) const {
  const Marks* marks = find(words);
  if (marks == nullptr) return false;
  const auto after = std::upper_bound(marks->begin(), marks->end(), words.span.begin,
                                      [](std::size_t at, const Mark& mark) { return at < mark.begin; });
  return after != marks->begin() && std::prev(after)->furthest > words.span.begin;
}

}  // namespace fiducial
