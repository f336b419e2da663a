#include "fiducial/datasets/curated_check.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/curated_marks.h"
#include "fiducial/table/csv.h"

namespace fiducial {

namespace {

namespace rules {
#define FIDUCIAL_LINT_RULE(code, severity, promise) \
  constexpr LintRule code{#code, Severity::severity, promise};
#include "fiducial/datasets/curated_rules.def"
#undef FIDUCIAL_LINT_RULE
}  // namespace rules

constexpr std::size_t longest_row = std::size_t{1} << 28;

// Outputs of stages, by where they lie in a folder of several of them and in that of their own stage.
constexpr std::string_view facts_file = "findings/facts.jsonl";
constexpr std::string_view findings_file = "findings/findings.jsonl";
constexpr std::string_view sentences_file = "standardise/sources.jsonl";
constexpr std::string_view codes_file = "categories/categories.csv";
constexpr std::string_view labels_file = "labels.csv.explain.jsonl";
constexpr std::string_view regions_file = "regions.csv.explain.jsonl";
constexpr std::string_view questions_file = "vqa/questions.jsonl";
constexpr std::string_view curated_files[] = {facts_file,  findings_file, sentences_file, codes_file,
                                              labels_file, regions_file,  questions_file};

std::optional<std::string> find_output(const Path& folder, std::string_view file) {
  const std::string in_own_folder(
      file.substr(file.find('/') == std::string_view::npos ? 0 : file.find('/') + 1));
  for (const std::string& each : {"stages/" + std::string(file), std::string(file), in_own_folder}) {
    if (is_file(folder / each)) return each;
  }
  return std::nullopt;
}

bool is_stated(const Json& row) { return text_at(row, "polarity") == "present"; }

// Reads one output after the other, the facts first: all else is held against them.
class CuratedCheck {
 public:
  CuratedCheck(const Path& folder, LintReport& report) : folder_(folder), report_(report) {}

  Outcome run() {
    FIDUCIAL_TRY_DONE(read(sentences_file, [this](const Json& row) { check_source(row); }));
    FIDUCIAL_TRY_DONE(read(facts_file, [this](const Json& row) { add_fact(row); }));
    has_facts_ = facts_.reports() > 0;
    facts_.settle();
    placed_.settle();
    asked_.settle();
    FIDUCIAL_TRY_DONE(read(findings_file, [this](const Json& row) { check_finding(row); }));
    has_findings_ = findings_.reports() > 0;
    findings_.settle();
    FIDUCIAL_TRY_DONE(read(labels_file, [this](const Json& row) { check_label(row); }));
    FIDUCIAL_TRY_DONE(read(regions_file, [this](const Json& row) { check_region(row); }));
    FIDUCIAL_TRY_DONE(read(questions_file, [this](const Json& row) { check_question(row); }));
    FIDUCIAL_TRY_DONE(read_codes());
    const auto reports = static_cast<std::int64_t>(std::max(facts_.reports(), findings_.reports()));
    report_.splits.emplace_back("all", reports);
    report_.audit = LintAudit{Json::object({{"rows", std::move(counts_)}}), text_};
    return done();
  }

 private:
  // Every row of an output, where there is one.
  Outcome read(std::string_view output, const std::function<void(const Json&)>& use) {
    const std::optional<std::string> name = find_output(folder_, output);
    if (!name) return done();
    begin_file(*name);
    FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(folder_ / *name));
    LineReader lines(*file, longest_row);
    std::int64_t count = 0;
    while (true) {
      FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next().in_file(*name));
      if (!line) break;
      line_ = lines.number();
      ++count;
      const Result<Json> row = parse_json(*line);
      const bool is_row = row.ok() && row->as_object() != nullptr &&
                          (find_string(*row, "VolumeName") != nullptr || find_string(*row, "Volumename"));
      if (is_row) {
        use(*row);
      } else {
        problem(rules::curated_unreadable,
                row.ok() ? "expected an object with the name of a report" : row.error().message());
      }
    }
    end_file(count);
    return done();
  }

  void begin_file(const std::string& name) {
    file_ = name;
    line_ = 0;
    report_.dataset_file += (report_.dataset_file.empty() ? "" : ", ") + name;
  }

  void end_file(std::int64_t count) {
    counts_.set(file_, count);
    text_ += file_ + ": " + decimal(count) + " rows\n";
  }

  void problem(const LintRule& rule, std::string message) {
    report_.problems.add(rule, {file_, "line " + decimal(line_)}, std::move(message));
  }

  // The words of a row; a row without any is a problem.
  std::vector<MarkedWords> words_of(const Json& row) {
    std::vector<MarkedWords> words = marked_words(row);
    if (words.empty()) problem(rules::source_missing, "expected the characters that the row is from");
    return words;
  }

  void check_source(const Json& row) { (void)words_of(row); }

  void add_fact(const Json& row) {
    for (const MarkedWords& words : words_of(row)) {
      facts_.add(words, is_stated(row));
      if (text_at(row, "certainty") == "asked") asked_.add(words, true);
      const bool places = is_stated(row) && text_at(row, "certainty") != "asked" &&
                          find_array(row, "paths") != nullptr && !find_array(row, "paths")->empty();
      if (places) placed_.add(words, true);
    }
  }

  // The facts that begin in some words, by what is said of them.
  struct Said {
    bool stated = false;
    bool denied = false;
  };
  Said said_in(const std::vector<MarkedWords>& words) const {
    Said said;
    for (const MarkedWords& each : words) {
      for (const ReportMarks::Mark& fact : facts_.inside(each))
        (fact.stated ? said.stated : said.denied) = true;
    }
    return said;
  }

  void check_finding(const Json& row) {
    const std::vector<MarkedWords> words = words_of(row);
    for (const MarkedWords& each : words) findings_.add(each, is_stated(row));
    if (const std::string* code = find_string(row, "category"))
      codes_[text_at(row, "VolumeName") + " " + text_at(row, "place")] = *code;
    if (!has_facts_ || words.empty()) return;
    const Said said = said_in(words);
    if (is_stated(row) && !said.stated)
      problem(rules::finding_of_denied, text_at(row, "place") + ": no fact in its words is stated");
    if (!is_stated(row) && !said.denied && said.stated)
      problem(rules::denial_of_stated, text_at(row, "place") + ": every fact in its words is stated");
  }

  void check_label(const Json& row) {
    for (const MarkedWords& words : words_of(row)) {
      if (has_facts_ && said_otherwise(words, true))
        problem(rules::label_of_denied, text_at(row, "label") + ": its words are a fact that is denied");
      if (has_findings_ && !findings_.covers(words) && !is_asked(words))
        problem(rules::label_without_finding, text_at(row, "label") + ": its words are part of no finding");
    }
  }

  // What is only asked raises labels, as people label it, and is no finding.
  bool is_asked(const MarkedWords& words) const {
    MarkedWords first = words;
    first.span.end = first.span.begin + 1;
    return !asked_.inside(first).empty();
  }

  // Whether the facts that begin with the first of some words all say something else.
  bool said_otherwise(const MarkedWords& words, bool stated) const {
    MarkedWords first = words;
    first.span.end = first.span.begin + 1;
    const std::span<const ReportMarks::Mark> facts = facts_.inside(first);
    return !facts.empty() &&
           std::none_of(facts.begin(), facts.end(),
                        [stated](const ReportMarks::Mark& fact) { return fact.stated == stated; });
  }

  void check_region(const Json& row) {
    MarkedWords words{.report = text_at(row, "Volumename"), .column = text_at(row, "column"), .span = {}};
    words.span = {static_cast<std::size_t>(std::max(std::int64_t{0}, integer_at(row, "begin"))),
                  static_cast<std::size_t>(std::max(std::int64_t{0}, integer_at(row, "end")))};
    const bool has_region = !text_at(row, "Regions").empty();
    if (has_facts_ && !has_region && !placed_.inside(words).empty())
      problem(rules::region_missing, "sentence " + decimal(integer_at(row, "SentenceIndex")) +
                                         " states a finding of a place and has no region");
  }

  void check_question(const Json& row) {
    const std::string basis = text_at(row, "basis");
    if (basis == "silent") return;
    const std::vector<MarkedWords> words = words_of(row);
    const bool stated = basis == "stated";
    if (!has_facts_ || (!stated && text_at(row, "family") != "presence")) return;
    for (const MarkedWords& each : words) {
      if (said_otherwise(each, stated))
        problem(rules::question_of_denied,
                text_at(row, "question") + " " + text_at(row, "answer") + ": its words say otherwise");
    }
  }

  Outcome read_codes() {
    const std::optional<std::string> name = find_output(folder_, codes_file);
    if (!name) return done();
    begin_file(*name);
    FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(folder_ / *name));
    CsvBatches batches(*file);
    std::int64_t count = 0;
    while (true) {
      FIDUCIAL_TRY(const std::optional<CsvTable> table, batches.next().in_file(*name));
      if (!table) break;
      FIDUCIAL_TRY(const std::size_t report, table->column("VolumeName").in_file(*name));
      FIDUCIAL_TRY(const std::size_t key, table->column("Key").in_file(*name));
      FIDUCIAL_TRY(const std::size_t code, table->column("Category").in_file(*name));
      for (std::size_t row = 0; row < table->rows(); ++row, ++count) {
        line_ = table->line(row);
        const std::string place(table->cell(row, key));
        const auto known = codes_.find(std::string(table->cell(row, report)) + " " + place);
        if (codes_.empty() || (known != codes_.end() && known->second == table->cell(row, code))) continue;
        problem(rules::code_differs, place + " is " + std::string(table->cell(row, code)) + " here, " +
                                         (known == codes_.end() ? "not there" : known->second) +
                                         " among the findings");
      }
    }
    end_file(count);
    return done();
  }

  const Path& folder_;
  LintReport& report_;
  std::string file_;
  std::uint64_t line_ = 0;
  ReportMarks facts_;
  ReportMarks placed_;  // facts that are stated and have a place
  ReportMarks asked_;   // facts that are only asked
  ReportMarks findings_;
  bool has_facts_ = false;
  bool has_findings_ = false;
  std::map<std::string, std::string> codes_;  // by report and place
  Json counts_ = Json::Object{};
  std::string text_;
};

}  // namespace

bool is_curated_folder(const Path& folder) {
  return is_folder(folder) &&
         std::any_of(std::begin(curated_files), std::end(curated_files),
                     [&folder](std::string_view file) { return find_output(folder, file).has_value(); });
}

Result<LintReport> check_curated(const LintRequest& request, Progress& /*progress*/) {
  LintReport report{.benchmark = "curated"};
  FIDUCIAL_TRY_DONE(CuratedCheck(request.dataset, report).run());
  return report;
}

}  // namespace fiducial
