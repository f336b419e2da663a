#include "fiducial/tasks/finding_masks/finding_groups.h"

#include <map>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

// A label and its place among the labels of its kind.
using GroupKey = std::pair<double, std::string>;
using KeyOf = GroupKey (*)(const CaseScore&, const FindingScore&);

GroupKey by_category(const CaseScore&, const FindingScore& finding) {
  return {finding.category_group == uncategorized ? 1 : 0, finding.category_group};
}

GroupKey by_focality(const CaseScore&, const FindingScore& finding) {
  const double order = finding.focality == "focal" ? 0 : finding.focality == "non_focal" ? 1 : 2;
  return {order, finding.focality};
}

GroupKey by_size(const CaseScore&, const FindingScore& finding) {
  const std::int64_t voxels = finding.reference_voxels;
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

GroupKey by_entities(const CaseScore&, const FindingScore& finding) {
  const std::int64_t entities = finding.reference_entities;
  return entities > 3 ? GroupKey{4, ">3"} : GroupKey{static_cast<double>(entities), decimal(entities)};
}

GroupKey by_protocol(const CaseScore& scored, const FindingScore&) {
  return scored.protocol.empty() ? GroupKey{1, "unspecified"} : GroupKey{0, scored.protocol};
}

GroupKind kind_of(const char* name, KeyOf key_of, const std::vector<CaseScore>& cases) {
  std::map<GroupKey, LabelledUnits> by_key;
  std::uint32_t unit = 0;
  for (const CaseScore& scored : cases) {
    for (const FindingScore& finding : scored.findings) {
      const GroupKey key = key_of(scored, finding);
      LabelledUnits& group = by_key[key];
      group.order = key.first;
      group.label = key.second;
      group.members.push_back(unit++);
    }
  }
  GroupKind out{.kind = name};
  for (auto& [key, group] : by_key) out.groups.push_back(std::move(group));
  return out;
}

}  // namespace

std::vector<GroupKind> finding_groups(const std::vector<CaseScore>& cases) {
  constexpr std::pair<const char*, KeyOf> kinds[] = {{category_kind.data(), by_category},
                                                     {"focality", by_focality},
                                                     {"size_voxels", by_size},
                                                     {"entities", by_entities},
                                                     {"protocol", by_protocol}};
  std::vector<GroupKind> out;
  for (const auto& [kind, key_of] : kinds) out.push_back(kind_of(kind, key_of, cases));
  return out;
}

}  // namespace fiducial
