#include <algorithm>
#include <map>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/finding_documents.h"
#include "fiducial/curate/reports/reply_polarity.h"
#include "fiducial/curate/reports/report_folder.h"
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
};

struct CodedFindings {
  std::vector<CodedFinding> findings;
  ItemStatus status;
};

class FindingCoder {
 public:
  explicit FindingCoder(EarlierOutputs earlier) : earlier_(std::move(earlier)) {}

  CodedFindings coded(const ReportRow& row) {
    if (!earlier_.empty()) return earlier_codes(row);
    const ReportSectionsText texts = sections_of(row);
    CodedFindings out;
    for (const FindingPhrase& phrase :
         extractor_.extract(standardiser_.standardise(texts.findings, texts.impressions))) {
      if (!phrase.abnormal) continue;
      out.findings.push_back({"P" + decimal(out.findings.size() + 1), category_code(phrase), phrase.text});
    }
    return out;
  }

 private:
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
      out.findings.push_back({key, *code.as_string(), has_texts ? *text->second : std::string()});
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
    selected_ += taken ? 1 : 0;
    for (const CodedFinding& finding : findings) ++(taken ? kept_ : dropped_)[finding.code];
    const char* reason = taken ? "" : (wanted ? "has an excluded code" : "has no included code");
    FIDUCIAL_TRY_DONE(table_.write(csv_row(std::vector<std::string>{
        std::string(row.id), std::string(row.volume), taken ? "1" : "0", reason, counts_text(findings)})));
    return ItemStatus{};
  }

  // How the findings of chosen studies differ from those of the others.
  Json summary() const {
    return Json::object({{"selected", selected_},
                         {"codes_kept", counts_json(kept_)},
                         {"codes_dropped", counts_json(dropped_)}});
  }

  RowMemory memory() {
    return {.save = [this] { return summary(); },
            .restore = [this](const Json& state) -> Outcome {
              FIDUCIAL_TRY(const Json* selected, required_field(state, "selected", "/state"));
              FIDUCIAL_TRY(selected_, expect_integer(*selected, "/state/selected"));
              for (auto [name, counts] :
                   {std::pair{"codes_kept", &kept_}, std::pair{"codes_dropped", &dropped_}}) {
                FIDUCIAL_TRY(const Json* stored, required_field(state, name, "/state"));
                FIDUCIAL_TRY(const Json::Object* members, expect_object(*stored, "/state"));
                for (const auto& [code, count] : *members) {
                  FIDUCIAL_TRY((*counts)[code], expect_integer(count, "/state"));
                }
              }
              return done();
            }};
  }

 private:
  std::set<std::string> include_;
  std::set<std::string> exclude_;
  OutputFile& table_;
  FindingCoder coder_;
  std::map<std::string, std::int64_t> kept_;
  std::map<std::string, std::int64_t> dropped_;
  std::int64_t selected_ = 0;
};

Outcome run_select(StageCall& call) {
  FIDUCIAL_TRY(std::set<std::string> include, codes_of(call, "include", published_include));
  FIDUCIAL_TRY(std::set<std::string> exclude, codes_of(call, "exclude", published_exclude));
  FIDUCIAL_TRY(EarlierOutputs earlier, EarlierOutputs::of(call));
  FIDUCIAL_TRY(OutputFile * table, call.output().add_main(".csv", "select"));
  FIDUCIAL_TRY_DONE(table->write_heading("VolumeName,VolumeToAnnotate,Selected,Reason,Codes\n"));
  SelectRun run({std::move(include), std::move(exclude)}, *table, std::move(earlier));
  FIDUCIAL_TRY_DONE(for_each_report(
      call, {.unique_names = true}, [&run](const ReportRow& row) { return run.add(row); }, run.memory()));
  call.summary() = run.summary();
  return done();
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

// Writes the tasks of one table of reports.
class TaskRun {
 public:
  TaskRun(OutputFile& file, EarlierOutputs earlier, std::optional<Path> volumes)
      : file_(file), coder_(std::move(earlier)), volumes_(std::move(volumes)) {}

  Result<ItemStatus> add(const ReportRow& row) {
    const CodedFindings coded = coder_.coded(row);
    if (coded.status.is_failure()) return coded.status;
    const std::string volume = study_names(row.id, row.volume, volumes_).grounding;
    const Json task = task_json(volume, coded.findings);
    if (task.is_null()) return ItemStatus{.status = "skipped", .code = "nothing_to_annotate"};
    if (volumes_ && !rexgroundingct::find_volume(*volumes_, volume))
      return rejected("volume_missing", volume + " is not in the folder of volumes");
    FIDUCIAL_TRY_DONE(file_.write((first_ ? "[\n" : ",\n") + task.compact()));
    first_ = false;
    return ItemStatus{};
  }

  Outcome finish() { return file_.write(first_ ? "[]\n" : "\n]\n"); }

  RowMemory memory() {
    return {.save = [this] { return Json(first_); },
            .restore = [this](const Json& state) -> Outcome {
              first_ = state.as_bool() == nullptr || *state.as_bool();
              return done();
            }};
  }

 private:
  OutputFile& file_;
  FindingCoder coder_;
  std::optional<Path> volumes_;
  bool first_ = true;
};

Outcome run_tasks(StageCall& call) {
  FIDUCIAL_TRY(EarlierOutputs earlier, EarlierOutputs::of(call));
  if (!earlier.empty() && !earlier.has("positive_finding_reports"))
    return bad_usage("curate tasks: --from needs the output of findings beside that of categories");
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(".json", "tasks"));
  std::optional<Path> volumes;
  if (call.has("volumes")) volumes = call.text("volumes");
  std::error_code ignored;
  if (volumes && !std::filesystem::is_directory(*volumes, ignored))
    return Error(ErrorCode::invalid_data, "no such folder of volumes", Place{.path = volumes->string()});
  TaskRun run(*file, std::move(earlier), std::move(volumes));
  FIDUCIAL_TRY_DONE(for_each_report(
      call, {.unique_names = true}, [&run](const ReportRow& row) { return run.add(row); }, run.memory()));
  return run.finish();
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
          .options = {{.name = "volumes", .help = "CTs; a study whose CT is not there is rejected"},
                      from_option("findings and categories")},
          .resumes = true,
          .run = run_tasks};
}

}  // namespace fiducial
