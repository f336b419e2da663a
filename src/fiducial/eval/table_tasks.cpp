#include "fiducial/eval/table_tasks.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/datasets/radgenome/size_text.h"

namespace fiducial {

namespace {

using radgenome::PooledRow;

constexpr const char* nothing_asked = "no question is asked";

TaskScores empty_scores(const std::string& task, std::size_t units) {
  return {.task = task,
          .absence = nothing_asked,
          .counts = std::vector<std::uint32_t>(units),
          .failed = std::vector<std::uint32_t>(units)};
}

// True and false positives and false negatives, as shares of a unit.
class PooledCounts {
 public:
  PooledCounts(TaskScores& scores, const std::string& precision, const std::string& recall,
               const std::string& f1)
      : scores_(scores), first_(scores.measures.size()) {
    scores.add(precision, precision, true);
    scores.add(recall, recall, true);
    scores.add(f1, f1, true);
  }

  void add(std::uint32_t unit, double hits, double false_alarms, double misses) {
    add_to(0, unit, hits, hits + false_alarms);
    add_to(1, unit, hits, hits + misses);
    add_to(2, unit, 2 * hits, 2 * hits + false_alarms + misses);
  }

 private:
  void add_to(std::size_t measure, std::uint32_t unit, double sum, double weight) {
    TaskMeasure& at = scores_.measures[first_ + measure];
    at.sums[unit] += sum;
    at.weights[unit] += weight;
  }

  TaskScores& scores_;
  std::size_t first_;
};

// Plain answers, made once a text.
class PlainTexts {
 public:
  explicit PlainTexts(const radgenome::TextPool& pool) : pool_(pool), plain_(pool.size()) {}
  const std::string& of(std::uint32_t id) {
    if (!plain_[id]) plain_[id] = plain_answer(pool_.text(id));
    return *plain_[id];
  }

 private:
  const radgenome::TextPool& pool_;
  std::vector<std::optional<std::string>> plain_;
};

class PlainLists {
 public:
  explicit PlainLists(const radgenome::TextPool& pool) : texts_(pool), lists_(pool.size()) {}
  const std::vector<std::string>& of(std::uint32_t id) {
    if (!lists_[id]) lists_[id] = plain_list(texts_.of(id));
    return *lists_[id];
  }

 private:
  PlainTexts texts_;
  std::vector<std::optional<std::vector<std::string>>> lists_;
};

std::size_t common_members(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

std::vector<std::string> path_names(const std::string& path) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    out.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  std::sort(out.begin(), out.end());
  return out;
}

double path_overlap(const std::string& a, const std::string& b) {
  const std::vector<std::string> one = path_names(a);
  const std::vector<std::string> two = path_names(b);
  return static_cast<double>(common_members(one, two)) /
         static_cast<double>(std::max(one.size(), two.size()));
}

}  // namespace

TaskScores score_presence(const AnsweredTable& of, std::size_t units) {
  TaskScores out = empty_scores("presence", units);
  out.add("presence_accuracy", "presence_accuracy");
  PooledCounts pooled(out, "presence_precision", "presence_recall", "presence_f1");
  for (std::size_t row = 0; row < of.table.rows.size(); ++row) {
    const std::uint32_t unit = of.unit_of_row[row];
    const std::optional<bool> wanted = yes_or_no(plain_answer(of.reference(row)));
    if (!wanted) continue;  // the audit tells of references that are neither
    const auto answer = of.is_answered(row) ? yes_or_no(plain_answer(of.answer(row))) : std::nullopt;
    ++out.counts[unit];
    out.failed[unit] += answer ? 0U : 1U;
    const bool right = answer == wanted;
    out.measures.front().sums[unit] += right ? 1 : 0;
    pooled.add(unit, *wanted && right ? 1 : 0, !*wanted && !right ? 1 : 0, *wanted && !right ? 1 : 0);
  }
  return out;
}

TaskScores score_lists(const AnsweredTable& of, std::size_t units, const std::string& task) {
  TaskScores out = empty_scores(task, units);
  out.add(task + "_exact", task + "_exact");
  out.add(task + "_f1", task + "_f1");
  PooledCounts pooled(out, task + "_precision", task + "_recall", task + "_micro_f1");
  PlainLists references(of.split.texts);
  PlainLists answers(of.answers.texts);
  const std::vector<std::string> nothing;
  for (std::size_t row = 0; row < of.table.rows.size(); ++row) {
    const std::uint32_t unit = of.unit_of_row[row];
    const bool answered = of.is_answered(row);
    const std::vector<std::string>& wanted = references.of(of.table.rows[row].answer);
    const std::vector<std::string>& said = answered ? answers.of(of.answers.of_row[row]) : nothing;
    const auto common = static_cast<double>(common_members(wanted, said));
    const auto members = static_cast<double>(wanted.size() + said.size());
    ++out.counts[unit];
    out.failed[unit] += answered ? 0U : 1U;
    out.measures[0].sums[unit] += answered && wanted == said ? 1 : 0;
    out.measures[1].sums[unit] += !answered ? 0 : members == 0 ? 1 : 2 * common / members;
    pooled.add(unit, common, static_cast<double>(said.size()) - common,
               static_cast<double>(wanted.size()) - common);
  }
  return out;
}

TaskScores score_locations(const AnsweredTable& of, std::size_t units) {
  TaskScores out = empty_scores("location", units);
  for (const char* id : {"location_exact", "location_head", "location_path", "location_any_of"})
    out.add(id, id);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::string>> right_paths;
  for (const PooledRow& row : of.table.rows) {
    right_paths[{row.volume, row.finding}].insert(plain_answer(of.split.texts.text(row.answer)));
  }
  PlainTexts references(of.split.texts);
  PlainTexts answers(of.answers.texts);
  for (std::size_t row = 0; row < of.table.rows.size(); ++row) {
    const std::uint32_t unit = of.unit_of_row[row];
    const PooledRow& asked = of.table.rows[row];
    ++out.counts[unit];
    if (!of.is_answered(row)) {
      ++out.failed[unit];
      continue;
    }
    const std::string& wanted = references.of(asked.answer);
    const std::string& said = answers.of(of.answers.of_row[row]);
    out.measures[0].sums[unit] += said == wanted ? 1 : 0;
    out.measures[1].sums[unit] += radgenome::head_of(said) == radgenome::head_of(wanted) ? 1 : 0;
    out.measures[2].sums[unit] += path_overlap(said, wanted);
    out.measures[3].sums[unit] += right_paths.at({asked.volume, asked.finding}).contains(said) ? 1 : 0;
  }
  return out;
}

TaskScores score_sizes(const AnsweredTable& of, std::size_t units) {
  TaskScores out = empty_scores("size", units);
  out.add("size_error", "size_error");
  out.add("size_agreement", "size_agreement");
  for (std::size_t row = 0; row < of.table.rows.size(); ++row) {
    const auto wanted = radgenome::find_size(of.reference(row));
    if (!wanted) continue;  // no size in mm: the audit tells of it
    const std::uint32_t unit = of.unit_of_row[row];
    const auto said = of.is_answered(row) ? radgenome::find_size_in(of.answer(row)) : std::nullopt;
    ++out.counts[unit];
    if (!said) {
      ++out.failed[unit];
      out.measures[0].sums[unit] += radgenome::size_difference_of_none_mm(*wanted);
      continue;
    }
    out.measures[0].sums[unit] += radgenome::size_difference_mm(*wanted, *said);
    const double larger = std::max(wanted->largest_mm(), said->largest_mm());
    const double smaller = std::min(wanted->largest_mm(), said->largest_mm());
    out.measures[1].sums[unit] += larger > 0 ? smaller / larger : 1;
  }
  return out;
}

}  // namespace fiducial
