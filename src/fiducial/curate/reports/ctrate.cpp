#include <algorithm>
#include <map>

#include "fiducial/base/executor.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/system_error.h"
#include "fiducial/cards/card_markdown.h"
#include "fiducial/cards/make_card.h"
#include "fiducial/curate/all_stages.h"
#include "fiducial/curate/engine/stage_parts.h"
#include "fiducial/curate/reports/published_layouts.h"
#include "fiducial/curate/reports/report_stage.h"
#include "fiducial/datasets/check_dataset.h"
#include "fiducial/datasets/dataset_adapter.h"

namespace fiducial {

namespace {

// A stage that is run over the reports, and what it writes below stages/.
struct PartStage {
  const char* name;
  const char* output;
};
constexpr PartStage part_stages[] = {{"sentences", "sentences.csv"},
                                     {"standardise", "standardise"},
                                     {"findings", "findings"},
                                     {"categories", "categories"},
                                     {"labels", "labels.csv"},
                                     {"regions", "regions.csv"},
                                     {"reports", "reports"},
                                     {"vqa", "vqa"},
                                     {"select", "select.csv"},
                                     {"tasks", "tasks.json"},
                                     {"cot", "cot"}};

struct Layout {
  const char* name;
  Result<PublishedCounts> (*write)(const CuratedReports& reports, const Path& folder);
};
constexpr Layout both_layouts[] = {{"rexgroundingct", write_grounding_layout},
                                   {"radgenome", write_region_layout}};

constexpr std::size_t longest_status_line = std::size_t{1} << 26;
constexpr std::uint64_t most_rows_bytes = std::uint64_t{16} << 30;
constexpr const char* rows_folder = "rows";  // of the work folder, gone at the end

// "manifest.json" and "status.jsonl" of a stage's output.
Path beside(const Path& output, const std::string& name) {
  return OutputFiles::names_file(output) ? Path(output.string() + "." + name) : output / name;
}

// What the stages made of one report: the first thing that went wrong, or kept it from being read.
struct ReportVerdict {
  ItemStatus status;
  std::vector<std::string> stages;  // that failed on it
};

// Runs every stage over one table and writes what comes of it in both published layouts.
class CorpusRun {
 public:
  explicit CorpusRun(StageCall& call) : call_(call), root_(call.output().staging()) {}

  Outcome run() {
    rows_of_stages_ = call_.resumed_state();
    FIDUCIAL_TRY_DONE(begin());
    if (call_.part()) return run_rows();
    for (const PartStage& part : part_stages) FIDUCIAL_TRY_DONE(run_part(part));
    std::error_code ignored;
    std::filesystem::remove_all(root_ / rows_folder, ignored);
    FIDUCIAL_TRY_DONE(read_names());
    for (const Layout& layout : both_layouts) FIDUCIAL_TRY_DONE(write_layout(layout));
    FIDUCIAL_TRY_DONE(write_file(root_ / "check.json", checks_.pretty()));
    say_what_is_missing();
    const std::size_t missing = missing_.as_array()->size();
    call_.summary() =
        Json::object({{"told", "missing: " + decimal(missing) +
                                   " things; summary.missing of manifest.json says which and why"},
                      {"stages", std::move(stages_)},
                      {"layouts", std::move(layouts_)},
                      {"missing", std::move(missing_)}});
    return done();
  }

 private:
  // Rows of the part, by every stage; what came of them is put together where all parts are there.
  Outcome run_rows() {
    Json states = Json::object({});
    for (const PartStage& part : part_stages) {
      if (!is_wanted(part)) continue;
      FIDUCIAL_TRY(const Stage* stage, find_stage(part.name));
      const Path folder = root_ / rows_folder / part.name;
      StageRequest request = request_for(*stage, folder / "rows");
      request.part = call_.part();
      FIDUCIAL_TRY(
          const StagePart made,
          run_stage_part(*stage, request, call_.progress()).context(std::string("running ") + part.name));
      for (const auto& [name, path] : made.files) {
        FIDUCIAL_TRY_DONE(make_folders((folder / name).parent_path()));
        FIDUCIAL_TRY_DONE(rename_path(path, folder / name));
      }
      std::error_code ignored;
      std::filesystem::remove_all(part_folder(request.output), ignored);
      if (states.as_object()->empty()) call_.pass_rows(integer_at(made.checkpoint, "passed"));
      states.set(part.name, made.checkpoint);
    }
    return call_.save(fingerprint_, [&states] { return states; });
  }

  bool is_wanted(const PartStage& part) const {
    return std::string_view(part.name) != "cot" || call_.has("masks");
  }

  // A stage whose rows were done in parts.
  Result<StageOutcome> conclude_rows(const PartStage& part, const Stage& stage, const Json& checkpoint,
                                     const Path& output) {
    const Path folder = root_ / rows_folder / part.name;
    KeptPart kept{.checkpoint = checkpoint, .files = {}};
    FIDUCIAL_TRY(const std::vector<Path> files, files_below(folder));
    for (const Path& file : files) {
      FIDUCIAL_TRY(kept.files[file.lexically_relative(folder).generic_string()],
                   read_text_file(file, most_rows_bytes));
    }
    const PartVisitor visit = [&kept](const std::function<Outcome(const KeptPart&)>& take) {
      return take(kept);
    };
    return conclude_stage(stage, request_for(stage, output), visit, call_.progress());
  }

  // A table that changed since an earlier run was stopped cannot be gone on with.
  Outcome begin() {
    const Path path = call_.text("REPORTS");
    FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
    HashingStream stored(std::move(file));
    FIDUCIAL_TRY(const Digest digest, stored.finish());
    call_.record_input("REPORTS", path, digest);
    const std::string earlier = call_.resumed_fingerprint();
    if (!earlier.empty() && earlier != digest.hex()) {
      return Error(ErrorCode::integrity,
                   "the table has changed since an earlier run was stopped; the next run begins anew",
                   Place{.path = path.string()});
    }
    FIDUCIAL_TRY_DONE(make_folders(root_ / "stages"));
    fingerprint_ = digest.hex();
    return call_.save(fingerprint_, {});
  }

  StageRequest request_for(const Stage& stage, const Path& output) const {
    StageRequest request{
        .mode = call_.request().mode, .typed = call_.request().typed, .output = output, .overwrite = true};
    request.values["REPORTS"] = {call_.text("REPORTS")};
    if (stage.draws) request.seed = call_.request().seed;
    for (const StageOption& option : stage.options) {
      const bool is_ours = option.name == "masks" || option.name == "volumes";
      if (is_ours && call_.has(option.name)) request.values[option.name] = {call_.text(option.name)};
      // So that every label and region can be looked up where the words stand.
      if (option.name == "explain") request.values[option.name] = {"true"};
    }
    return request;
  }

  // A stage whose manifest is there has been run.
  Outcome run_part(const PartStage& part) {
    if (stop_requested()) {
      call_.keep();
      return Error(ErrorCode::interrupted, "stopped by a signal; the same command goes on from here");
    }
    if (!is_wanted(part)) return done();
    FIDUCIAL_TRY(const Stage* stage, find_stage(part.name));
    const Path output = root_ / "stages" / part.output;
    if (!is_there(beside(output, "manifest.json"))) {
      const Json* rows = rows_of_stages_.find(part.name);
      Result<StageOutcome> outcome = rows == nullptr
                                         ? run_stage(*stage, request_for(*stage, output), call_.progress())
                                         : conclude_rows(part, *stage, *rows, output);
      if (!outcome.ok()) {
        if (outcome.error().code() == ErrorCode::interrupted) call_.keep();
        return std::move(outcome).error().context(std::string("running ") + part.name);
      }
    }
    FIDUCIAL_TRY_DONE(read_verdicts(part, beside(output, "status.jsonl")));
    return count_part(part, beside(output, "manifest.json"));
  }

  Outcome read_verdicts(const PartStage& part, const Path& path) {
    FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
    LineReader lines(*file, longest_status_line);
    while (true) {
      FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next().in_file(path.string()));
      if (!line) return done();
      FIDUCIAL_TRY(const Json entry, parse_json(*line).in_file(path.string()));
      ItemStatus status{.status = text_in(entry, "status"),
                        .code = text_in(entry, "code"),
                        .detail = std::string(part.name) + ": " + text_in(entry, "detail")};
      const bool unread =
          status.code == "empty_report" || status.code == "not_english" || status.code == "no_chest";
      if (!status.is_failure() && !unread) continue;
      ReportVerdict& verdict = verdicts_[integer_at(entry, "item")];
      if (status.is_failure()) verdict.stages.emplace_back(part.name);
      const bool is_worse = status.is_failure() && !verdict.status.is_failure();
      if (verdict.status.code.empty() || is_worse) verdict.status = std::move(status);
    }
  }

  static std::string text_in(const Json& entry, const char* name) {
    const std::string* text = find_string(entry, name);
    return text == nullptr ? std::string() : *text;
  }

  Outcome count_part(const PartStage& part, const Path& manifest) {
    FIDUCIAL_TRY(const std::string text, read_text_file(manifest));
    FIDUCIAL_TRY(const Json document, parse_json(text).in_file(manifest.string()));
    const auto count = [&document](const char* name) { return integer_at(document, name); };
    const Json* summary = document.find("summary");
    stages_.set(part.name, Json::object({{"items", count("items")},
                                         {"failures", count("failures")},
                                         {"summary", summary == nullptr ? Json() : *summary}}));
    if (count("failures") > 0) {
      missing_.push(std::string(part.name) + ": " + decimal(count("failures")) + " of " +
                    decimal(count("items")) + " reports failed; the status file of the stage says why");
    }
    return done();
  }

  Outcome read_names() {
    if (call_.has("volumes")) reports_.volumes = call_.text("volumes");
    FIDUCIAL_TRY(ReportRows rows, ReportRows::open(call_.text("REPORTS"), {}));
    while (true) {
      FIDUCIAL_TRY(const std::optional<ReportRow> row, rows.next());
      if (!row) break;
      const StudyNames names = study_names(row->id, row->volume, reports_.volumes);
      reports_.studies.emplace(std::string(row->id), names);
      FIDUCIAL_TRY_DONE(record_report(*row, names));
    }
    reports_.stages = root_ / "stages";
    return done();
  }

  // A report is one item, whatever the number of stages: it failed where one of them did.
  Outcome record_report(const ReportRow& row, const StudyNames& names) {
    const auto found = verdicts_.find(row.index);
    ItemStatus status = found == verdicts_.end() ? ItemStatus{} : found->second.status;
    Json facts = Json::object({{"volume", names.grounding}});
    if (found != verdicts_.end() && !found->second.stages.empty())
      facts.set("failed_stages", Json::strings(found->second.stages));
    status.facts = std::move(facts);
    return call_.record(row.index, std::string(row.id), status);
  }

  Outcome write_layout(const Layout& layout) {
    const Path folder = root_ / layout.name;
    FIDUCIAL_TRY_DONE(make_folders(folder));
    FIDUCIAL_TRY(const PublishedCounts counts, layout.write(reports_, folder));
    layouts_.set(layout.name, Json::object({{"cases", counts.cases},
                                            {"rows", counts.rows},
                                            {"without_volume", counts.without_volume}}));
    if (counts.rows == 0) missing_.push(std::string(layout.name) + ": no report has anything for it");
    return counts.rows > 0 ? check_layout(layout, folder) : done();
  }

  // The rules of the layout, and its card.
  Outcome check_layout(const Layout& layout, const Path& folder) {
    if (!find_dataset_adapter(folder).ok()) {
      missing_.push(std::string(layout.name) + ": this build has no rules and makes no card for it");
      return done();
    }
    FIDUCIAL_TRY(const LintReport report, check_dataset({.dataset = folder}, Executor(1), call_.progress()));
    checks_.set(layout.name, report.json());
    CardRequest request{.dataset = folder};
    request.made_from = Path(call_.text("REPORTS")).filename().string();
    if (call_.has("volumes")) request.volumes = call_.text("volumes");
    if (call_.has("card-config")) request.config = call_.text("card-config");
    FIDUCIAL_TRY(const Json card, make_card(request, Executor(1), call_.progress()));
    FIDUCIAL_TRY(const std::string markdown, render_card(card));
    FIDUCIAL_TRY_DONE(write_file(folder / "card.json", card.pretty()));
    return write_file(folder / "card.md", markdown);
  }

  void say_what_is_missing() {
    if (!call_.has("masks")) missing_.push("organ masks: without --masks there are no chains of thought");
    if (!call_.has("volumes"))
      missing_.push("CTs: without --volumes shapes and paths of volumes are not given");
    missing_.push("masks of findings: rexgroundingct/segmentations is for annotators (stages/tasks.json)");
  }

  StageCall& call_;
  Path root_;
  std::string fingerprint_;
  Json rows_of_stages_;  // what parts came to, by stage; null where there were none
  CuratedReports reports_;
  std::map<std::int64_t, ReportVerdict> verdicts_;  // by row, where there is anything to tell
  Json stages_ = Json::Object{};
  Json layouts_ = Json::Object{};
  Json checks_ = Json::Object{};
  Json missing_ = Json::Array{};
};

Outcome run_ctrate(StageCall& call) { return CorpusRun(call).run(); }

}  // namespace

Stage ctrate_stage() {
  return {
      .name = "ctrate",
      .summary = "Run every stage over CT-RATE reports and write both published layouts, checks and cards",
      .example = "fiducial curate ctrate reports.csv -o corpus --volumes ct-rate --masks organs",
      .inputs = {reports_input()},
      .options = {{.name = "masks", .help = "Organ masks, for chains of thought", .is_path = true},
                  {.name = "volumes",
                   .help = "Folder of the CTs: shapes, paths, and what checks need",
                   .is_path = true},
                  {.name = "card-config",
                   .help = "JSON of what the data cannot say, for the cards",
                   .is_path = true}},
      .draws = true,
      .default_seed = 42,
      .writes_folder = true,
      .resumes = true,
      .by_rows = true,
      .run = run_ctrate};
}

}  // namespace fiducial
