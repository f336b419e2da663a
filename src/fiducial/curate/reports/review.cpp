#include <algorithm>
#include <functional>
#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/curate/reports/review_sheet.h"
#include "fiducial/stats/wilson.h"
#include "fiducial/table/csv.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_output_line = std::size_t{1} << 28;

// An output of a stage in a folder that `ctrate` wrote, or one like its stages/.
Result<Path> output_of(const Path& folder, std::string_view file) {
  for (const Path& each : {folder / "stages" / file, folder / file}) {
    if (is_file(each)) return each;
  }
  return Error(ErrorCode::invalid_data, "expected " + std::string(file) + ", as curate ctrate writes it",
               Place{.path = folder.string()});
}

using RowUse = std::function<Outcome(const CsvTable& table, std::size_t row)>;

Outcome for_each_row(const Path& path, const RowUse& use) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  CsvBatches batches(*file);
  while (true) {
    FIDUCIAL_TRY(const std::optional<CsvTable> table, batches.next().in_file(path.string()));
    if (!table) return done();
    for (std::size_t row = 0; row < table->rows(); ++row)
      FIDUCIAL_TRY_DONE(use(*table, row).in_file(path.string()));
  }
}

Result<std::string_view> cell(const CsvTable& table, std::size_t row, const char* column) {
  FIDUCIAL_TRY(const std::size_t at, table.column(column));
  return table.cell(row, at);
}

// A sheet of some reports of a folder.
class SheetMaker {
 public:
  SheetMaker(StageCall& call, Path folder) : call_(call), folder_(std::move(folder)) {}

  Result<std::string> page() {
    FIDUCIAL_TRY_DONE(choose());
    FIDUCIAL_TRY_DONE(read_texts());
    FIDUCIAL_TRY_DONE(read_lines("findings/findings.jsonl", "VolumeName",
                                 [](const Json& row, SheetReport& report) { add_finding(row, report); }));
    if (output_of(folder_, "vqa/questions.jsonl").ok()) {
      FIDUCIAL_TRY_DONE(read_lines("vqa/questions.jsonl", "Volumename",
                                   [](const Json& row, SheetReport& report) { add_question(row, report); }));
    }
    for (std::size_t i = 0; i < reports_.size(); ++i)
      FIDUCIAL_TRY_DONE(call_.record(static_cast<std::int64_t>(i), reports_[i].id, ItemStatus{}));
    return review_page(reports_);
  }

 private:
  Outcome choose() {
    FIDUCIAL_TRY(sentences_, output_of(folder_, "sentences.csv"));
    std::vector<std::string> names;
    FIDUCIAL_TRY_DONE(for_each_row(sentences_, [&names](const CsvTable& table, std::size_t row) -> Outcome {
      FIDUCIAL_TRY(const std::string_view name, cell(table, row, "VolumeName"));
      if (names.empty() || names.back() != name) names.emplace_back(name);
      return done();
    }));
    FIDUCIAL_TRY(const std::int64_t wanted, call_.integer("sample"));
    if (wanted < 1) return bad_usage("--sample: expected a number of reports");
    const std::size_t count = std::min(static_cast<std::size_t>(wanted), names.size());
    std::vector<std::size_t> chosen = call_.random().sample(names.size(), count);
    std::sort(chosen.begin(), chosen.end());
    reports_.reserve(count);
    for (const std::size_t at : chosen) {
      numbers_.emplace(names[at], reports_.size());
      reports_.push_back({.id = names[at], .texts = {}, .items = {}});
    }
    return done();
  }

  SheetReport* find(std::string_view name) {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? nullptr : &reports_[found->second];
  }

  // The sentences of a column, joined, are its text byte for byte.
  Outcome read_texts() {
    return for_each_row(sentences_, [this](const CsvTable& table, std::size_t row) -> Outcome {
      FIDUCIAL_TRY(const std::string_view name, cell(table, row, "VolumeName"));
      SheetReport* report = find(name);
      if (report == nullptr) return done();
      FIDUCIAL_TRY(const std::string_view column, cell(table, row, "Column"));
      FIDUCIAL_TRY(const std::string_view text, cell(table, row, "Text"));
      if (report->texts.empty() || report->texts.back().first != column)
        report->texts.emplace_back(std::string(column), "");
      report->texts.back().second += text;
      return done();
    });
  }

  Outcome read_lines(std::string_view file, const char* name,
                     const std::function<void(const Json&, SheetReport&)>& add) {
    FIDUCIAL_TRY(const Path path, output_of(folder_, file));
    FIDUCIAL_TRY(const std::unique_ptr<FileStream> stream, FileStream::open(path));
    LineReader lines(*stream, longest_output_line);
    while (true) {
      FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next().in_file(path.string()));
      if (!line) return done();
      FIDUCIAL_TRY(const Json row, parse_json(*line).in_file(path.string()));
      if (SheetReport* report = find(text_at(row, name))) add(row, *report);
    }
  }

  static void add_words(const Json& row, SheetItem& item) {
    const Json::Array* sources = find_array(row, "sources");
    if (sources == nullptr) return;
    for (const Json& source : *sources) {
      const std::int64_t begin = integer_at(source, "begin");
      const std::int64_t end = integer_at(source, "end");
      if (begin >= 0 && end > begin)
        item.words.emplace_back(text_at(source, "column"),
                                TextSpan{static_cast<std::size_t>(begin), static_cast<std::size_t>(end)});
    }
  }

  static void add_finding(const Json& row, SheetReport& report) {
    const bool stated = text_at(row, "polarity") == "present";
    SheetItem item{.kind = stated ? "finding" : "denial",
                   .key = text_at(row, "place"),
                   .detail = text_at(row, "text"),
                   .words = {}};
    if (stated) item.detail = text_at(row, "category") + " | " + item.detail;
    add_words(row, item);
    report.items.push_back(std::move(item));
  }

  static void add_question(const Json& row, SheetReport& report) {
    const auto number = std::count_if(report.items.begin(), report.items.end(),
                                      [](const SheetItem& item) { return item.kind == "question"; });
    SheetItem item{.kind = "question",
                   .key = "Q" + decimal(number + 1),
                   .detail = text_at(row, "question") + " | " + text_at(row, "answer"),
                   .words = {}};
    add_words(row, item);
    report.items.push_back(std::move(item));
  }

  StageCall& call_;
  Path folder_;
  Path sentences_;
  std::vector<SheetReport> reports_;
  std::map<std::string, std::size_t, std::less<>> numbers_;
};

// What readers ticked: how often each aspect of each kind of item is wrong.
class SheetRates {
 public:
  explicit SheetRates(StageCall& call) : call_(call) {}

  Outcome read(const Path& path, std::size_t reader) {
    FIDUCIAL_TRY_DONE(for_each_row(path, [&](const CsvTable& table, std::size_t row) -> Outcome {
      FIDUCIAL_TRY(const std::string_view report, cell(table, row, "Report"));
      FIDUCIAL_TRY(const std::string_view kind, cell(table, row, "Kind"));
      FIDUCIAL_TRY(const std::string_view item, cell(table, row, "Item"));
      FIDUCIAL_TRY(const std::string_view aspect, cell(table, row, "Aspect"));
      FIDUCIAL_TRY(const std::string_view text, cell(table, row, "Wrong"));
      const std::optional<std::int64_t> wrong = parse_integer(text);
      const bool is_count = aspect == "missed";
      if (!wrong || *wrong < 0 || (*wrong > 1 && !is_count))
        return Error(ErrorCode::invalid_data, "Wrong: expected 0 or 1, found \"" + std::string(text) + "\"",
                     Place{.line = table.line(row)});
      Tally& tally = tallies_[{std::string(kind), std::string(aspect)}];
      tally.wrong += *wrong;
      tally.items += is_count ? *wrong : 1;
      if (aspect == "code") stated_ += 1;
      if (!is_count) {
        std::vector<std::string>& said = ratings_[joined_name({report, kind, item, aspect})];
        said.resize(std::max(said.size(), reader + 1));
        said[reader] = std::string(text);
      }
      return done();
    }));
    FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
    FIDUCIAL_TRY(const Digest digest, HashingStream(std::move(file)).finish());
    call_.record_input("import", path, digest);
    return call_.record(static_cast<std::int64_t>(reader), path.filename().string(), ItemStatus{});
  }

  Outcome write(OutputFile& rates) {
    FIDUCIAL_TRY_DONE(rates.write("Kind,Aspect,Items,Wrong,Rate,Low,High\n"));
    for (const auto& [name, tally] : tallies_) {
      // Of the findings that are there: those that were drawn, and those that were missed.
      const std::int64_t items = tally.items + (name.second == "missed" ? stated_ : 0);
      std::vector<std::string> cells{name.first, name.second, decimal(items), decimal(tally.wrong)};
      const Interval interval = items > 0 ? wilson95(tally.wrong, items) : Interval{};
      const double rate = items > 0 ? static_cast<double>(tally.wrong) / static_cast<double>(items) : 0;
      for (const double value : {rate, interval.low, interval.high})
        cells.push_back(items > 0 ? fixed(value, 4) : "");
      FIDUCIAL_TRY_DONE(rates.write(csv_row(cells)));
    }
    return done();
  }

  // A row an item and a column a reader, as `fiducial agree` reads it.
  Outcome write_ratings(OutputFile& table, std::size_t readers) const {
    std::vector<std::string> heading{"item"};
    for (std::size_t i = 0; i < readers; ++i) heading.push_back("reader" + decimal(i + 1));
    FIDUCIAL_TRY_DONE(table.write(csv_row(heading)));
    for (const auto& [item, said] : ratings_) {
      std::vector<std::string> cells{item};
      cells.insert(cells.end(), said.begin(), said.end());
      cells.resize(readers + 1);
      FIDUCIAL_TRY_DONE(table.write(csv_row(cells)));
    }
    return done();
  }

 private:
  struct Tally {
    std::int64_t items = 0;
    std::int64_t wrong = 0;
  };

  static std::string joined_name(std::initializer_list<std::string_view> parts) {
    std::string out;
    for (const std::string_view part : parts) out.append(out.empty() ? "" : " ").append(part);
    return out;
  }

  StageCall& call_;
  std::map<std::pair<std::string, std::string>, Tally> tallies_;  // by kind and aspect
  std::map<std::string, std::vector<std::string>> ratings_;       // by item; a cell a reader
  std::int64_t stated_ = 0;
};

Outcome run_review(StageCall& call) {
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(".html"));
  if (!call.has("import")) {
    FIDUCIAL_TRY(const std::string page, SheetMaker(call, call.text("FOLDER")).page());
    return file->write(page);
  }
  SheetRates rates(call);
  const std::vector<std::string>& sheets = call.texts("import");
  for (std::size_t i = 0; i < sheets.size(); ++i) FIDUCIAL_TRY_DONE(rates.read(sheets[i], i));
  FIDUCIAL_TRY_DONE(rates.write(*file));
  FIDUCIAL_TRY(OutputFile * ratings, call.output().add("ratings.csv"));
  return rates.write_ratings(*ratings, sheets.size());
}

}  // namespace

Stage review_stage() {
  return {
      .name = "review",
      .summary = "Write a sheet to read reports by, or take ticked sheets: error rates with intervals",
      .example = "fiducial curate review corpus --sample 60 --seed 1 -o sheet.html",
      .inputs = {{.name = "FOLDER", .help = "Output of curate ctrate, or its stages", .required = true}},
      .options = {{.name = "sample",
                   .help = "Number of reports on the sheet",
                   .kind = StageOption::Kind::integer,
                   .fallback = "60"},
                  {.name = "import",
                   .help =
                       "Ticked sheet.csv, one a reader: writes error rates, and OUT.ratings.csv for agree",
                   .kind = StageOption::Kind::texts}},
      .draws = true,
      .default_seed = 42,
      .writes_file = true,
      .run = run_review};
}

}  // namespace fiducial
