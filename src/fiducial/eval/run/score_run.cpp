#include "fiducial/eval/run/score_run.h"

#include <algorithm>
#include <limits>

namespace fiducial {

std::string_view to_string(ScoreMode mode) {
  constexpr std::string_view names[] = {"both", "strict", "official"};
  return names[static_cast<std::size_t>(mode)];
}

Result<ScoreMode> parse_score_mode(std::string_view text) {
  for (const ScoreMode mode : {ScoreMode::both, ScoreMode::strict, ScoreMode::official}) {
    if (text == to_string(mode)) return mode;
  }
  return bad_usage("mode \"" + std::string(text) + "\"; expected both, strict or official");
}

Digest digest_of(const std::vector<HashedFile>& files) {
  std::string lines;
  for (const HashedFile& file : files) lines += file.digest.hex() + "  " + file.name + "\n";
  return sha256(as_bytes(lines));
}

void add_evidence(RunCase& entry, const char* key, Json value) {
  const Result<Json> before = entry.evidence.empty() ? Json::object({}) : parse_json(entry.evidence);
  FIDUCIAL_ASSERT(before.ok());  // we wrote it
  Json all = *before;
  entry.evidence = all.set(key, std::move(value)).compact();
}

bool ScoreRun::wants(Scorer scorer) const {
  return mode == ScoreMode::both || (mode == ScoreMode::strict) == (scorer == Scorer::strict);
}

std::vector<Scorer> ScoreRun::scorers() const {
  std::vector<Scorer> out;
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    if (wants(scorer)) out.push_back(scorer);
  }
  return out;
}

std::uint8_t ScoreRun::mark(const RowMark& wanted) {
  const auto found = std::find(marks.begin(), marks.end(), wanted);
  if (found != marks.end()) return static_cast<std::uint8_t>(found - marks.begin());
  // Reasons are sentences of ours; more than fit into a byte are told as one.
  if (marks.size() == 255) return mark({wanted.status, "for other reasons"});
  marks.push_back(wanted);
  return static_cast<std::uint8_t>(marks.size() - 1);
}

namespace {

void share_with(const SharedValues& earlier, SharedValues& values) {
  if (values && earlier && values != earlier && *values == *earlier) values = earlier;
}

}  // namespace

std::size_t ScoreRun::add(ScoreColumn column) {
  for (const ScoreColumn& earlier : columns) {
    for (SharedValues* values : {&column.sums, &column.weights, &column.asked, &column.failed}) {
      for (const SharedValues& other : {earlier.sums, earlier.weights, earlier.asked, earlier.failed}) {
        share_with(other, *values);
      }
    }
  }
  share_with(column.weights, column.asked);
  columns.push_back(std::move(column));
  return columns.size() - 1;
}

namespace {

// The number of every unit's group, in the order of the labels.
std::vector<std::uint32_t> numbers_of(const std::vector<LabelledUnits>& groups, std::size_t units) {
  std::map<std::string_view, const LabelledUnits*> by_label;
  for (const LabelledUnits& group : groups) by_label.emplace(group.label, &group);
  std::vector<std::uint32_t> out(units);
  std::uint32_t next = 0;
  for (const auto& [label, group] : by_label) {
    for (const std::uint32_t unit : group->members) out[unit] = next;
    ++next;
  }
  return out;
}

}  // namespace

PooledUnits ScoreRun::pooled_units() const {
  PooledUnits out;
  std::map<std::string_view, std::uint32_t> numbers;
  std::vector<std::uint32_t> patient_of_case;
  for (const RunCase& entry : cases) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    patient_of_case.push_back(numbers.emplace(entry.patient, number).first->second);
  }
  out.patient_count = numbers.size();
  for (const RunUnit& unit : units) {
    out.cases.push_back(unit.at);
    out.patients.push_back(patient_of_case[unit.at]);
  }
  const auto by_category = std::find_if(groups.begin(), groups.end(),
                                        [](const GroupKind& each) { return each.kind == category_kind; });
  if (by_category != groups.end()) out.categories = numbers_of(by_category->groups, units.size());
  return out;
}

void sort_remarks(ScoreRun& run) {
  std::map<std::string_view, std::int64_t> positions;
  for (const RunCase& entry : run.cases) positions.emplace(entry.name, entry.position);
  using Key = std::pair<std::int64_t, std::string_view>;
  const auto key_of = [&positions](const Remark& remark) {
    const auto found = positions.find(remark.about);
    return found == positions.end() ? Key{std::numeric_limits<std::int64_t>::max(), remark.about}
                                    : Key{found->second, ""};
  };
  std::vector<Remark> sorted = run.remarks;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&key_of](const Remark& a, const Remark& b) { return key_of(a) < key_of(b); });
  run.remarks = std::move(sorted);
}

void remove_slot(ScoreRun& run, std::string_view slot) {
  const auto found = std::find_if(run.measures.begin(), run.measures.end(),
                                  [slot](const Measure& measure) { return measure.slot == slot; });
  if (found == run.measures.end()) return;
  const std::size_t column = found->column;
  run.measures.erase(found);
  const auto uses = [column](const Measure& measure) {
    return measure.column == column ||
           std::find(measure.counts.begin(), measure.counts.end(), column) != measure.counts.end();
  };
  if (std::any_of(run.measures.begin(), run.measures.end(), uses)) return;
  run.columns.erase(run.columns.begin() + static_cast<std::ptrdiff_t>(column));
  for (Measure& measure : run.measures) {
    if (measure.column > column) --measure.column;
    for (std::size_t& count : measure.counts) count -= count > column ? 1 : 0;
  }
}

void digest_inputs(ScoreRun& run) {
  std::vector<HashedFile> files = run.prediction_files;
  for (const CaseFiles& each : run.files) {
    if (each.prediction_digest) files.push_back({"masks of " + each.name, *each.prediction_digest});
  }
  run.dataset.digest = digest_of(run.dataset_files);
  if (run.predictions) run.predictions->digest = digest_of(files);
}

}  // namespace fiducial
