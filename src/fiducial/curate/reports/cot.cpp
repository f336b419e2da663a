#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/reports/anatomy_chain.h"
#include "fiducial/curate/reports/cot_import.h"
#include "fiducial/curate/reports/earlier_outputs.h"
#include "fiducial/curate/reports/reply_polarity.h"
#include "fiducial/curate/reports/report_asks.h"
#include "fiducial/curate/reports/report_folder.h"
#include "fiducial/curate/reports/report_sources.h"
#include "fiducial/curate/reports/study_names.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/findings/finding_phrases.h"
#include "fiducial/findings/report_grounding.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

namespace {

// Whose chain of thought is made, and what is said of it.
struct ChainSubject {
  std::string key;  // of the findings file, "P1", or "F3.0": sentence and finding of the report
  std::string text;
  std::string origin;  // "dataset", "findings" (of an earlier stage) or "report"
  std::vector<std::string> places;
  const LabelMap* mask = nullptr;
  std::string mask_problem;
  std::vector<SourceSpan> sources;  // where the report says it; none of a dataset's
};

// What a row of reports is tied to.
struct ChainInputs {
  std::optional<MaskLibrary> library;
  std::vector<std::string> masked;  // volumes of the library, sorted
  std::optional<Path> volumes;
  EarlierOutputs earlier;
  std::optional<rexgroundingct::Dataset> dataset;
  std::map<std::string, const GroundedCase*> cases;  // by the name of the volume
};

// The volume a report is about: named by its row, known to the dataset, or the first reconstruction that has
// masks, or is there at all.
std::string volume_of(const ReportRow& row, const ChainInputs& inputs) {
  StudyNames names = study_names(row.id, row.volume, inputs.volumes);
  const bool names_a_volume = !row.volume.empty() || volume_stem(row.id) == volume_stem(names.grounding);
  if (names_a_volume) return names.grounding;
  const std::string study = std::string(row.id) + "_";
  const auto listed = inputs.cases.lower_bound(study);
  if (listed != inputs.cases.end() && listed->first.starts_with(study)) return listed->first;
  const auto masked = std::lower_bound(inputs.masked.begin(), inputs.masked.end(), study);
  if (masked != inputs.masked.end() && masked->starts_with(study)) return *masked + ".nii.gz";
  return names.grounding;
}

Result<ChainInputs> open_inputs(StageCall& call) {
  ChainInputs inputs;
  FIDUCIAL_TRY(inputs.earlier, EarlierOutputs::of(call));
  if (call.has("masks")) {
    FIDUCIAL_TRY(inputs.library, MaskLibrary::open(call.text("masks")));
    FIDUCIAL_TRY(inputs.masked, inputs.library->volumes());
  }
  if (call.has("volumes")) {
    inputs.volumes = call.text("volumes");
    std::error_code ignored;
    if (!std::filesystem::is_directory(*inputs.volumes, ignored)) {
      return path_missing("no such folder of volumes", inputs.volumes->string());
    }
  }
  if (!call.has("findings")) return inputs;
  FIDUCIAL_TRY(inputs.dataset, rexgroundingct::Dataset::open(call.text("findings")));
  call.record_input("findings", inputs.dataset->folder() / inputs.dataset->file_name(),
                    inputs.dataset->digest());
  for (const auto& [split, cases] : inputs.dataset->content().splits) {
    for (const GroundedCase& entry : cases) inputs.cases.emplace(entry.name, &entry);
  }
  return inputs;
}

// The findings that the report's sentences state.
std::vector<ChainSubject> report_subjects(std::string_view findings, ReportGrounder& grounder) {
  const SentenceCodes codes(findings, 'F');
  std::vector<ChainSubject> out;
  int number = 0;
  for (const Sentence& sentence : split_sentences(findings, SentenceRule::published)) {
    const std::string_view words = sentence.content.of(findings);
    int count = 0;
    std::set<std::pair<std::string, std::vector<std::string>>> told;  // said twice of one place, it is one
    for (GroundedFinding& found : grounder.findings(words)) {
      if (!found.present || !told.emplace(found.name, found.paths).second) continue;
      out.push_back({.key = "F" + decimal(number) + "." + decimal(count++),
                     .text = std::string(words),
                     .origin = "report",
                     .places = std::move(found.paths),
                     .sources = {codes.source(sentence.content)}});
    }
    ++number;
  }
  return out;
}

// The places that a statement names: those of its findings, or of the statement as a whole.
std::vector<std::string> places_named_in(std::string_view statement, ReportGrounder& grounder) {
  std::set<std::string> places;
  for (const GroundedFinding& found : grounder.findings(statement)) {
    places.insert(found.paths.begin(), found.paths.end());
  }
  std::vector<std::string> out = deepest({places.begin(), places.end()});
  return out.empty() ? grounder.paths(statement) : out;
}

// Where a report says the findings that the rules draw from it, by their words.
class FindingSources {
 public:
  explicit FindingSources(std::vector<FindingPhrase> phrases) {
    for (FindingPhrase& phrase : phrases) {
      if (phrase.abnormal) spans_.emplace(std::move(phrase.text), std::move(phrase.spans));
    }
  }

  // None of a finding in other words than theirs.
  std::vector<SourceSpan> of(const std::string& text) const {
    const auto found = spans_.find(text);
    return found != spans_.end() ? found->second : std::vector<SourceSpan>{};
  }

 private:
  std::map<std::string, std::vector<SourceSpan>> spans_;
};

// The positive findings that an earlier stage drew from a report.
struct EarlierSubjects {
  std::vector<ChainSubject> subjects;
  ItemStatus status;
};
EarlierSubjects earlier_subjects(const ReportRow& row, const EarlierOutputs& earlier,
                                 ReportGrounder& grounder, const FindingSources& drawn) {
  const EarlierOutputs::Document document = earlier.find("positive_finding_reports", row.id);
  EarlierSubjects out{.subjects = {}, .status = document.status};
  if (!out.status.is_failure()) out.status = check_text_members(document.value, "positive_finding_reports");
  if (!out.status.is_failure()) out.status = ReplyPolarity().check_positive(sections_of(row), document.value);
  if (out.status.is_failure()) return out;
  for (const auto& [key, text] : *document.value.as_object()) {
    out.subjects.push_back({.key = key,
                            .text = *text.as_string(),
                            .origin = "findings",
                            .places = places_named_in(*text.as_string(), grounder),
                            .sources = drawn.of(*text.as_string())});
  }
  return out;
}

std::vector<ChainSubject> dataset_subjects(const GroundedCase& entry, const Result<MaskFile>& masks,
                                           ReportGrounder& grounder) {
  std::vector<ChainSubject> out;
  for (const Finding& finding : entry.findings) {
    ChainSubject subject{.key = decimal(finding.index), .text = finding.text, .origin = "dataset"};
    subject.places = places_named_in(finding.text, grounder);
    const auto channel = static_cast<std::size_t>(finding.index);
    if (!masks.ok()) {
      subject.mask_problem = masks.error().text();
    } else if (channel < masks->channels.size()) {
      subject.mask = &masks->channels[channel];
    } else {
      subject.mask_problem = "the mask file has no channel " + decimal(channel);
    }
    out.push_back(std::move(subject));
  }
  return out;
}

// A chain without its finding's own box says why.
void add_mask_problem(AnatomyChain& chain, const std::string& problem) {
  chain.steps.push_back({.level = "finding", .structure = "finding", .source = "mask", .reason = problem});
  if (chain.status == ChainStatus::located) chain.status = ChainStatus::abstained;
  if (chain.reason.empty()) chain.reason = problem;
}

AnatomyChain chain_of(const ChainSubject& subject, const CaseMasks& masks) {
  if (subject.mask == nullptr) {
    AnatomyChain chain = make_chain(masks, subject.places, std::nullopt);
    if (subject.origin == "dataset") add_mask_problem(chain, subject.mask_problem);
    return chain;
  }
  const Mask mask = subject.mask->foreground();
  if (masks.grid() && mask.extent() != masks.grid()->extent) {
    AnatomyChain chain = make_chain(masks, subject.places, std::nullopt);
    add_mask_problem(chain, "other_grid: expected " + masks.grid()->extent.text() + " voxels, found " +
                                mask.extent().text());
    return chain;
  }
  AnatomyChain chain = make_chain(masks, subject.places, FindingMask{&mask});
  if (mask.empty()) add_mask_problem(chain, "empty: the finding's mask has no voxel");
  return chain;
}

// Makes and writes the chains of one volume after the other.
class ChainWriter {
 public:
  ChainWriter(StageCall& call, ChainInputs inputs, OutputFile& lines)
      : call_(call), inputs_(std::move(inputs)), lines_(lines) {}

  Result<ItemStatus> write(const ReportRow& row) {
    const std::string volume = volume_of(row, inputs_);
    const Result<std::optional<Grid>> grid = volume_grid(volume);
    if (!grid.ok()) return rejected("volume_unreadable", grid.error().text());
    Result<CaseMasks> masks =
        inputs_.library ? inputs_.library->read_case(volume, *grid) : Result<CaseMasks>(CaseMasks(*grid));
    if (!masks.ok()) return rejected("masks_unreadable", masks.error().text());
    const auto known = inputs_.cases.find(volume);
    const Result<MaskFile> channels = known != inputs_.cases.end()
                                          ? finding_masks(*known->second)
                                          : Result<MaskFile>(invalid_data("no findings are listed"));
    EarlierSubjects found =
        subjects_of(row, known == inputs_.cases.end() ? nullptr : known->second, channels);
    if (found.status.is_failure()) return found.status;
    ItemStatus status;
    if (call_.flag("ask")) {
      FIDUCIAL_TRY(status, take_reply(row, found.subjects));
      if (status.status != "ok") return status;
    }
    std::map<std::string, std::int64_t> counts;
    FIDUCIAL_TRY_DONE(write_chains(found.subjects, row, masks.value(), counts));
    Json facts = Json::Object{};
    for (const auto& [name, count] : counts) facts.set(name, count);
    if (masks->empty()) {
      return ItemStatus{.status = "skipped",
                        .code = "no_anatomy",
                        .detail = inputs_.library ? "no organ masks of " + volume
                                                  : "no organ masks are given (--masks DIR)",
                        .facts = Json::object({{"chains", std::move(facts)}})};
    }
    status.facts = Json::object({{"chains", std::move(facts)}});
    return status;
  }

  Json summary() const { return counts_json(totals_); }

  RowMemory memory() {
    return {.save = [this] { return counts_json(totals_); },
            .restore = [this](const Json& state) -> Outcome {
              FIDUCIAL_TRY(const Json::Object* counts, expect_object(state, "/state"));
              for (const auto& [status, count] : *counts) {
                FIDUCIAL_TRY(totals_[status], expect_integer(count, "/state/" + status));
              }
              return done();
            }};
  }

 private:
  Result<std::optional<Grid>> volume_grid(const std::string& volume) const {
    if (!inputs_.volumes) return std::optional<Grid>();
    const auto path = rexgroundingct::find_volume(*inputs_.volumes, volume);
    if (!path) return std::optional<Grid>();
    FIDUCIAL_TRY(const NiftiHeader header, read_volume_header(*path));
    return std::optional<Grid>(header.grid());
  }

  EarlierSubjects subjects_of(const ReportRow& row, const GroundedCase* listed,
                              const Result<MaskFile>& channels) {
    if (listed != nullptr) return {.subjects = dataset_subjects(*listed, channels, grounder_), .status = {}};
    if (!inputs_.earlier.empty()) {
      const ReportSectionsText texts = sections_of(row);
      const FindingSources drawn(
          extractor_.extract(standardiser_.standardise(texts.findings, texts.impressions)));
      return earlier_subjects(row, inputs_.earlier, grounder_, drawn);
    }
    return {.subjects = report_subjects(row.texts.front().text, grounder_), .status = {}};
  }

  // A model's places in place of those of the rules, counted where they are the same.
  Result<ItemStatus> take_reply(const ReportRow& row, std::vector<ChainSubject>& subjects) {
    if (subjects.empty()) return ItemStatus{};
    Json::Object members;
    for (const ChainSubject& subject : subjects) members.emplace_back(subject.key, subject.text);
    const Json statements(std::move(members));
    FIDUCIAL_TRY(const CheckedReply reply,
                 ask_for(call_, place_request("cot", statements, known_paths()), row.id));
    if (!reply.usable) return reply.status;
    ItemStatus status = check_places(reply.value, statements);
    for (const ChainSubject& subject : subjects) {
      if (status.is_failure()) return status;
      status = check_mirrored(subject.key, strings_at(reply.value, subject.key), subject.places);
    }
    if (status.is_failure()) return status;
    for (ChainSubject& subject : subjects) {
      std::vector<std::string> said = deepest(strings_at(reply.value, subject.key));
      call_.agreement().add(said == subject.places, status);
      subject.places = std::move(said);
    }
    return status;
  }

  Outcome write_chains(const std::vector<ChainSubject>& subjects, const ReportRow& row,
                       const CaseMasks& masks, std::map<std::string, std::int64_t>& counts) {
    const std::string volume = volume_of(row, inputs_);
    for (const ChainSubject& subject : subjects) {
      const AnatomyChain chain = chain_of(subject, masks);
      ++counts[std::string(to_string(chain.status))];
      ++totals_[std::string(to_string(chain.status))];
      Json line = Json::object({{"schema", "fiducial.anatomy_chain/1"},
                                {"volume", volume},
                                {"finding", subject.key},
                                {"origin", subject.origin},
                                {"statement", subject.text}});
      if (!subject.sources.empty()) line.set("sources", sources_json(subject.sources, row));
      const Json chained = chain_json(chain, masks);
      for (const auto& [key, value] : *chained.as_object()) line.set(key, value);
      FIDUCIAL_TRY_DONE(lines_.write(line.compact() + "\n"));
    }
    return done();
  }

  Result<MaskFile> finding_masks(const GroundedCase& entry) const {
    FIDUCIAL_TRY(StoredFile file, inputs_.dataset->open_mask(entry));
    return read_mask_file(std::move(file), std::nullopt).mask;
  }

  StageCall& call_;
  ChainInputs inputs_;
  OutputFile& lines_;
  ReportGrounder grounder_;
  ReportStandardiser standardiser_;
  FindingExtractor extractor_;
  std::map<std::string, std::int64_t> totals_;
};

Outcome run_cot(StageCall& call) {
  if (call.text("REPORTS").ends_with(".json")) return import_chains(call);
  FIDUCIAL_TRY(OutputFile * lines, call.output().add("chains.jsonl"));
  FIDUCIAL_TRY(ChainInputs inputs, open_inputs(call));
  ChainWriter writer(call, std::move(inputs), *lines);
  FIDUCIAL_TRY_DONE(for_each_report(
      call, {.text_column = call.text("text-column"), .unique_names = true},
      [&writer](const ReportRow& row) { return writer.write(row); }, writer.memory()));
  call.summary().set("chains", writer.summary());
  if (call.flag("ask")) call.summary().set("replies", call.agreement().json());
  return done();
}

}  // namespace

Stage cot_stage() {
  StageOption reports = reports_input();
  reports.help += "; or a published anatomical_cot.json, to be imported and checked";
  return {
      .name = "cot",
      .summary = "Narrow scans down to findings, box by box, by organ masks; or check published chains",
      .example = "fiducial curate cot reports.csv --masks organs --volumes ct-rate -o chains",
      .inputs = {reports},
      .options =
          {{.name = "masks",
            .help = "Organ masks: per structure (seg_VOLUME/), label maps, or tar archives of them; without "
                    "any, every chain abstains",
            .is_path = true},
           {.name = "volumes", .help = "CTs, for grid and millimetres", .is_path = true},
           {.name = "findings", .help = "ReXGroundingCT folder with masks of the findings", .is_path = true},
           from_option("findings"),
           ask_option(),
           text_column_option()},
      .asks = true,
      .writes_folder = true,
      .resumes = true,
      .by_rows = true,
      .run = run_cot};
}

}  // namespace fiducial
