#include "fiducial/tasks/region_tables/table_tasks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fiducial/datasets/radgenome/size_text.h"
#include "fiducial/metrics/table_contracts.h"

namespace fiducial {

namespace {

using radgenome::PooledRow;

constexpr const char* nothing_asked = "no question is asked";

ScoreFamily empty_scores(const std::string& task, std::size_t units) {
  return {.name = task,
          .absence = nothing_asked,
          .counted = task == "disorders" ? "cases" : "questions",
          .counts = UnitValues(units),
          .failed = UnitValues(units)};
}

// True and false positives and false negatives, as shares of a unit.
class PooledCounts {
 public:
  PooledCounts(ScoreFamily& scores, const std::string& precision, const std::string& recall,
               const std::string& f1)
      : scores_(scores), first_(scores.measures.size()) {
    for (const std::string& id : {precision, recall, f1}) scores.add(id, table_contract(id), true);
  }

  void add(std::uint32_t unit, double hits, double false_alarms, double misses) {
    add_to(0, unit, hits, hits + false_alarms);
    add_to(1, unit, hits, hits + misses);
    add_to(2, unit, 2 * hits, 2 * hits + false_alarms + misses);
  }

 private:
  void add_to(std::size_t measure, std::uint32_t unit, double sum, double weight) {
    FamilyMeasure& at = scores_.measures[first_ + measure];
    at.sums[unit] += sum;
    at.weights[unit] += weight;
  }

  ScoreFamily& scores_;
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
  explicit PlainLists(const radgenome::TextPool& pool) : pool_(pool), lists_(pool.size()) {}
  const std::vector<std::string>& of(std::uint32_t id) {
    if (!lists_[id]) lists_[id] = plain_list(plain_answer(pool_.text(id)));
    return *lists_[id];
  }

 private:
  const radgenome::TextPool& pool_;
  std::vector<std::optional<std::vector<std::string>>> lists_;
};

// The answers of a table, row by row.
class SaidTexts {
 public:
  explicit SaidTexts(const AnsweredTable& of) : of_(of), reader_(of.answers.texts) {}
  // Nothing where a row has no answer; valid until the next call.
  Result<std::optional<std::string_view>> of(std::size_t row) {
    if (!of_.is_answered(row)) return std::optional<std::string_view>();
    FIDUCIAL_TRY(const std::string_view text, reader_.text(of_.answers.of_row[row]));
    return std::optional(text);
  }

 private:
  const AnsweredTable& of_;
  TextStore::Reader reader_;
};

// Which paths are right for what is asked, as numbers of plain texts.
class RightPaths {
 public:
  explicit RightPaths(const AnsweredTable& of) {
    std::vector<std::uint32_t> plain_of(of.split.texts.size(), unseen);
    for (const PooledRow& row : of.table.rows) {
      std::uint32_t& plain = plain_of[row.answer];
      if (plain == unseen) plain = plain_.id_of(plain_answer(of.split.texts.text(row.answer)));
      right_.push_back({row.volume, row.finding, plain});
    }
    std::sort(right_.begin(), right_.end());
  }
  bool has(const PooledRow& asked, const std::string& said) const {
    const auto plain = plain_.find(said);
    return plain &&
           std::binary_search(right_.begin(), right_.end(), std::array{asked.volume, asked.finding, *plain});
  }

 private:
  static constexpr std::uint32_t unseen = 0xFFFFFFFF;
  radgenome::TextPool plain_;
  std::vector<std::array<std::uint32_t, 3>> right_;  // volume, finding, path
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

Result<ScoreFamily> score_presence(const AnsweredTable& of, std::size_t units) {
  ScoreFamily out = empty_scores("presence", units);
  out.add("presence_accuracy", table_contract("presence_accuracy"));
  PooledCounts pooled(out, "presence_precision", "presence_recall", "presence_f1");
  SaidTexts texts(of);
  for (std::size_t row = 0; row < of.table.rows.size(); ++row) {
    if (!of.is_scored(row)) continue;
    const std::uint32_t unit = of.unit_of_row[row];
    const std::optional<bool> wanted = yes_or_no(plain_answer(of.reference(row)));
    if (!wanted) continue;  // the audit tells of references that are neither
    FIDUCIAL_TRY(const std::optional<std::string_view> said, texts.of(row));
    const auto answer = said ? yes_or_no(plain_answer(*said)) : std::nullopt;
    out.counts[unit] += 1;
    out.failed[unit] += answer ? 0 : 1;
    const bool right = answer == wanted;
    out.measures.front().sums[unit] += right ? 1 : 0;
    pooled.add(unit, *wanted && right ? 1 : 0, !*wanted && !right ? 1 : 0, *wanted && !right ? 1 : 0);
  }
  return out;
}

Result<ScoreFamily> score_lists(const AnsweredTable& of, std::size_t units, const std::string& task) {
  ScoreFamily out = empty_scores(task, units);
  out.add(task + "_exact", table_contract(task + "_exact"));
  out.add(task + "_f1", table_contract(task + "_f1"));
  PooledCounts pooled(out, task + "_precision", task + "_recall", task + "_micro_f1");
  PlainLists references(of.split.texts);
  SaidTexts texts(of);
  for (std::size_t row = 0; row < of.table.rows.size(); ++row) {
    if (!of.is_scored(row)) continue;
    const std::uint32_t unit = of.unit_of_row[row];
    FIDUCIAL_TRY(const std::optional<std::string_view> text, texts.of(row));
    const std::vector<std::string>& wanted = references.of(of.table.rows[row].answer);
    const std::vector<std::string> said = text ? plain_list(plain_answer(*text)) : std::vector<std::string>();
    const auto common = static_cast<double>(common_members(wanted, said));
    const auto members = static_cast<double>(wanted.size() + said.size());
    out.counts[unit] += 1;
    out.failed[unit] += text ? 0 : 1;
    out.measures[0].sums[unit] += text && wanted == said ? 1 : 0;
    out.measures[1].sums[unit] += !text ? 0 : members == 0 ? 1 : 2 * common / members;
    pooled.add(unit, common, static_cast<double>(said.size()) - common,
               static_cast<double>(wanted.size()) - common);
  }
  return out;
}

Result<ScoreFamily> score_locations(const AnsweredTable& of, std::size_t units) {
  ScoreFamily out = empty_scores("location", units);
  for (const char* id : {"location_exact", "location_head", "location_path", "location_any_of"})
    out.add(id, table_contract(id));
  const RightPaths right_paths(of);
  PlainTexts references(of.split.texts);
  SaidTexts texts(of);
  for (std::size_t row = 0; row < of.table.rows.size(); ++row) {
    if (!of.is_scored(row)) continue;
    const std::uint32_t unit = of.unit_of_row[row];
    const PooledRow& asked = of.table.rows[row];
    FIDUCIAL_TRY(const std::optional<std::string_view> text, texts.of(row));
    out.counts[unit] += 1;
    if (!text) {
      out.failed[unit] += 1;
      continue;
    }
    const std::string& wanted = references.of(asked.answer);
    const std::string said = plain_answer(*text);
    out.measures[0].sums[unit] += said == wanted ? 1 : 0;
    out.measures[1].sums[unit] += radgenome::head_of(said) == radgenome::head_of(wanted) ? 1 : 0;
    out.measures[2].sums[unit] += path_overlap(said, wanted);
    out.measures[3].sums[unit] += right_paths.has(asked, said) ? 1 : 0;
  }
  return out;
}

Result<ScoredSizes> score_sizes(const AnsweredTable& of, std::size_t units) {
  ScoreFamily out = empty_scores("size", units);
  std::vector<RowError> errors;
  out.add("size_error", table_contract("size_error"));
  out.add("size_agreement", table_contract("size_agreement"));
  SaidTexts texts(of);
  for (std::size_t row = 0; row < of.table.rows.size(); ++row) {
    if (!of.is_scored(row)) continue;
    const auto wanted = radgenome::find_size(of.reference(row));
    if (!wanted) continue;  // no size in mm: the audit tells of it
    const std::uint32_t unit = of.unit_of_row[row];
    FIDUCIAL_TRY(const std::optional<std::string_view> text, texts.of(row));
    const auto said = text ? radgenome::find_size_in(*text) : std::nullopt;
    const double error =
        said ? radgenome::size_difference_mm(*wanted, *said) : radgenome::size_difference_of_none_mm(*wanted);
    errors.push_back({static_cast<std::uint32_t>(row), error});
    out.counts[unit] += 1;
    out.measures[0].sums[unit] += error;
    if (!said) {
      out.failed[unit] += 1;
      continue;
    }
    const double larger = std::max(wanted->largest_mm(), said->largest_mm());
    const double smaller = std::min(wanted->largest_mm(), said->largest_mm());
    out.measures[1].sums[unit] += larger > 0 ? smaller / larger : 1;
  }
  return ScoredSizes{std::move(out), std::move(errors)};
}

}  // namespace fiducial
