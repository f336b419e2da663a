#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/finding_documents.h"
#include "fiducial/curate/reports/reply_polarity.h"
#include "fiducial/curate/reports/report_folder.h"
#include "fiducial/curate/reports/report_sources.h"
#include "fiducial/curate/reports/study_names.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/findings/phrase_pattern.h"

namespace fiducial {

namespace {

constexpr const char* published_include = "1,2,8,3a";
constexpr const char* published_exclude = "3b,3c,3d,3e,3f,3g,3h,3i,3j,3k,4,5,6,7,9,10,11,12,abstain";

// The codes of a report's findings, by the key of the finding: P1, P2, ...
struct CodedFinding {
  std::string key;
  std::string code;
  std::string text;
  std::vector<SourceSpan> sources;
};

struct CodedFindings {
  std::vector<CodedFinding> findings;
  ItemStatus status;
};

class FindingCoder {
 public:
  explicit FindingCoder(EarlierOutputs earlier) : earlier_(std::move(earlier)) {}

  CodedFindings coded(const ReportRow& row) {
    if (!earlier_.empty()) {
      CodedFindings out = earlier_codes(row);
      if (!out.findings.empty()) trace(row, out.findings);
      return out;
    }
    CodedFindings out;
    for (const FindingPhrase& phrase : read(row)) {
      if (!phrase.abnormal) continue;
      out.findings.push_back(
          {"P" + decimal(out.findings.size() + 1), category_code(phrase), phrase.text, phrase.spans});
    }
    return out;
  }

 private:
  std::vector<FindingPhrase> read(const ReportRow& row) {
    const ReportSectionsText texts = sections_of(row);
    return extractor_.extract(standardiser_.standardise(texts.findings, texts.impressions));
  }

  // Ties findings that come from files to the words that the rules find them in; those of a model, in other
  // words, to nothing here: the output of `findings` has their sources.
  void trace(const ReportRow& row, std::vector<CodedFinding>& findings) {
    std::map<std::string, std::vector<SourceSpan>> by_text;
    std::map<std::string, std::vector<SourceSpan>> by_key;
    std::size_t number = 0;
    for (FindingPhrase& phrase : read(row)) {
      if (!phrase.abnormal) continue;
      by_key["P" + decimal(++number)] = phrase.spans;
      by_text.emplace(std::move(phrase.text), std::move(phrase.spans));
    }
    for (CodedFinding& finding : findings) {
      const auto& known = finding.text.empty() ? by_key : by_text;
      const auto found = known.find(finding.text.empty() ? finding.key : finding.text);
      if (found != known.end()) finding.sources = found->second;
    }
  }

  // Codes that categories wrote; texts where the output of findings is given too.
  CodedFindings earlier_codes(const ReportRow& row) {
    if (!names_a_file(row.id))
      return {.findings = {},
              .status = rejected("bad_name", "the name of the report cannot be the name of a file")};
    const EarlierOutputs::Document codes = earlier_.find("categorized_findings/categorization", row.id);
    if (codes.status.is_failure()) return {.findings = {}, .status = codes.status};
    EarlierOutputs::Document texts{.value = Json::Object{}, .status = {}};
    if (earlier_.has("positive_finding_reports")) texts = earlier_.find("positive_finding_reports", row.id);
    CodedFindings out{.findings = {}, .status = texts.status};
    if (!out.status.is_failure()) out.status = check_text_members(codes.value, "categorization");
    if (!out.status.is_failure()) out.status = check_text_members(texts.value, "positive_finding_reports");
    if (!out.status.is_failure()) out.status = polarity_.check_positive(sections_of(row), texts.value);
    if (out.status.is_failure()) return out;
    const bool has_texts = earlier_.has("positive_finding_reports");
    std::map<std::string_view, const std::string*> text_of;
    for (const auto& [key, text] : *texts.value.as_object()) text_of[key] = text.as_string();
    for (const auto& [key, code] : *codes.value.as_object()) {
      if (!is_code(*code.as_string())) return broken(key + ": " + code.compact() + " is no code");
      const auto text = text_of.find(key);
      if (has_texts && text == text_of.end()) return broken(key + " has a code and no finding");
      out.findings.push_back({key, *code.as_string(), has_texts ? *text->second : std::string(), {}});
      if (has_texts) text_of.erase(text);
    }
    if (!text_of.empty()) return broken(std::string(text_of.begin()->first) + " has no code");
    return out;
  }

  static CodedFindings broken(std::string detail) {
    return {.findings = {}, .status = rejected("bad_input", std::move(detail))};
  }

  static bool is_code(const std::string& text) {
    const std::vector<std::string>& codes = category_rules().names();
    return text == "abstain" || std::find(codes.begin(), codes.end(), text) != codes.end();
  }

  EarlierOutputs earlier_;
  ReportStandardiser standardiser_;
  FindingExtractor extractor_;
  ReplyPolarity polarity_;
};

// "8" of "8a"; "12" and "abstain" stand alone.
std::string parent_of(const std::string& code) {
  const bool leaf = code.back() >= 'a' && code != "abstain";
  return leaf ? code.substr(0, code.size() - 1) : code;
}

Result<std::set<std::string>> codes_of(StageCall& call, const std::string& option, const char* fallback) {
  std::set<std::string> known{"abstain"};
  for (const std::string& code : category_rules().names()) known.insert({code, parent_of(code)});
  std::set<std::string> out;
  const std::string list = call.has(option) ? call.text(option) : fallback;
  for (const std::string_view code : split_trimmed(list, ',')) {
    if (!known.contains(std::string(code)))
      return bad_usage("--" + option + ": no code \"" + std::string(code) + "\"");
    out.emplace(code);
  }
  return out;
}

bool any_of_codes(const std::vector<CodedFinding>& findings, const std::set<std::string>& codes) {
  for (const CodedFinding& finding : findings) {
    if (codes.contains(finding.code) || codes.contains(parent_of(finding.code))) return true;
  }
  return false;
}

std::string counts_text(const std::vector<CodedFinding>& findings) {
  std::map<std::string, std::int64_t> counts;
  for (const CodedFinding& finding : findings) ++counts[finding.code];
  std::string out;
  for (const auto& [code, count] : counts) append_joined(out, code + ":" + decimal(count), ";");
  return out;
}

std::string sources_of_all(const std::vector<CodedFinding>& findings) {
  std::vector<SourceSpan> spans;
  for (const CodedFinding& finding : findings)
    spans.insert(spans.end(), finding.sources.begin(), finding.sources.end());
  return sources_text(spans);
}

// How many reports, and findings in them, have a code.
struct CodeCounts {
  std::map<std::string, std::int64_t> reports;
  std::map<std::string, std::int64_t> findings;

  void add(const std::vector<CodedFinding>& coded) {
    std::set<std::string> codes{every_code};
    for (const CodedFinding& finding : coded) {
      ++findings[finding.code];
      codes.insert(finding.code);
    }
    findings[every_code] += static_cast<std::int64_t>(coded.size());
    for (const std::string& code : codes) ++reports[code];
  }

  static constexpr const char* every_code = "all";
};

constexpr const char* taken_reason = "";
constexpr const char* excluded_reason = "has an excluded code";
constexpr const char* not_included_reason = "has no included code";
constexpr std::array<const char*, 3> select_reasons{taken_reason, excluded_reason, not_included_reason};

Result<std::map<std::string, std::int64_t>> parse_counts(const Json& state, const char* name) {
  std::map<std::string, std::int64_t> out;
  FIDUCIAL_TRY(const Json* stored, required_field(state, name, "/state"));
  FIDUCIAL_TRY(const Json::Object* members, expect_object(*stored, "/state"));
  for (const auto& [code, count] : *members) {
    FIDUCIAL_TRY(out[code], expect_integer(count, "/state"));
  }
  return out;
}

// Chooses from one table of reports.
class SelectRun {
 public:
  struct Codes {
    std::set<std::string> include;
    std::set<std::string> exclude;
  };

  SelectRun(Codes codes, OutputFile& table, EarlierOutputs earlier)
      : include_(std::move(codes.include)),
        exclude_(std::move(codes.exclude)),
        table_(table),
        coder_(std::move(earlier)) {}

  Result<ItemStatus> add(const ReportRow& row) {
    const CodedFindings coded = coder_.coded(row);
    if (coded.status.is_failure()) return coded.status;
    const std::vector<CodedFinding>& findings = coded.findings;
    const bool wanted = any_of_codes(findings, include_);
    const bool taken = wanted && !any_of_codes(findings, exclude_);
    const char* reason = taken ? taken_reason : (wanted ? excluded_reason : not_included_reason);
    counts_[reason].add(findings);
    FIDUCIAL_TRY_DONE(table_.write(csv_row_of(
        {row.id, row.volume, taken ? "1" : "0", reason, counts_text(findings), sources_of_all(findings)})));
    return ItemStatus{};
  }

  // How the findings of chosen studies differ from those of the others.
  Json summary() const {
    std::map<std::string, std::int64_t> kept;
    std::map<std::string, std::int64_t> dropped;
    std::int64_t selected = 0;
    for (const auto& [reason, counts] : counts_) {
      const bool is_taken = reason == taken_reason;
      if (is_taken) selected = counts.reports.at(CodeCounts::every_code);
      for (const auto& [code, count] : counts.findings) {
        if (code != CodeCounts::every_code) (is_taken ? kept : dropped)[code] += count;
      }
    }
    return Json::object(
        {{"selected", selected}, {"codes_kept", counts_json(kept)}, {"codes_dropped", counts_json(dropped)}});
  }

  // A row for each reason, and for each code that its reports have.
  Outcome write_counts(OutputFile& table) const {
    FIDUCIAL_TRY_DONE(table.write("Reason,Code,Rule,Reports,Findings\n"));
    for (const char* reason : select_reasons) {
      const auto found = counts_.find(reason);
      if (found == counts_.end()) continue;
      for (const auto& [code, reports] : found->second.reports) {
        const auto findings = found->second.findings.find(code);
        FIDUCIAL_TRY_DONE(table.write(
            csv_row_of({*reason == '\0' ? "selected" : reason, code, rule_of(code), decimal(reports),
                        decimal(findings == found->second.findings.end() ? 0 : findings->second)})));
      }
    }
    return done();
  }

  RowMemory memory() {
    return {.save =
                [this] {
                  Json out = Json::Object{};
                  for (const auto& [reason, counts] : counts_) {
                    out.set(reason, Json::object({{"reports", counts_json(counts.reports)},
                                                  {"findings", counts_json(counts.findings)}}));
                  }
                  return out;
                },
            .restore = [this](const Json& state) -> Outcome {
              for (const char* reason : select_reasons) {
                const Json* stored = state.find(reason);
                if (stored == nullptr) continue;
                CodeCounts& counts = counts_[reason];
                FIDUCIAL_TRY(counts.reports, parse_counts(*stored, "reports"));
                FIDUCIAL_TRY(counts.findings, parse_counts(*stored, "findings"));
              }
              return done();
            }};
  }

 private:
  // Which rule names a code: "include", "exclude", both or none.
  std::string rule_of(const std::string& code) const {
    std::string out;
    for (const auto& [name, codes] : {std::pair{"include", &include_}, std::pair{"exclude", &exclude_}}) {
      if (codes->contains(code) || codes->contains(parent_of(code))) append_joined(out, name, "+");
    }
    return out;
  }

  std::set<std::string> include_;
  std::set<std::string> exclude_;
  OutputFile& table_;
  FindingCoder coder_;
  std::map<std::string, CodeCounts> counts_;  // by reason
};

Outcome run_select(StageCall& call) {
  FIDUCIAL_TRY(std::set<std::string> include, codes_of(call, "include", published_include));
  FIDUCIAL_TRY(std::set<std::string> exclude, codes_of(call, "exclude", published_exclude));
  FIDUCIAL_TRY(EarlierOutputs earlier, EarlierOutputs::of(call));
  FIDUCIAL_TRY(OutputFile * table, call.output().add_main(".csv", "select"));
  FIDUCIAL_TRY_DONE(table->write_heading("VolumeName,VolumeToAnnotate,Selected,Reason,Codes,Sources\n"));
  SelectRun run({std::move(include), std::move(exclude)}, *table, std::move(earlier));
  FIDUCIAL_TRY_DONE(for_each_report(
      call, {.unique_names = true}, [&run](const ReportRow& row) { return run.add(row); }, run.memory()));
  call.summary() = run.summary();
  if (call.part()) return done();
  FIDUCIAL_TRY(OutputFile * counts, call.output().add("counts.csv"));
  return run.write_counts(*counts);
}

// One task of an annotation platform, or nothing where no finding lies in lungs, airways or pleura.
Json task_json(const std::string& file, const std::vector<CodedFinding>& findings) {
  Json::Object metadata;  // keys are numbers: none is there yet
  for (const CodedFinding& finding : findings) {
    if (focal_category(finding.code)) metadata.emplace_back(finding.key, finding.text);
  }
  if (metadata.empty()) return {};
  return Json::object({{"name", file},
                       {"series", Json::array({Json::object({{"items", file}})})},
                       {"metaData", Json(std::move(metadata))}});
}

constexpr const char* tasks_memory = ".tasks.jsonl";
constexpr std::size_t longest_task = std::size_t{1} << 30;

// Writes the tasks of one table of reports: a line each as it is known, and a list of them at the end.
class TaskRun {
 public:
  TaskRun(OutputFile& lines, OutputFile& sources, FindingCoder coder, std::optional<Path> volumes)
      : lines_(lines), sources_(sources), coder_(std::move(coder)), volumes_(std::move(volumes)) {}

  Result<ItemStatus> add(const ReportRow& row) {
    const CodedFindings coded = coder_.coded(row);
    if (coded.status.is_failure()) return coded.status;
    const std::string volume = study_names(row.id, row.volume, volumes_).grounding;
    const Json task = task_json(volume, coded.findings);
    if (task.is_null()) return ItemStatus{.status = "skipped", .code = "nothing_to_annotate"};
    if (volumes_ && !rexgroundingct::find_volume(*volumes_, volume))
      return rejected("volume_missing", volume + " is not in the folder of volumes");
    FIDUCIAL_TRY_DONE(lines_.write(task.compact() + "\n"));
    for (const CodedFinding& finding : coded.findings) {
      if (!focal_category(finding.code)) continue;
      const Json line = Json::object({{"VolumeName", std::string(row.id)},
                                      {"key", finding.key},
                                      {"sources", sources_json(finding.sources, row)}});
      FIDUCIAL_TRY_DONE(sources_.write(line.compact() + "\n"));
    }
    return ItemStatus{};
  }

  Outcome finish(const Path& written, OutputFile& list) {
    FIDUCIAL_TRY_DONE(lines_.flush());
    FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(written));
    LineReader lines(*file, longest_task);
    bool is_first = true;
    while (true) {
      FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next().in_file(written.string()));
      if (!line) break;
      FIDUCIAL_TRY_DONE(list.write((is_first ? "[\n" : ",\n") + std::string(*line)));
      is_first = false;
    }
    return list.write(is_first ? "[]\n" : "\n]\n");
  }

 private:
  OutputFile& lines_;
  OutputFile& sources_;
  FindingCoder coder_;
  std::optional<Path> volumes_;
};

Outcome run_tasks(StageCall& call) {
  FIDUCIAL_TRY(EarlierOutputs earlier, EarlierOutputs::of(call));
  if (!earlier.empty() && !earlier.has("positive_finding_reports"))
    return bad_usage("curate tasks: --from needs the output of findings beside that of categories");
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(".json", "tasks"));
  FIDUCIAL_TRY(OutputFile * sources, call.output().add("sources.jsonl"));
  std::optional<Path> volumes;
  if (call.has("volumes")) volumes = call.text("volumes");
  std::error_code ignored;
  if (volumes && !std::filesystem::is_directory(*volumes, ignored))
    return path_missing("no such folder of volumes", volumes->string());
  FIDUCIAL_TRY(OutputFile * lines, call.output().add_memory(tasks_memory));
  TaskRun run(*lines, *sources, FindingCoder(std::move(earlier)), std::move(volumes));
  FIDUCIAL_TRY_DONE(
      for_each_report(call, {.unique_names = true}, [&run](const ReportRow& row) { return run.add(row); }));
  if (call.part()) return done();
  return run.finish(call.output().memory_path(tasks_memory), *file);
}

}  // namespace

Stage select_stage() {
  return {.name = "select",
          .summary = "Choose studies to annotate by the codes of their findings",
          .example = "fiducial curate select reports.csv -o selected.csv",
          .inputs = {reports_input()},
          .options = {{.name = "include",
                       .help = "Codes or parents of which a study needs one",
                       .fallback = published_include},
                      {.name = "exclude",
                       .help = "Codes or parents that a study may not have",
                       .fallback = published_exclude},
                      from_option("categories")},
          .resumes = true,
          .by_rows = true,
          .run = run_select};
}

Stage tasks_stage() {
  return {.name = "tasks",
          .summary = "Write annotation tasks: the findings of lungs, airways and pleura of every study",
          .example = "fiducial curate tasks reports.csv -o tasks.json",
          .inputs = {reports_input()},
          .options = {{.name = "volumes",
                       .help = "CTs; a study whose CT is not there is rejected",
                       .is_path = true},
                      from_option("findings and categories")},
          .resumes = true,
          .by_rows = true,
          .run = run_tasks};
}

}  // namespace fiducial
