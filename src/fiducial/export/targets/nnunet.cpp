#include <algorithm>
#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/base/version.h"
#include "fiducial/export/export_target.h"
#include "fiducial/export/nnunet_dataset.h"

namespace fiducial {

namespace {

// A group for every category that a case to train on has, in their order.
std::vector<NnunetGroup> category_groups(const NnunetCases& cases, std::int64_t first) {
  std::map<std::string, std::string> titles;
  for (const NnunetCases::Case& one : cases.training) {
    for (const Finding& finding : one.entry->findings)
      titles.try_emplace(std::string(category_group(finding)), finding.category_title);
  }
  std::vector<NnunetGroup> out;
  out.reserve(titles.size());
  for (const auto& [category, title] : titles) {
    out.push_back({.number = first++,
                   .name = "findings_" + category,
                   .category = category,
                   .title = "Findings of category " + category + (title.empty() ? "" : ": " + title)});
  }
  return out;
}

Json manifest_of(const ExportCall& call, const std::string& benchmark, const std::vector<NnunetGroup>& groups,
                 const std::vector<NnunetCounts>& counts) {
  Json datasets = Json::Array{};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    datasets.push(
        Json::object({{"folder", nnunet_folder(groups[i])},
                      {"label", groups[i].title + ", one union a case: findings overlap, labels must not"},
                      {"category", groups[i].category.empty() ? Json() : Json(groups[i].category)},
                      {"training", counts[i].training},
                      {"test", counts[i].test},
                      {"empty", counts[i].empty}}));
  }
  return Json::object({{"schema", "fiducial.nnunet_export/1"},
                       {"tool", Json::object({{"name", "fiducial"}, {"version", tool_version}})},
                       {"benchmark", benchmark},
                       {"egress", call.terms},
                       {"datasets", std::move(datasets)}});
}

Result<ExportOutcome> export_nnunet(const ExportCall& call) {
  const auto first = parse_integer(call.text("first-id"));
  if (!first || *first < 1 || *first > 900)
    return bad_usage("--first-id: expected 1 to 900, found " + call.text("first-id"));
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(call.request.dataset));
  FIDUCIAL_TRY(StagedFolder folder,
               StagedFolder::create(call.request.output, "manifest.json", call.request.overwrite));
  std::vector<std::string> left_out;
  FIDUCIAL_TRY(const NnunetCases cases, nnunet_cases(call, *opened.dataset, left_out));
  const std::vector<NnunetGroup> groups =
      call.text("findings") == "category"
          ? category_groups(cases, *first)
          : std::vector<NnunetGroup>{{.number = *first, .name = "findings", .title = "All findings"}};
  FIDUCIAL_TRY(const std::vector<NnunetCounts> counts,
               write_nnunet_datasets(call, *opened.dataset, cases, groups, folder.staging()));
  ExportOutcome out{.manifest = manifest_of(call, opened.adapter->id, groups, counts)};
  out.manifest.set("left_out", Json::strings(left_out));
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / "terms.json", call.terms.pretty()));
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / "manifest.json", out.manifest.pretty()));
  FIDUCIAL_TRY_DONE(folder.publish());
  out.told = call.request.output.string() + ": " + decimal(groups.size()) +
             (groups.size() == 1 ? " dataset of " : " datasets of ") + decimal(cases.training.size()) +
             " cases to train on and " + decimal(cases.test.size()) + " to test on";
  for (const std::string& sentence : left_out) out.told += "\nleft out: " + sentence;
  return out;
}

}  // namespace

ExportTarget nnunet_target() {
  return {.id = "nnunet",
          .title = "raw datasets of nnU-Net, for nnUNet_raw",
          .volumes = ExportTarget::Need::required,
          .carries_data = true,
          .options = {{.name = "findings",
                       .help = "One dataset of all findings, or one of each category",
                       .fallback = "union",
                       .choices = {"union", "category"}},
                      {.name = "first-id",
                       .help = "Number of the first dataset",
                       .kind = TaskOption::Kind::integer,
                       .fallback = "501"}},
          .run = export_nnunet};
}

}  // namespace fiducial
