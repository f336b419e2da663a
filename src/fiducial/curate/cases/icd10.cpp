#include <chrono>
#include <sys/stat.h>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/cases/case_annotation.h"

namespace fiducial {

namespace {

std::string two_digits(unsigned value) { return (value < 10 ? "0" : "") + decimal(value); }

// When a file was written, as ISO 8601 in UTC with whole seconds.
std::string written_utc(const Path& path) {
  struct stat facts {};
  const std::int64_t seconds = ::stat(path.c_str(), &facts) == 0 ? facts.st_mtime : 0;
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return decimal(static_cast<int>(date.year())) + "-" + two_digits(static_cast<unsigned>(date.month())) +
         "-" + two_digits(static_cast<unsigned>(date.day())) + "T" +
         two_digits(static_cast<unsigned>(clock.hours().count())) + ":" +
         two_digits(static_cast<unsigned>(clock.minutes().count())) + ":" +
         two_digits(static_cast<unsigned>(clock.seconds().count())) + "+00:00";
}

void summarise(StageCall& call, const Icd10Table& table) {
  const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  const std::string told = decimal(table.chapters().size()) + " chapters, " + decimal(table.blocks().size()) +
                           " blocks, " + decimal(table.categories().size()) + " categories";
  call.summary() = Json::object({{"chapters", count(table.chapters())},
                                 {"blocks", count(table.blocks())},
                                 {"categories", count(table.categories())},
                                 {"told", told}});
}

Outcome build_table(StageCall& call, const Path& zip) {
  Icd10Counts counts;
  FIDUCIAL_TRY(counts.chapters, call.integer("chapters"));
  FIDUCIAL_TRY(counts.blocks, call.integer("blocks"));
  FIDUCIAL_TRY(counts.categories, call.integer("categories"));
  FIDUCIAL_TRY(const Icd10Source source, read_icd10_archive(zip));
  FIDUCIAL_TRY_DONE(call.read_input("CASES", zip));
  FIDUCIAL_TRY(const Icd10Table table, Icd10Table::build(source, counts).in_file(zip.string()));
  const std::string origin = call.has("source") ? call.text("source") : zip.filename().string();
  const std::string time = call.has("retrieved") ? call.text("retrieved") : written_utc(zip);
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(".txt"));
  summarise(call, table);
  return file->write(table.text(origin, time));
}

// Every category with its block and chapter, one a line.
Outcome read_back(StageCall& call, const Path& path) {
  FIDUCIAL_TRY(const std::string text, call.read_input("CASES", path));
  FIDUCIAL_TRY(const Icd10Table table, Icd10Table::parse(text).in_file(path.string()));
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(".jsonl"));
  summarise(call, table);
  for (const Icd10Category& category : table.categories()) {
    const Icd10Block& block = table.blocks()[category.block];
    const Icd10Chapter& chapter = table.chapters()[block.chapter];
    const Json line = Json::object({{"code", category.code},
                                    {"title", category.title},
                                    {"chapter", chapter.label},
                                    {"chapter_roman", chapter.label.substr(chapter.label.find(' ') + 1)},
                                    {"chapter_title", chapter.title},
                                    {"chapter_range", chapter.range},
                                    {"block", block.range},
                                    {"block_title", block.title}});
    FIDUCIAL_TRY_DONE(file->write(line.compact() + "\n"));
  }
  return done();
}

Outcome run_icd10(StageCall& call) {
  const Path path = call.text("CASES");
  if (path.extension() == ".zip") return build_table(call, path);
  if (path.extension() == ".txt") return read_back(call, path);
  return annotate_cases(call, call.strict() ? AnnotationTasks::icd10 : AnnotationTasks::both);
}

}  // namespace

Stage icd10_stage() {
  return {
      .name = "icd10",
      .summary = "Build the ICD-10 table from WHO's archive, read it back, or annotate cases with it",
      .example = "fiducial curate icd10 icd102019enMeta.zip -o icd10.txt",
      .inputs = {{.name = "CASES",
                  .help =
                      "WHO's icd102019enMeta.zip, a table made of it (.txt), or cases (.csv, .json, .jsonl)",
                  .required = true}},
      .options = {{.name = "table",
                   .help = "The table, for annotation: what this stage made of WHO's archive",
                   .is_path = true},
                  {.name = "source", .help = "Where the archive is from (default: its name)"},
                  {.name = "retrieved",
                   .help = "When it was fetched, ISO 8601 (default: the time of the file)"},
                  {.name = "chapters",
                   .help = "How many chapters there must be",
                   .kind = StageOption::Kind::integer,
                   .fallback = "22"},
                  {.name = "blocks",
                   .help = "How many blocks there must be",
                   .kind = StageOption::Kind::integer,
                   .fallback = "263"},
                  {.name = "categories",
                   .help = "How many categories there must be",
                   .kind = StageOption::Kind::integer,
                   .fallback = "2050"}},
      .asks = true,
      .run = run_icd10};
}

}  // namespace fiducial
