#include "fiducial/eval/task/run_groups.h"

#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/eval/run/score_run.h"
#include "fiducial/eval/task/metadata_groups.h"

namespace fiducial {

namespace {

// More groups than this are not groups but cases.
constexpr std::size_t most_groups = 200;

// The words that name columns of the metadata; the others are kinds of the run itself.
std::vector<std::string> column_words(const ScoreRun& run, const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    const bool is_own = std::any_of(run.groups.begin(), run.groups.end(),
                                    [&word](const GroupKind& kind) { return kind.kind == word; });
    if (!is_own) out.push_back(word);
  }
  return out;
}

void keep_named(ScoreRun& run, const std::vector<std::string>& words) {
  const auto is_named = [&words](const GroupKind& kind) {
    return std::find(words.begin(), words.end(), kind.kind) != words.end();
  };
  // A mean over categories is made from them, whatever the run is grouped by.
  const bool needs_categories =
      std::any_of(run.measures.begin(), run.measures.end(),
                  [](const Measure& each) { return each.statistic.kind == Statistic::Kind::category_means; });
  const auto is_kept = [&](const GroupKind& kind) {
    return is_named(kind) || (needs_categories && kind.kind == category_kind);
  };
  if (std::any_of(run.groups.begin(), run.groups.end(), is_named))
    std::erase_if(run.groups, [&](const GroupKind& kind) { return !is_kept(kind); });
}

// The units of a run by one column: every unit of a case has the label of its case.
GroupKind groups_by(const ScoreRun& run, const std::string& column, const std::vector<GroupLabel>& of_cases) {
  std::map<std::pair<double, std::string>, LabelledUnits> by_label;
  for (std::uint32_t unit = 0; unit < run.units.size(); ++unit) {
    const GroupLabel& label = of_cases[run.units[unit].at];
    LabelledUnits& group = by_label[{label.order, label.label}];
    group.label = label.label;
    group.order = label.order;
    group.members.push_back(unit);
  }
  GroupKind out{.kind = column};
  for (auto& [key, group] : by_label) out.groups.push_back(std::move(group));
  return out;
}

Outcome check_count(const GroupKind& kind, const VolumeMetadata& metadata) {
  if (kind.groups.size() <= most_groups) return done();
  return Error(ErrorCode::bad_usage,
               "--group-by " + kind.kind + ": the cases have " + decimal(kind.groups.size()) +
                   " different values; expected at most " + decimal(most_groups),
               Place{.path = metadata.path().string()});
}

Outcome add_columns(const VolumeMetadata& metadata, const std::vector<GroupColumn>& columns, ScoreRun& run) {
  std::vector<std::vector<GroupLabel>> labels(columns.size());
  for (const RunCase& entry : run.cases) {
    const std::vector<GroupLabel> found = group_labels(columns, metadata, entry.name);
    for (std::size_t i = 0; i < columns.size(); ++i) labels[i].push_back(found[i]);
    if (!metadata.find(entry.name))
      run.remarks.push_back({entry.name, "no_metadata", "no row in " + metadata.file_name()});
  }
  Json recorded{Json::Array{}};
  Json names{Json::Array{}};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    run.groups.push_back(groups_by(run, columns[i].column, labels[i]));
    FIDUCIAL_TRY_DONE(check_count(run.groups.back(), metadata));
    recorded.push(to_json(columns[i]));
    names.push(columns[i].column);
  }
  if (run.rules.is_null()) run.rules = Json::object({});
  run.rules.set("group_by", std::move(recorded));
  run.group_columns = std::move(names);
  run.inputs.push_back({"metadata", "", metadata.file_name(), metadata.digest()});
  return done();
}

}  // namespace

Result<VolumeMetadata> read_metadata(const TaskCall& call) {
  std::optional<Path> path = call.path("metadata");
  if (!path) {
    const std::vector<Path> found = find_metadata_files(call.path("volumes"), call.dataset());
    if (found.empty()) {
      const auto volumes = call.path("volumes");
      return invalid_data("no *metadata*.csv in " + (volumes ? volumes->string() + " or " : std::string()) +
                          call.dataset().string() + "; name the table with --metadata");
    }
    if (found.size() > 1) {
      return bad_usage("several tables of metadata; choose one with --metadata: " +
                       joined(found, ", ", [](const Path& each) { return each.string(); }));
    }
    path = found.front();
  }
  FIDUCIAL_TRY(VolumeMetadata metadata, VolumeMetadata::read(*path));
  FIDUCIAL_TRY_DONE(metadata.check_unique());
  return metadata;
}

// Neither a kind of groups that the run has nor, for want of a table, a column.
Error no_such_groups(const ScoreRun& run, const std::vector<std::string>& words, const Error& reason) {
  std::vector<std::string> kinds;
  for (const GroupKind& kind : run.groups) kinds.push_back(kind.kind);
  return bad_usage("--group-by " + joined(words, ",") + ": the run has groups by " +
                   (kinds.empty() ? "nothing" : joined(kinds)) + "; " + reason.message());
}

Outcome group_run(const TaskCall& call, ScoreRun& run) {
  const std::vector<std::string> words = call.texts("group-by");
  const std::vector<std::string> columns = column_words(run, words);
  if (columns.empty() && !call.given("metadata")) {
    keep_named(run, words);
    return done();
  }
  const bool can_find =
      call.given("metadata") || !find_metadata_files(call.path("volumes"), call.dataset()).empty();
  Result<VolumeMetadata> metadata_or = read_metadata(call);
  if (!metadata_or.ok())
    return can_find ? metadata_or.error() : no_such_groups(run, columns, metadata_or.error());
  const VolumeMetadata metadata = *std::move(metadata_or);
  keep_named(run, words);
  if (columns.empty()) return done();
  FIDUCIAL_TRY(const std::vector<GroupColumn> resolved, resolve_group_columns(metadata, columns));
  return add_columns(metadata, resolved, run);
}

}  // namespace fiducial
