#include "fiducial/datasets/radgenome/answer_check.h"

#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/radgenome/table_answers.h"

namespace fiducial::radgenome {

namespace {

namespace rules {
#define FIDUCIAL_LINT_RULE(code, severity, promise) \
  constexpr LintRule code{#code, Severity::severity, promise};
#include "fiducial/datasets/radgenome/answer_rules.def"
#undef FIDUCIAL_LINT_RULE
}  // namespace rules

LintPlace place_of(const std::string& file, const Error& error) {
  Place place = error.place();
  place.path.clear();
  return {file, place.text()};
}

// What a row of a table asks.
std::string asked_by(const Split& split, TableKind kind, const PooledRow& row) {
  const bool is_location = kind == TableKind::location;  // asks for the place
  return asked_text({.volume = split.volumes.text(row.volume),
                     .place = is_location ? std::string_view() : split.texts.text(row.place),
                     .finding = split.texts.text(row.finding)});
}

// Checks the answers to one table after another.
class TableAnswerCheck {
 public:
  TableAnswerCheck(const PredictionFiles& files, const Split& split) : files_(files), split_(split) {
    out_.facts = {.split = split.name, .kind = files.is_archive() ? "zip" : "folder"};
  }

  void check(const TableLayout& layout) {
    const PooledTable* table = split_.find(layout.kind);
    if (table == nullptr) return;
    append_joined(wanted_, std::string(layout.task) + ".csv");
    const Result<std::string> name = find_answer_file(files_, layout);
    if (!name.ok()) return out_.problems.add(rules::table_answers_unreadable, {}, name.error().message());
    if (name->empty()) {
      absent_.emplace_back(layout.task);
      return;
    }
    known_.insert(*name);
    check_file(layout, *table, *name);
  }

  CheckedTableAnswers finish() {
    if (known_.empty()) {
      out_.problems.add(rules::table_answers_none, {}, "expected any of " + wanted_ + ", found none");
      absent_.clear();
    }
    for (const std::string& task : absent_)
      out_.problems.add(rules::table_not_answered, {task + ".csv", ""}, "expected answers, found no file");
    for (const std::string& name : files_.names()) {
      if (!known_.contains(name))
        out_.problems.add(rules::table_answers_extra, {name, ""},
                          "expected answers to a table of \"" + split_.name + "\", found another file");
    }
    return std::move(out_);
  }

 private:
  void check_file(const TableLayout& layout, const PooledTable& table, const std::string& name) {
    SubmittedFile file{.name = name};
    if (const Result<StoredFile> stored = files_.open_file(name); stored.ok()) file.bytes = stored->size;
    const Result<TableAnswers> answers = read_answers(files_, name, split_, layout.kind);
    if (!answers.ok()) {
      out_.problems.add(rules::table_answers_unreadable, place_of(name, answers.error()),
                        answers.error().message());
    } else {
      file.digest = answers->digest;
      check_answers(layout, table, *answers);
    }
    out_.facts.files.push_back(std::move(file));
  }

  void check_answers(const TableLayout& layout, const PooledTable& table, const TableAnswers& answers) {
    if (answers.unknown > 0) {
      out_.problems.add(rules::table_answers_unknown, {answers.file, ""},
                        "expected the questions of " + table.file + ", found " + decimal(answers.unknown) +
                            " rows that ask something else, the first: " + answers.first_unknown,
                        answers.unknown);
    }
    if (answers.empty > 0) {
      out_.problems.add(
          rules::table_answers_empty, {answers.file, ""},
          "expected answers, found " + decimal(answers.empty) + " empty cells, which count as missing",
          answers.empty);
    }
    const std::int64_t missing = answers.missing() - answers.empty;
    if (missing <= 0) return;
    std::size_t first = 0;
    while (answers.of_row[first] != TextStore::none) ++first;
    out_.problems.add(rules::table_answers_missing, {answers.file, ""},
                      "expected an answer to each of " + decimal(table.rows.size()) +
                          " questions, found none to " + decimal(missing) +
                          ", the first: " + asked_by(split_, layout.kind, table.rows[first]),
                      missing);
  }

  const PredictionFiles& files_;
  const Split& split_;
  std::string wanted_;
  std::vector<std::string> absent_;
  std::set<std::string> known_;
  CheckedTableAnswers out_;
};

}  // namespace

CheckedTableAnswers check_table_answers(const PredictionFiles& files, const Split& split) {
  TableAnswerCheck check(files, split);
  for (const TableLayout& layout : table_layouts()) check.check(layout);
  return check.finish();
}

}  // namespace fiducial::radgenome
