#include "fiducial/masks/segment_plan.h"

#include <algorithm>
#include <optional>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::string_view finding_word = "finding ";
constexpr std::string_view entity_word = " entity ";
constexpr std::int64_t most_findings = 4096;
constexpr std::int64_t most_entities = 65536;

// A segment as part of a finding: which, and which label it has there.
std::optional<SegmentPlan::Target> finding_part(std::string_view name) {
  if (!name.starts_with(finding_word)) return std::nullopt;
  name.remove_prefix(finding_word.size());
  const std::size_t end = name.find(entity_word);
  const auto finding = parse_integer(name.substr(0, end));
  if (!finding || *finding < 0 || *finding >= most_findings) return std::nullopt;
  const auto mask = static_cast<std::size_t>(*finding);
  if (end == std::string_view::npos) return SegmentPlan::Target{mask, 1};
  const auto entity = parse_integer(name.substr(end + entity_word.size()));
  if (!entity || *entity < 1 || *entity > most_entities) return std::nullopt;
  return SegmentPlan::Target{mask, static_cast<std::int32_t>(*entity)};
}

std::string finding_name(std::size_t finding, std::int32_t entity, bool has_entities) {
  std::string out = std::string(finding_word) + decimal(finding);
  if (has_entities) out += std::string(entity_word) + decimal(entity);
  return out;
}

// Colours that stand apart, by turns.
std::array<double, 3> segment_colour(std::size_t index) {
  constexpr std::array<std::array<double, 3>, 8> colours{{{0.90, 0.29, 0.24},
                                                          {0.18, 0.55, 0.34},
                                                          {0.20, 0.44, 0.78},
                                                          {0.95, 0.77, 0.06},
                                                          {0.56, 0.27, 0.68},
                                                          {0.10, 0.74, 0.61},
                                                          {0.90, 0.49, 0.13},
                                                          {0.50, 0.55, 0.55}}};
  return colours[index % colours.size()];
}

SegmentEntry entry_of(const ListedMask& about, std::size_t index) {
  SegmentEntry out;
  out.name = about.name.empty() ? "segment " + decimal(index + 1) : about.name;
  out.colour = segment_colour(index);
  if (!about.code) return out;
  out.category = {"SCT", "123037004", "Anatomical Structure"};
  out.type = {about.code->scheme, about.code->value, about.code->meaning};
  return out;
}

SegmentEntry finding_entry(const ListedMask& about, std::size_t index, std::int32_t label,
                           bool has_entities) {
  SegmentEntry out = entry_of(about, index);
  out.name = finding_name(index, label, has_entities);
  out.category = {"SCT", "49755003", "Morphologically Abnormal Structure"};
  out.type = {"SCT", "52988006", "Lesion"};
  return out;
}

}  // namespace

std::vector<Segment> segments_of(const MaskCollection& masks) {
  std::vector<Segment> out;
  for (std::size_t i = 0; i < masks.masks.size(); ++i) {
    const MaskCollection::Member& member = masks.masks[i];
    if (masks.arrangement == MaskArrangement::structures) {
      out.push_back({entry_of(member.about, i), member.labels.foreground()});
      continue;
    }
    const std::vector<std::int32_t> labels = member.labels.labels();
    const bool is_finding = masks.arrangement == MaskArrangement::findings;
    const bool has_entities = labels.size() > 1 || (labels.size() == 1 && labels[0] != 1);
    for (const std::int32_t label : labels) {
      SegmentEntry about = is_finding ? finding_entry(member.about, i, label, has_entities)
                                      : entry_of(member.about, static_cast<std::size_t>(label));
      if (!is_finding && (has_entities || member.about.name.empty())) about.name = "label " + decimal(label);
      out.push_back({std::move(about), member.labels.where(label)});
    }
    if (labels.empty() && is_finding)
      out.push_back({finding_entry(member.about, i, 1, false), Mask(member.labels.grid())});
  }
  return out;
}

SegmentPlan plan_of_segments(const std::vector<SegmentEntry>& segments) {
  SegmentPlan out;
  const bool findings = std::all_of(segments.begin(), segments.end(), [](const SegmentEntry& segment) {
    return finding_part(segment.name).has_value();
  });
  if (!findings) {
    for (std::size_t i = 0; i < segments.size(); ++i) {
      ListedMask mask{.name = segments[i].name, .id = static_cast<std::uint32_t>(i + 1), .code = {}};
      const CodedName& type = segments[i].type;
      if (!type.empty()) mask.code = MaskCode{type.scheme, type.value, type.meaning};
      out.masks.push_back(std::move(mask));
      out.targets.push_back({i, 1});
    }
    return out;
  }
  out.arrangement = MaskArrangement::findings;
  std::size_t count = 0;
  for (const SegmentEntry& segment : segments) {
    out.targets.push_back(*finding_part(segment.name));
    count = std::max(count, out.targets.back().mask + 1);
  }
  for (std::size_t i = 0; i < count; ++i)
    out.masks.push_back({.name = {}, .id = static_cast<std::uint32_t>(i), .code = {}});
  return out;
}

Result<LabelMap> labels_of_runs(std::vector<LabelRun> runs, const Grid& grid, const ListedMask& mask) {
  std::sort(runs.begin(), runs.end(), [](const LabelRun& a, const LabelRun& b) {
    return std::pair(a.row, a.begin) < std::pair(b.row, b.begin);
  });
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[i - 1].row == runs[i].row && runs[i].begin < runs[i - 1].end)
      return invalid_data("two segments of finding " + decimal(mask.id) + " overlap");
  }
  return LabelMap(grid, std::move(runs)).relabelled([](std::int32_t label) { return label; });
}

}  // namespace fiducial
