#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/finding_replies.h"
#include "fiducial/curate/reports/open_questions.h"
#include "fiducial/curate/reports/presence_table.h"
#include "fiducial/curate/reports/question_files.h"
#include "fiducial/curate/reports/report_asks.h"
#include "fiducial/curate/reports/report_places.h"
#include "fiducial/curate/reports/report_sources.h"
#include "fiducial/findings/report_grounding.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

template <typename Names>
std::string joined_or_no_findings(const Names& names) {
  return std::empty(names) ? "no findings" : joined(names);
}

// Makes the tables of one corpus.
class VqaRun {
 public:
  VqaRun(StageCall& call, const QuestionFiles& files)
      : call_(call), files_(files), presence_(*files.memory), open_(*files.open) {}

  Result<ItemStatus> add(const ReportRow& row) {
    const ReportSectionsText texts = sections_of(row);
    read_columns(row, texts);
    volume_ = std::string(row.id);
    places_.clear();
    locations_.clear();
    auto [findings, spoken] = grounder_.ground(texts.findings);
    const bool is_judged = text_.is_judged();
    StatedNames disorders = is_judged
                                ? stated_names(grounder_.findings(texts.impressions), text_.impression())
                                : stated_names(findings, text_.findings());
    if (is_judged && disorders.names.empty())
      disorders.sources = {text_.impression().source({0, texts.impressions.size()})};
    ItemStatus status;
    if (call_.flag("ask")) {
      FIDUCIAL_TRY(status, take_reply(texts, findings, disorders));
      if (status.status != "ok") {
        FIDUCIAL_TRY_DONE(presence_.pass(volume_));
        return status;
      }
    }
    if (!call_.flag("ask")) add_judged(texts, findings);
    for (const SpokenPath& each : spoken) places_.visit(each);
    for (const GroundedFinding& finding : findings) place(finding);
    FIDUCIAL_TRY_DONE(write_places());
    FIDUCIAL_TRY_DONE(write_locations());
    FIDUCIAL_TRY_DONE(write_sizes(findings));
    FIDUCIAL_TRY_DONE(write_disorders(disorders, is_judged));
    FIDUCIAL_TRY_DONE(
        presence_.add({.volume = volume_, .findings = findings, .places = places_, .text = text_}));
    return status;
  }

  RowMemory memory() {
    return {.save =
                [this] {
                  return Json::object({{"contradictions", presence_.contradictions()},
                                       {"findings_column", columns_.findings},
                                       {"impressions_column", columns_.impressions}});
                },
            .restore = [this](const Json& state) -> Outcome {
              FIDUCIAL_TRY(const Json* left_out, required_field(state, "contradictions", "/state"));
              FIDUCIAL_TRY(const std::int64_t count, expect_integer(*left_out, "/state/contradictions"));
              presence_.set_contradictions(count);
              columns_ = {text_at(state, "findings_column"), text_at(state, "impressions_column")};
              const Path memory = call_.output().memory_path(presence_memory);
              FIDUCIAL_TRY_DONE(presence_.recall(memory).in_file(memory.string()));
              return open_.recall(call_.output().memory_path(open_memory));
            }};
  }

  Outcome finish() {
    FIDUCIAL_TRY(const Json open,
                 open_.write(call_.output().memory_path(open_memory), call_.random(), *files_.questions));
    const std::vector<PresenceQuestion> balanced = presence_.balanced(call_.random());
    for (const PresenceQuestion& question : balanced) {
      FIDUCIAL_TRY_DONE(presence_.write(question, basis_of(question.present),
                                        {*files_.presence, *files_.questions, columns_}, call_.random()));
    }
    call_.summary() = presence_.summary(balanced);
    call_.summary().set("open", open);
    call_.summary().set("contradictions_left_out", presence_.contradictions());
    if (call_.flag("ask")) call_.summary().set("replies", call_.agreement().json());
    if (files_.silent == nullptr) return done();
    const std::vector<PresenceQuestion> silent = presence_.silent(call_.random());
    for (const PresenceQuestion& question : silent) {
      FIDUCIAL_TRY_DONE(presence_.write(
          question, "silent", {*files_.silent, *files_.silent_questions, columns_}, call_.random()));
    }
    call_.summary().set("silent", Json::object({{"questions", static_cast<std::int64_t>(silent.size())}}));
    return done();
  }

 private:
  // Names that a text states, and the words that do.
  struct StatedNames {
    std::vector<std::string> names;
    std::vector<SourceSpan> sources;
  };

  void read_columns(const ReportRow& row, const ReportSectionsText& texts) {
    text_ = JudgedText(texts);
    for (const ReportText& text : row.texts)
      (text.section == 'F' ? columns_.findings : columns_.impressions) = text.column;
  }

  // What the impression alone speaks of is found too. Its characters are counted from the end of the
  // findings.
  void add_judged(const ReportSectionsText& texts, std::vector<GroundedFinding>& findings) {
    if (!text_.is_judged()) return;
    std::set<std::string, std::less<>> known;
    for (const GroundedFinding& finding : findings) known.insert(finding.name);
    for (GroundedFinding& finding : grounder_.findings(texts.impressions)) {
      if (!finding.present || known.contains(finding.name)) continue;
      text_.move_behind(finding);
      findings.push_back(std::move(finding));
    }
  }

  // What a report speaks of and finds nothing in is denied: it was looked at.
  static const char* basis_of(bool has_stated) { return has_stated ? "stated" : "denied"; }

  static Outcome write_row(OutputFile& file, std::initializer_list<std::string_view> cells) {
    return file.write(csv_row_of(cells));
  }

  void place(const GroundedFinding& finding) {
    if (!finding.certain) return;
    places_.place(finding);
    if (!finding.present) return;
    Location& location = locations_[finding.name];
    for (const std::string& path : finding.paths) add_once(location.paths, path);
    if (finding.paths.empty()) return;
    location.term = location.words.empty() ? finding.term : "";  // of one finding alone
    location.words.push_back(finding.evidence);
  }

  Outcome write_places() {
    for (const std::uint32_t number : places_.told_paths()) {
      const PlaceFindings& here = places_.at(number);
      const std::string& path = PathNumbers::known().name(number);
      const std::string names = joined_or_no_findings(here.stated);
      const bool has_stated = !here.stated.empty();
      std::vector<SourceSpan> sources = text_.sources(has_stated ? here.stated_words : here.cleared_words);
      const std::string words = sources_text(sources);
      FIDUCIAL_TRY_DONE(write_row(*files_.abnormality, {volume_, path, names, words}));
      if (has_stated) FIDUCIAL_TRY_DONE(write_row(*files_.location, {volume_, path, names, words}));
      if (!has_stated && !here.is_clear()) continue;  // only a part of it is said to be normal
      FIDUCIAL_TRY_DONE(ask({.family = "abnormality",
                             .finding = "",
                             .term = "",
                             .path = path,
                             .answer = joined_or_no_findings(here.terms),
                             .basis = basis_of(has_stated),
                             .accepted = {},
                             .sources = std::move(sources)}));
    }
    return done();
  }

  // Where a finding is that has one place: of several, none is the answer.
  Outcome write_locations() {
    for (const auto& [finding, location] : locations_) {
      if (location.paths.empty()) continue;
      const std::string_view node = node_of(location.paths.front());
      const bool has_one_place =
          std::all_of(location.paths.begin(), location.paths.end(),
                      [node](const std::string& path) { return node_of(path) == node; });
      if (!has_one_place) continue;
      std::vector<std::uint32_t> accepted;
      for (const std::string& path : location.paths) accepted.push_back(PathNumbers::known().of(path));
      std::sort(accepted.begin(), accepted.end());
      FIDUCIAL_TRY_DONE(ask({.family = "location",
                             .finding = finding,
                             .term = location.term,
                             .path = location.paths.front(),
                             .answer = location.paths.front(),
                             .basis = "stated",
                             .accepted = std::move(accepted),
                             .sources = text_.sources(location.words)}));
    }
    return done();
  }

  Outcome write_sizes(const std::vector<GroundedFinding>& findings) {
    std::set<std::array<std::string, 3>> written;  // two nodules of one size in one place are one question
    for (const GroundedFinding& finding : findings) {
      if (!finding.present || !finding.certain || finding.sizes.empty() || finding.size_path.empty() ||
          finding.sizes.front().is_limit)
        continue;  // "less than 1 cm" is no answer
      const std::string size = measurement_text(finding.sizes.front());
      if (!written.insert({finding.name, finding.size_path, size}).second) continue;
      std::vector<SourceSpan> sources = text_.sources({finding.evidence, finding.sizes.front().span});
      FIDUCIAL_TRY_DONE(
          write_row(*files_.size, {volume_, finding.size_path, finding.name, size, sources_text(sources)}));
      FIDUCIAL_TRY_DONE(ask({.family = "size",
                             .finding = finding.name,
                             .term = finding.term,
                             .path = finding.size_path,
                             .answer = size,
                             .basis = "stated",
                             .accepted = {},
                             .sources = std::move(sources)}));
    }
    return done();
  }

  static StatedNames stated_names(const std::vector<GroundedFinding>& findings, const SentenceCodes& codes) {
    StatedNames out;
    for (const GroundedFinding& finding : findings) {
      if (!finding.present) continue;
      const std::size_t known = out.names.size();
      add_once(out.names, finding.name);
      if (out.names.size() > known) out.sources.push_back(codes.source(finding.evidence));
    }
    return out;
  }

  // A model's findings and disorders in place of those of the rules, counted where they name the same.
  Result<ItemStatus> take_reply(const ReportSectionsText& texts, std::vector<GroundedFinding>& findings,
                                StatedNames& disorders) {
    FIDUCIAL_TRY(const CheckedReply reply, ask_for(call_, grounding_request(texts), volume_));
    if (!reply.usable) return reply.status;
    ItemStatus status = check_grounding(reply.value, texts, findings);
    if (status.is_failure()) return status;
    std::vector<GroundedFinding> said = grounded_findings_of(reply.value);
    call_.agreement().add(agree_on_names(said, findings), status);
    findings = std::move(said);
    disorders = {};
    for (const Json& name : *reply.value.find("disorders")->as_array())
      add_once(disorders.names, *name.as_string());
    return status;
  }

  Outcome write_disorders(const StatedNames& disorders, bool is_judged) {
    const std::vector<std::string>& names = disorders.names;
    const std::string answer = joined_or_no_findings(names);
    FIDUCIAL_TRY_DONE(write_row(*files_.disorders, {volume_, answer, sources_text(disorders.sources)}));
    if (!is_judged && names.empty()) return done();  // silence is no answer
    return ask({.family = "disorders",
                .finding = "",
                .term = "",
                .path = "",
                .answer = answer,
                .basis = basis_of(!names.empty()),
                .accepted = {},
                .sources = disorders.sources});
  }

  Outcome ask(const AskedQuestion& asked) { return open_.add(volume_, asked, columns_); }

  StageCall& call_;
  QuestionFiles files_;
  ReportGrounder grounder_;
  PresenceTable presence_;
  OpenQuestions open_;
  std::string volume_;
  ReportPlaces places_;
  struct Location {
    std::vector<std::string> paths;
    std::string term;
    std::vector<TextSpan> words;
  };
  std::map<std::string, Location> locations_;
  JudgedText text_;  // of the report that is read
  SourceColumns columns_;
};

Outcome run_vqa(StageCall& call) {
  FIDUCIAL_TRY(const QuestionFiles files, open_question_files(call));
  VqaRun run(call, files);
  FIDUCIAL_TRY_DONE(for_each_report(
      call, {.unique_names = true}, [&run](const ReportRow& row) { return run.add(row); }, run.memory()));
  return call.part() ? done() : run.finish();
}

}  // namespace

Stage vqa_stage() {
  return {
      .name = "vqa",
      .summary = "Make questions from reports: presence, abnormality, location, size, disorders",
      .example = "fiducial curate vqa reports.csv -o vqa --seed 42",
      .inputs = {reports_input()},
      .options =
          {{.name = "silent",
            .help = "Also ask about what reports do not speak of, answered No. for want of a better basis; "
                    "in files of their own",
            .kind = StageOption::Kind::flag},
           ask_option()},
      .draws = true,
      .default_seed = 42,
      .asks = true,
      .writes_folder = true,
      .resumes = true,
      .by_rows = true,
      .run = run_vqa};
}

}  // namespace fiducial
