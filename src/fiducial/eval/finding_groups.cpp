#include "fiducial/eval/finding_groups.h"

#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/rexgroundingct/ontology.h"

namespace fiducial {

namespace {

// A label and its place among the labels of its kind.
using GroupKey = std::pair<double, std::string>;

GroupKey category_of(const FindingInCase& view) {
  const std::string_view group = rexgroundingct::category_group(view.finding->category);
  return {group == rexgroundingct::uncategorized ? 1 : 0, std::string(group)};
}

GroupKey focality_of(const FindingInCase& view) {
  const auto category = rexgroundingct::find_category(view.finding->category);
  if (!category) return {2, std::string(rexgroundingct::uncategorized)};
  return category->focal ? GroupKey{0, "focal"} : GroupKey{1, "non_focal"};
}

GroupKey size_of(const FindingInCase& view) {
  const std::int64_t voxels = view.finding->reference_voxels;
  if (voxels == 0) return {0, "0"};
  std::int64_t low = 1;
  std::int64_t high = 100;
  while (voxels >= high && high < 1'000'000) {
    low = high;
    high *= 10;
  }
  return {static_cast<double>(low),
          voxels >= high ? decimal(high) + "+" : decimal(low) + "-" + decimal(high - 1)};
}

GroupKey entities_of(const FindingInCase& view) {
  const std::int64_t entities = view.finding->reference_entities;
  return entities > 3 ? GroupKey{4, ">3"} : GroupKey{static_cast<double>(entities), decimal(entities)};
}

GroupKey protocol_of(const FindingInCase& view) {
  const std::string& protocol = view.scored_case->protocol;
  return protocol.empty() ? GroupKey{1, "unspecified"} : GroupKey{0, protocol};
}

template <typename KeyOf>
std::vector<FindingGroup> groups_by(const std::vector<FindingInCase>& findings, KeyOf key_of) {
  std::map<GroupKey, std::vector<FindingInCase>> members;
  for (const FindingInCase& view : findings) members[key_of(view)].push_back(view);
  std::vector<FindingGroup> out;
  out.reserve(members.size());
  for (auto& [key, views] : members) out.push_back({key.second, std::move(views)});
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::vector<FindingGroup>>> grouped(
    const std::vector<FindingInCase>& findings) {
  using KeyOf = GroupKey (*)(const FindingInCase&);
  const std::pair<const char*, KeyOf> kinds[] = {{"category", category_of},
                                                 {"focality", focality_of},
                                                 {"size_voxels", size_of},
                                                 {"entities", entities_of},
                                                 {"protocol", protocol_of}};
  std::vector<std::pair<std::string, std::vector<FindingGroup>>> out;
  for (const auto& [kind, key_of] : kinds) out.emplace_back(kind, groups_by(findings, key_of));
  if (findings.empty()) return out;
  const std::vector<GroupLabel>& columns = findings.front().scored_case->groups;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    out.emplace_back(columns[i].column, groups_by(findings, [i](const FindingInCase& view) {
                       const std::vector<GroupLabel>& labels = view.scored_case->groups;
                       const GroupLabel label = i < labels.size() ? labels[i] : GroupColumn().label({});
                       return GroupKey{label.order, label.label};
                     }));
  }
  return out;
}

}  // namespace fiducial
