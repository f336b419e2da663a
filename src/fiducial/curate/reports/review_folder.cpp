#include "fiducial/curate/reports/review_folder.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/csv_rows.h"
#include "fiducial/findings/place_paths.h"

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

void add_words(const Json& row, SheetItem& item) {
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

void add_finding(const Json& row, SheetReport& report) {
  const bool stated = text_at(row, "polarity") == "present";
  SheetItem item{.kind = stated ? "finding" : "denial",
                 .key = text_at(row, "place"),
                 .detail = text_at(row, "text"),
                 .code = {},
                 .side = {},
                 .place = {},
                 .size = {},
                 .words = {}};
  if (stated) item.code = text_at(row, "category");
  add_words(row, item);
  report.items.push_back(std::move(item));
}

void add_value(std::string& values, std::string_view value) {
  const auto has = [&values](std::string_view each) {
    return (", " + values + ",").find(", " + std::string(each) + ",") != std::string::npos;
  };
  if (!value.empty() && !has(value)) append_joined(values, std::string(value), ", ");
}

// The side, places and sizes of a fact are those of the findings whose words it begins in.
void add_fact(const Json& row, SheetReport& report) {
  if (text_at(row, "polarity") != "present") return;
  const auto begin = static_cast<std::size_t>(std::max(std::int64_t{0}, integer_at(row, "begin")));
  const std::string column = text_at(row, "column");
  const auto is_of = [&](const SheetItem& item) {
    return item.kind == "finding" &&
           std::any_of(item.words.begin(), item.words.end(), [&](const auto& words) {
             return words.first == column && words.second.begin <= begin && begin < words.second.end;
           });
  };
  for (SheetItem& item : report.items) {
    if (!is_of(item)) continue;
    add_value(item.side, text_at(row, "side"));
    if (const Json::Array* paths = find_array(row, "paths")) {
      for (const Json& path : *paths)
        if (path.as_string() != nullptr) add_value(item.place, node_of(*path.as_string()));
    }
    for (const char* member : {"sizes", "prior_sizes"}) {
      const Json::Array* sizes = find_array(row, member);
      for (std::size_t i = 0; sizes != nullptr && i < sizes->size(); ++i) {
        const std::string* size = (*sizes)[i].as_string();
        if (size != nullptr)
          add_value(item.size, member == std::string_view("sizes") ? *size : *size + " (prior)");
      }
    }
  }
}

void add_question(const Json& row, SheetReport& report) {
  const auto number = std::count_if(report.items.begin(), report.items.end(),
                                    [](const SheetItem& item) { return item.kind == "question"; });
  SheetItem item{.kind = "question",
                 .key = "Q" + decimal(number + 1),
                 .detail = text_at(row, "question") + " | " + text_at(row, "answer"),
                 .code = {},
                 .side = {},
                 .place = {},
                 .size = {},
                 .words = {}};
  add_words(row, item);
  report.items.push_back(std::move(item));
}

// Fills reports from the outputs of stages.
class ReportFiller {
 public:
  ReportFiller(Path folder, const std::vector<std::string>& names) : folder_(std::move(folder)) {
    reports_.reserve(names.size());
    for (const std::string& name : names) {
      numbers_.emplace(name, reports_.size());
      reports_.push_back({.id = name, .texts = {}, .items = {}});
    }
  }

  // The sentences of a column, joined, are its text byte for byte.
  Outcome read_texts(const Path& sentences) {
    return for_each_csv_row(sentences, [this](const CsvTable& table, std::size_t row) -> Outcome {
      FIDUCIAL_TRY(const std::string_view name, csv_cell(table, row, "VolumeName"));
      SheetReport* report = find(name);
      if (report == nullptr) return done();
      FIDUCIAL_TRY(const std::string_view column, csv_cell(table, row, "Column"));
      FIDUCIAL_TRY(const std::string_view text, csv_cell(table, row, "Text"));
      if (report->texts.empty() || report->texts.back().first != column)
        report->texts.emplace_back(std::string(column), "");
      report->texts.back().second += text;
      return done();
    });
  }

  Outcome read_lines(std::string_view file, const char* name, void (*add)(const Json&, SheetReport&)) {
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

  std::vector<SheetReport> take() { return std::move(reports_); }

 private:
  SheetReport* find(std::string_view name) {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? nullptr : &reports_[found->second];
  }

  Path folder_;
  std::vector<SheetReport> reports_;
  std::map<std::string, std::size_t, std::less<>> numbers_;
};

}  // namespace

Result<ReviewFolder> ReviewFolder::open(const Path& folder) {
  ReviewFolder out;
  out.folder_ = folder;
  FIDUCIAL_TRY(out.sentences_, output_of(folder, "sentences.csv"));
  FIDUCIAL_TRY_DONE(
      for_each_csv_row(out.sentences_, [&out](const CsvTable& table, std::size_t row) -> Outcome {
        FIDUCIAL_TRY(const std::string_view name, csv_cell(table, row, "VolumeName"));
        if (out.names_.empty() || out.names_.back() != name) out.names_.emplace_back(name);
        return done();
      }));
  return out;
}

Result<std::vector<SheetReport>> ReviewFolder::read(const std::vector<std::string>& names) const {
  ReportFiller filler(folder_, names);
  FIDUCIAL_TRY_DONE(filler.read_texts(sentences_));
  FIDUCIAL_TRY_DONE(filler.read_lines("findings/findings.jsonl", "VolumeName", add_finding));
  if (output_of(folder_, "findings/facts.jsonl").ok())
    FIDUCIAL_TRY_DONE(filler.read_lines("findings/facts.jsonl", "VolumeName", add_fact));
  if (output_of(folder_, "vqa/questions.jsonl").ok())
    FIDUCIAL_TRY_DONE(filler.read_lines("vqa/questions.jsonl", "Volumename", add_question));
  return filler.take();
}

}  // namespace fiducial
