#include "fiducial/datasets/radgenome/questions.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/cases/grounded_case.h"
#include "fiducial/datasets/radgenome/audit.h"
#include "fiducial/datasets/radgenome/blind.h"
#include "fiducial/datasets/radgenome/word_guess.h"
#include "fiducial/text/words.h"

namespace fiducial::radgenome {

namespace {

using Names = std::vector<std::string_view>;

// The first of the known names that a column has, whatever its capitals and whatever stands between words.
std::string usual_column(const std::vector<std::string>& columns, const Names& known) {
  const auto plain = [](std::string_view text) {
    std::string out;
    for (const char c : ascii_lower(text)) {
      if (c != '_' && c != ' ' && c != '-') out += c;
    }
    return out;
  };
  for (const std::string_view name : known) {
    for (const std::string& column : columns) {
      if (plain(column) == name) return column;
    }
  }
  return {};
}

Result<std::string> wanted_column(const std::vector<std::string>& columns,
                                  const std::optional<std::string>& wanted, const Names& usual) {
  if (!wanted) return usual_column(columns, usual);
  if (std::find(columns.begin(), columns.end(), *wanted) != columns.end()) return *wanted;
  return no_such_name("column", *wanted, columns);
}

// Lower-case words of letters and digits; beyond ASCII every character counts as a letter.
std::vector<std::string> plain_words(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : ascii_lower(text)) {
    const bool is_part = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
    if (is_part) {
      out.back() += c;
    } else if (!out.back().empty()) {
      out.emplace_back();
    }
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

std::string plain_answer(std::string_view text) {
  std::string out =
      joined(white_space_words(text), " ", [](const std::string_view word) { return ascii_lower(word); });
  while (out.ends_with('.')) out.pop_back();
  return out;
}

// A table of questions in memory, 20 bytes a row beside its different texts.
class QuestionTable {
 public:
  void add(const TableRow& row, const QuestionColumns& columns) {
    const auto number = static_cast<std::uint32_t>(rows_.size());
    const bool has_image = !columns.image.empty() || !columns.patient.empty();
    const std::string_view image = columns.image.empty() ? row.place : row.volume;
    const std::string patient =
        columns.patient.empty() ? patient_of(std::string(row.volume)) : std::string(row.place);
    rows_.push_back({.image = has_image ? images_.id_of(image) : number,
                     .patient = has_image ? patients_.id_of(patient) : number,
                     .question = wording_of(row.finding),
                     .answer = answers_.id_of(plain_answer(row.answer)),
                     .line = static_cast<std::uint32_t>(row.line)});
  }

  std::int64_t rows() const { return count(rows_.size()); }
  std::int64_t images() const { return count(images_.size() == 0 ? rows_.size() : images_.size()); }
  std::int64_t patients() const { return count(patients_.size() == 0 ? rows_.size() : patients_.size()); }

  BlindBaselines baselines() const;
  std::vector<AuditCheck> checks(const std::string& file) const;

 private:
  struct Row {
    std::uint32_t image = 0;
    std::uint32_t patient = 0;
    std::uint32_t question = 0;
    std::uint32_t answer = 0;
    std::uint32_t line = 0;
  };

  static std::int64_t count(std::size_t n) { return static_cast<std::int64_t>(n); }
  bool is_closed(const Row& row) const { return row.answer == yes() || row.answer == no(); }
  std::optional<std::uint32_t> yes() const { return answers_.find("yes"); }
  std::optional<std::uint32_t> no() const { return answers_.find("no"); }

  std::uint32_t wording_of(std::string_view question) {
    std::vector<std::string> words = plain_words(question);
    std::string joined;
    for (const std::string& word : words) joined += word + ' ';
    const std::uint32_t id = questions_.id_of(joined);
    if (id == words_of_wording_.size()) {
      std::set<std::uint32_t> numbers;
      for (const std::string& word : words) numbers.insert(words_.id_of(word));
      words_of_wording_.emplace_back(numbers.begin(), numbers.end());
    }
    return id;
  }

  TextPool images_, patients_, questions_, answers_, words_;
  std::vector<std::vector<std::uint32_t>> words_of_wording_;
  std::vector<Row> rows_;
};

BlindBaselines QuestionTable::baselines() const {
  std::vector<BlindQuestion> all, all_bare, closed, closed_bare;
  std::vector<WordedQuestion> worded;
  for (const Row& row : rows_) {
    all.push_back({row.patient, row.question, row.answer});
    all_bare.push_back({row.patient, 0, row.answer});
    if (!is_closed(row)) continue;
    closed.push_back(all.back());
    closed_bare.push_back(all_bare.back());
    worded.push_back({row.patient, row.question, row.answer == yes()});
  }
  BlindBaselines out;
  const auto add = [&out](const char* task, const char* known, const char* measure, std::size_t n,
                          std::optional<double> value) {
    out.values.push_back({task, known, measure, count(n), value});
  };
  const std::size_t asked = all.size();
  const std::size_t closed_ones = closed.size();
  add("questions", "nothing", "exact", asked, blind_accuracy(std::move(all_bare), 0));
  add("questions", "question", "exact", asked, blind_accuracy(std::move(all), 0));
  if (closed_ones == 0) return out;
  add("yes_no", "nothing", "accuracy", closed_ones, blind_accuracy(std::move(closed_bare), 0));
  add("yes_no", "question", "accuracy", closed_ones, blind_accuracy(std::move(closed), 0));
  add("yes_no", "words", "accuracy", closed_ones, word_accuracy(worded, words_of_wording_, 0));
  return out;
}

std::vector<AuditCheck> QuestionTable::checks(const std::string& file) const {
  AuditCheck repeated{.rule = &lint_rules::question_repeated, .table = file, .of = rows()};
  AuditCheck conflict{.rule = &lint_rules::yes_and_no, .table = file, .of = 0};
  std::set<std::array<std::uint32_t, 3>> seen;
  for (const Row& row : rows_) {
    const auto hit = [&row](AuditCheck& check) {
      if (check.count++ == 0) check.first_place = "line " + decimal(row.line);
    };
    const bool is_new = seen.insert({row.image, row.question, row.answer}).second;
    if (!is_new) hit(repeated);
    if (!is_new || !is_closed(row)) continue;
    const std::uint32_t other = row.answer == yes() ? no().value_or(row.answer) : yes().value_or(row.answer);
    const bool is_asked = other != row.answer && seen.contains({row.image, row.question, other});
    if (is_asked) hit(conflict);
    *conflict.of += is_asked ? 0 : 1;
  }
  return {std::move(repeated), std::move(conflict)};
}

// The highest that is above what is allowed; of equal ones the first.
const BlindBaselines::Value* guessable(const BlindBaselines& baselines) {
  const BlindBaselines::Value* best = nullptr;
  for (const BlindBaselines::Value& each : baselines.values) {
    if (each.known == "nothing" || !each.value || *each.value <= highest_blind_accuracy) continue;
    if (best == nullptr || *each.value > *best->value) best = &each;
  }
  return best;
}

LintReport report_of(const QuestionTable& table, const std::string& file, bool has_images) {
  LintReport report{.benchmark = "questions", .dataset_file = file};
  report.splits.emplace_back("all", table.images());
  Json checks = Json::Array{};
  for (const AuditCheck& check : table.checks(file)) {
    if (!has_images) break;
    Json entry = check.json();
    checks.push(entry.set("split", "all"));
    if (check.count > 0) report.problems.add(*check.rule, {file, check.first_place}, check.message());
  }
  if (!has_images) {
    report.problems.add(lint_rules::image_unnamed, {file, ""},
                        "expected a column that names the image or the patient, found none: every row counts "
                        "as a patient of its own, and repeated questions are not looked for");
  }
  const BlindBaselines baselines = table.baselines();
  if (const BlindBaselines::Value* guessed = guessable(baselines)) {
    report.problems.add(lint_rules::answerable_blind, {file, ""},
                        "expected at most " + fixed(highest_blind_accuracy, 2) + " of the " +
                            (guessed->task == "yes_no" ? "yes/no " : "") +
                            "answers to be guessed without the image, found " + fixed(*guessed->value, 4) +
                            " from the " +
                            (guessed->known == "words" ? "words of the question" : "question"));
  }
  Json described = Json::object({{"split", "all"},
                                 {"task", "questions"},
                                 {"file", file},
                                 {"rows", table.rows()},
                                 {"volumes", table.images()},
                                 {"patients", table.patients()}});
  report.audit = {Json::object({{"tables", Json::array({std::move(described)})},
                                {"checks", std::move(checks)},
                                {"blind", Json::object({{"all", baselines.json()}})}}),
                  file + ": " + decimal(table.rows()) + " rows of " + decimal(table.images()) + " volumes\n" +
                      baselines.text()};
  return report;
}

}  // namespace

Result<std::optional<QuestionColumns>> find_question_columns(const std::vector<std::string>& names,
                                                             const LintRequest& request) {
  QuestionColumns out;
  FIDUCIAL_TRY(out.question, wanted_column(names, request.question_column, {"question", "questions"}));
  FIDUCIAL_TRY(out.answer, wanted_column(names, request.answer_column, {"answer", "answers"}));
  FIDUCIAL_TRY(
      out.image,
      wanted_column(names, request.image_column,
                    {"volumename", "volume", "volumeid", "scan",    "scanid",    "study",     "studyid",
                     "case",       "caseid", "image",    "imageid", "imagename", "imagepath", "imagefile",
                     "img",        "imgid",  "imgname",  "imgpath", "file",      "filename",  "id"}));
  out.patient = usual_column(names, {"patient", "patientid", "subject", "subjectid"});
  if (out.question.empty() || out.answer.empty()) return std::optional<QuestionColumns>();
  return std::optional(std::move(out));
}

Result<LintReport> lint_questions(const Path& path, const QuestionColumns& columns) {
  const bool has_images = !columns.image.empty() || !columns.patient.empty();
  const std::string volume = columns.image.empty() ? columns.patient : columns.image;
  FIDUCIAL_TRY(std::unique_ptr<FileStream> stored, FileStream::open(path));
  FIDUCIAL_TRY(TableRows rows, TableRows::open(std::move(stored), path.string(),
                                               {.volume = has_images ? volume : columns.question,
                                                .place = columns.patient,
                                                .finding = columns.question,
                                                .answer = columns.answer}));
  QuestionTable table;
  while (true) {
    FIDUCIAL_TRY(const std::optional<TableRow> row, rows.next());
    if (!row) break;
    table.add(*row, columns);
  }
  return report_of(table, path.filename().string(), has_images);
}

}  // namespace fiducial::radgenome
