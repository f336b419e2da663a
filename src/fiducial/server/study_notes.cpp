#include "fiducial/server/study_notes.h"

#include <algorithm>
#include <map>

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/anatomy/mask_places.h"
#include "fiducial/base/ascii.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/text_store.h"
#include "fiducial/curate/reports/report_rows.h"
#include "fiducial/server/file_key.h"
#include "fiducial/table/csv.h"

namespace fiducial {

struct StudyLines {
  TextStore texts;  // documents
  std::unordered_map<std::string, std::vector<TextStore::Id>> of_study;

  Outcome add(const std::string& study, const Json& document) {
    FIDUCIAL_TRY(const TextStore::Id id, texts.add(document.compact()));
    of_study[study].push_back(id);
    return done();
  }
};

namespace {

constexpr std::size_t longest_line = std::size_t{16} << 20;

// "train_1_a_2" is the second reconstruction of the study "train_1_a".
std::vector<std::string> study_names_of(const std::string& volume) {
  std::vector<std::string> out{volume_stem(volume)};
  const std::string& stem = out.front();
  const std::size_t last = stem.rfind('_');
  const bool is_numbered = last != std::string::npos && last > 0 && last + 1 < stem.size() &&
                           std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(last) + 1, stem.end(),
                                       [](char c) { return is_digit(c); });
  if (is_numbered) out.push_back(stem.substr(0, last));
  return out;
}

std::string study_named_in(const Json& line) {
  for (const char* name : {"VolumeName", "Volumename", "volume", "volume_name"}) {
    if (const std::string* found = find_string(line, name)) return volume_stem(*found);
  }
  return "";
}

// Hands every line of a file on as an object.
template <typename Take>
Outcome for_each_object(const Path& path, const Take& take) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  LineReader lines(*file, longest_line);
  while (true) {
    FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next());
    if (!line) return done();
    if (line->empty()) continue;
    FIDUCIAL_TRY(Json document, parse_json(*line));
    FIDUCIAL_TRY_DONE(take(document));
  }
}

Outcome read_lines(const Path& path, StudyLines& out) {
  return for_each_object(
      path, [&out](const Json& document) { return out.add(study_named_in(document), document); });
}

// Lines that name several places of a report: one for each.
Outcome read_sourced(const Path& path, StudyLines& out) {
  return for_each_object(path, [&out](Json& document) -> Outcome {
    const Json::Array* found = find_array(document, "sources");
    if (found == nullptr) return done();
    const Json::Array sources = *found;
    for (const Json& source : sources) {
      for (const char* name : {"column", "begin", "end"}) {
        if (const Json* value = source.find(name)) document.set(name, *value);
      }
      FIDUCIAL_TRY_DONE(out.add(study_named_in(document), document));
    }
    return done();
  });
}

// Rows as objects of texts.
Outcome read_rows(const Path& path, StudyLines& out) {
  FIDUCIAL_TRY(const CsvTable table, read_csv(path));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Json document{Json::Object{}};
    for (std::size_t column = 0; column < table.columns().size(); ++column)
      document.set(table.columns()[column], std::string(table.cell(row, column)));
    FIDUCIAL_TRY_DONE(out.add(study_named_in(document), document));
  }
  return done();
}

Outcome read_reports(const Path& path, StudyLines& out) {
  FIDUCIAL_TRY(
      ReportRows rows,
      ReportRows::open(
          path, {.text_column = "", .findings_only = false, .unique_names = false, .any_language = true}));
  while (true) {
    FIDUCIAL_TRY(const std::optional<ReportRow> row, rows.next());
    if (!row) return done();
    for (const ReportText& text : row->texts) {
      const Json document =
          Json::object({{"column", std::string(text.column)}, {"text", std::string(text.text)}});
      FIDUCIAL_TRY_DONE(out.add(volume_stem(row->id), document));
    }
  }
}

Json number_or_null(const Json& line, const char* name) {
  if (const auto value = number_at(line, name)) return static_cast<std::int64_t>(*value);
  const auto written = parse_integer(text_at(line, name));
  return written ? Json(*written) : Json();
}

std::string spaced(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// The structures that paths end at.
Json organs_of_paths(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    const PathMask mask = Anatomy::chest_ct().mask_of(path);
    std::vector<std::string> found;
    if (mask.kind == PathMask::Kind::region) found = Anatomy::chest_ct().members_of_region(mask.name);
    if (mask.kind == PathMask::Kind::structure) found = organs_below(mask.name);
    for (std::string& organ : found) {
      if (std::ranges::find(out, organ) == out.end()) out.push_back(std::move(organ));
    }
  }
  return Json::strings(out);
}

Json mark(const Json& line, const std::string& column, const char* kind, const std::string& label) {
  return Json::object({{"text", column},
                       {"begin", number_or_null(line, "begin")},
                       {"end", number_or_null(line, "end")},
                       {"kind", kind},
                       {"label", label},
                       {"detail", nullptr},
                       {"organs", Json::Array{}}});
}

Json fact_mark(const Json& line) {
  const bool denied = text_at(line, "polarity") == "absent";
  const bool certain = text_at(line, "certainty") == "stated";
  std::string label = spaced(text_at(line, "finding"));
  if (const std::string side = text_at(line, "side"); !side.empty()) label += ", " + side;
  for (const std::string& place : strings_at(line, "anatomy")) label += ", " + spaced(place);
  for (const std::string& size : strings_at(line, "sizes")) label += ", " + size;
  const char* kind = denied ? "denied" : certain ? "finding" : "possible";
  Json out = mark(line, text_at(line, "column"), kind, label);
  return std::move(
      out.set("detail", text_at(line, "clause")).set("organs", organs_of_paths(strings_at(line, "paths"))));
}

Json code_mark(const Json& line) {
  const std::string code = text_at(line, "category");
  Json out = mark(line, text_at(line, "column"), "code",
                  text_at(line, "place") + (code.empty() ? ", denied" : ", " + code));
  return std::move(out.set("detail", text_at(line, "text")));
}

Json question_mark(const Json& line) {
  Json out = mark(line, text_at(line, "column"), "question", text_at(line, "family"));
  return std::move(out.set("detail", text_at(line, "question") + " " + text_at(line, "answer")));
}

Json label_mark(const Json& line) {
  Json out = mark(line, text_at(line, "column"), "label", text_at(line, "label"));
  return std::move(out.set("detail", text_at(line, "rule")));
}

// A reason in words, or one for each region.
std::string reason_text(const Json& line) {
  const Json::Object* by_region = find_object(line, "reason");
  if (by_region == nullptr) return text_at(line, "reason");
  std::string out;
  for (const auto& [region, reason] : *by_region) {
    if (reason.as_string() == nullptr) continue;
    out += (out.empty() ? "" : "; ") + *reason.as_string();
  }
  return out;
}

Json region_mark(const Json& line) {
  const std::vector<std::string> regions = split_at(text_at(line, "Regions"), ';');
  Json out = mark(line, text_at(line, "column"), "region", text_at(line, "Regions"));
  out.set("detail", reason_text(line));
  return std::move(out.set("organs", organs_of_paths(regions)));
}

Json sentence_mark(const Json& line) {
  Json out = mark(line, text_at(line, "Column"), "sentence", text_at(line, "Code"));
  return std::move(out.set("begin", number_or_null(line, "Begin")).set("end", number_or_null(line, "End")));
}

// A chain whose steps name the organs that make up their structures.
Json with_organs(const Json& chain) {
  Json steps{Json::Array{}};
  if (const Json::Array* stated = find_array(chain, "steps")) {
    for (Json step : *stated) {
      step.set("organs", Json::strings(organs_below(text_at(step, "structure"))));
      steps.push(std::move(step));
    }
  }
  Json out = chain;
  return std::move(out.set("steps", std::move(steps)));
}

// What a stage writes down of a study, and how it is read.
struct NoteReader {
  std::string_view stage;
  const char* list;  // of CaseNotes
  Outcome (*read)(const Path& path, StudyLines& out);
  Json (*entry)(const Json& line);
};
constexpr NoteReader note_readers[] = {
    {"sentences", "marks", read_rows, sentence_mark}, {"regions", "marks", read_lines, region_mark},
    {"findings", "marks", read_lines, fact_mark},     {"codes", "marks", read_sourced, code_mark},
    {"labels", "marks", read_lines, label_mark},      {"questions", "marks", read_sourced, question_mark},
    {"cot", "chains", read_lines, with_organs}};
constexpr std::string_view report_table = "reports";

const NoteReader* reader_of(std::string_view stage) {
  const auto* found = std::ranges::find(note_readers, stage, &NoteReader::stage);
  return found == std::end(note_readers) ? nullptr : found;
}

}  // namespace

std::vector<std::string> organs_below(const std::string& structure) {
  const Structure* found = Anatomy::chest_ct().find(structure);
  if (found == nullptr) return Anatomy::chest_ct().members_of_region(structure);
  if (found->parts.empty()) return {found->name};
  std::vector<std::string> out;
  for (const Structure::Part& part : found->parts) {
    for (std::string& organ : organs_below(part.name)) out.push_back(std::move(organ));
  }
  return out;
}

void StudyNotes::look_at(std::vector<Path> reports, std::vector<FoundPaths::Notes> notes) {
  auto now = std::make_shared<const Files>(Files{std::move(reports), std::move(notes)});
  const std::lock_guard lock(mutex_);
  files_ = std::move(now);
}

std::shared_ptr<const StudyNotes::Files> StudyNotes::files() const {
  const std::lock_guard lock(mutex_);
  return files_;
}

Result<std::shared_ptr<const StudyLines>> StudyNotes::lines_of(const Path& file,
                                                               const std::string& stage) const {
  const std::lock_guard lock(mutex_);
  Kept& kept = kept_[file.string()];
  const std::string key = file_key(file);
  if (kept.lines && kept.key == key) return kept.lines;
  auto out = std::make_shared<StudyLines>();
  const auto read = stage == report_table ? read_reports : reader_of(stage)->read;
  FIDUCIAL_TRY_DONE(read(file, *out).in_file(file.filename().string()));
  kept = {key, out};
  return std::shared_ptr<const StudyLines>(out);
}

// The documents of a study, its own reconstruction's or those of all.
std::vector<Json> StudyNotes::documents(const Path& file, const std::string& stage, const std::string& volume,
                                        Json::Array& problems) const {
  std::vector<Json> out;
  const auto lines = lines_of(file, stage);
  if (!lines.ok()) {
    problems.push_back(Json::object({{"file", file.filename().string()}, {"message", lines.error().text()}}));
    return out;
  }
  TextStore::Reader reader((*lines)->texts);
  for (const std::string& study : study_names_of(volume)) {
    const auto found = (*lines)->of_study.find(study);
    if (found == (*lines)->of_study.end()) continue;
    out.reserve(found->second.size());
    for (const TextStore::Id id : found->second) {
      const Result<std::string_view> text = reader.text(id);
      Result<Json> document = text.ok() ? parse_json(*text) : text.error();
      if (document.ok()) out.push_back(*std::move(document));
    }
    break;
  }
  return out;
}

Json StudyNotes::about(const std::string& volume) const {
  Json::Array texts;
  Json::Array problems;
  Json::Array stages;
  std::map<std::string_view, Json::Array> lists{{"marks", {}}, {"chains", {}}};
  const std::shared_ptr<const Files> known = files();
  for (const Path& file : known->reports) {
    if (!texts.empty()) break;
    for (Json& text : documents(file, std::string(report_table), volume, problems))
      texts.push_back(std::move(text));
  }
  for (const FoundPaths::Notes& notes : known->notes) {
    const NoteReader* kind = reader_of(notes.stage);
    if (kind == nullptr) continue;
    const std::vector<Json> found = documents(notes.file, notes.stage, volume, problems);
    if (!found.empty()) stages.emplace_back(notes.stage);
    for (const Json& document : found)
      lists[kind->list].push_back(std::move(kind->entry(document).set("stage", notes.stage)));
  }
  return Json::object({{"texts", std::move(texts)},
                       {"marks", std::move(lists["marks"])},
                       {"chains", std::move(lists["chains"])},
                       {"stages", std::move(stages)},
                       {"problems", std::move(problems)}});
}

}  // namespace fiducial
