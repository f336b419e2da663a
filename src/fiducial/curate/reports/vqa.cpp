#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <tuple>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/finding_replies.h"
#include "fiducial/curate/reports/open_questions.h"
#include "fiducial/curate/reports/presence_questions.h"
#include "fiducial/curate/reports/question_lines.h"
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

struct VqaFiles {
  OutputFile* abnormality = nullptr;
  OutputFile* location = nullptr;
  OutputFile* presence = nullptr;
  OutputFile* size = nullptr;
  OutputFile* disorders = nullptr;
  OutputFile* questions = nullptr;
  OutputFile* silent = nullptr;  // where silent questions are asked for
  OutputFile* silent_questions = nullptr;
  OutputFile* memory = nullptr;  // a line a report, with what may be asked of it by yes or no
  OutputFile* open = nullptr;    // a line an open question
};

constexpr double highest_blind_accuracy = 0.60;
constexpr const char* pool_memory = ".presence.jsonl";
constexpr const char* open_memory = ".questions.tsv";
constexpr std::size_t longest_memory_line = std::size_t{1} << 30;
constexpr const char* presence_header = "Volumename,Anatomy,Finding,Presence,Basis,Sources\n";

Result<VqaFiles> open_files(StageCall& call) {
  VqaFiles files;
  const auto add = [&call](const char* name, const char* header) -> Result<OutputFile*> {
    FIDUCIAL_TRY(OutputFile * file, call.output().add(name));
    FIDUCIAL_TRY_DONE(file->write_heading(header));
    return file;
  };
  FIDUCIAL_TRY(files.abnormality, add("vqa_abnormality.csv", "Volumename,Anatomy,Abnormality,Sources\n"));
  FIDUCIAL_TRY(files.location, add("vqa_location.csv", "Volumename,Anatomy,Abnormality,Sources\n"));
  FIDUCIAL_TRY(files.presence, add("vqa_presence.csv", presence_header));
  FIDUCIAL_TRY(files.size, add("vqa_size.csv", "Volumename,Anatomy,Abnormality,Size,Sources\n"));
  FIDUCIAL_TRY(files.disorders, add("case_disorders.csv", "Volumename,Disorders,Sources\n"));
  FIDUCIAL_TRY(files.questions, add("questions.jsonl", ""));
  FIDUCIAL_TRY(files.memory, call.output().add_memory(pool_memory));
  FIDUCIAL_TRY(files.open, call.output().add_memory(open_memory));
  if (!call.flag("silent")) return files;
  FIDUCIAL_TRY(files.silent, add("silent_presence.csv", presence_header));
  FIDUCIAL_TRY(files.silent_questions, add("silent_questions.jsonl", ""));
  return files;
}

// Whether an impression says anything; CT-RATE has "Not given." where there is none.
bool says_something(std::string_view impressions) {
  std::string letters;
  for (const char letter : ascii_lower(impressions)) {
    if (letter >= 'a' && letter <= 'z') letters += letter;
    if (letters.size() > 8) return true;
  }
  return !letters.empty() && letters != "notgiven";
}

// Makes the tables of one corpus.
class VqaRun {
 public:
  VqaRun(StageCall& call, const VqaFiles& files) : call_(call), files_(files), open_(*files.open) {}

  Result<ItemStatus> add(const ReportRow& row) {
    const ReportSectionsText texts = sections_of(row);
    read_columns(row, texts);
    volume_ = std::string(row.id);
    volumes_.push_back(volume_);
    places_.clear();
    locations_.clear();
    auto [findings, spoken] = grounder_.ground(texts.findings);
    const bool is_judged = says_something(texts.impressions);
    StatedNames disorders = is_judged ? stated_names(grounder_.findings(texts.impressions), judged_codes_)
                                      : stated_names(findings, codes_);
    if (is_judged && disorders.names.empty())
      disorders.sources = {judged_codes_.source({0, texts.impressions.size()})};
    ItemStatus status;
    if (call_.flag("ask")) {
      FIDUCIAL_TRY(status, take_reply(texts, findings, disorders));
      if (status.status != "ok") {
        FIDUCIAL_TRY_DONE(remember("[]"));
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
    FIDUCIAL_TRY_DONE(remember(collect_presence(findings)));
    return status;
  }

  RowMemory memory() {
    return {.save =
                [this] {
                  return Json::object({{"contradictions", contradictions_},
                                       {"findings_column", columns_.findings},
                                       {"impressions_column", columns_.impressions}});
                },
            .restore = [this](const Json& state) -> Outcome {
              FIDUCIAL_TRY(const Json* left_out, required_field(state, "contradictions", "/state"));
              FIDUCIAL_TRY(contradictions_, expect_integer(*left_out, "/state/contradictions"));
              columns_ = {text_at(state, "findings_column"), text_at(state, "impressions_column")};
              FIDUCIAL_TRY_DONE(recall().in_file(call_.output().memory_path(pool_memory).string()));
              return open_.recall(call_.output().memory_path(open_memory));
            }};
  }

  Outcome finish() {
    FIDUCIAL_TRY(const Json open,
                 open_.write(call_.output().memory_path(open_memory), call_.random(), *files_.questions));
    const std::vector<PresenceQuestion> balanced = pool_.balanced(call_.random());
    for (const PresenceQuestion& question : balanced) {
      FIDUCIAL_TRY_DONE(write_presence(question, question.present ? "stated" : "denied", *files_.presence));
    }
    call_.summary() = summary(balanced, open);
    if (files_.silent == nullptr) return done();
    files_.questions = files_.silent_questions;
    const auto volumes = static_cast<std::uint32_t>(volumes_.size());
    const std::vector<PresenceQuestion> silent = pool_.silent(volumes, call_.random());
    for (const PresenceQuestion& question : silent) {
      FIDUCIAL_TRY_DONE(write_presence(question, "silent", *files_.silent));
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
    judged_begin_ = 0;
    codes_ = SentenceCodes(texts.findings, 'F');
    judged_codes_ = SentenceCodes(texts.impressions, 'I');
    for (const ReportText& text : row.texts)
      (text.section == 'F' ? columns_.findings : columns_.impressions) = text.column;
  }

  // What the impression alone speaks of is found too. Its characters are counted from the end of the
  // findings.
  void add_judged(const ReportSectionsText& texts, std::vector<GroundedFinding>& findings) {
    judged_begin_ = texts.findings.size() + 1;
    if (!says_something(texts.impressions)) return;
    std::set<std::string, std::less<>> known;
    for (const GroundedFinding& finding : findings) known.insert(finding.name);
    for (GroundedFinding& finding : grounder_.findings(texts.impressions)) {
      if (!finding.present || known.contains(finding.name)) continue;
      move_by(judged_begin_, finding.evidence);
      for (Measurement& size : finding.sizes) move_by(judged_begin_, size.span);
      findings.push_back(std::move(finding));
    }
  }

  static void move_by(std::size_t bytes, TextSpan& span) {
    span.begin += bytes;
    span.end += bytes;
  }

  SourceSpan source_of(const TextSpan& span) const {
    if (judged_begin_ == 0 || span.begin < judged_begin_) return codes_.source(span);
    return judged_codes_.source({span.begin - judged_begin_, span.end - judged_begin_});
  }

  std::vector<SourceSpan> sources_of(const std::vector<TextSpan>& words) const {
    std::vector<SourceSpan> out;
    for (const TextSpan& span : words) {
      if (span.size() > 0) out.push_back(source_of(span));
    }
    return out;
  }

  Outcome write_presence(const PresenceQuestion& question, const char* basis, OutputFile& table) {
    const std::string& path = pool_.name(question.path);
    const std::string& finding = pool_.name(question.finding);
    volume_ = volumes_[question.volume];
    const char* answer = question.present ? "Yes." : "No.";
    std::vector<SourceSpan> sources;
    if (question.words.end > question.words.begin)
      sources.push_back({(question.words.is_judged ? "I" : "F") + decimal(question.words.sentence),
                         {question.words.begin, question.words.end}});
    FIDUCIAL_TRY_DONE(write_row(table, {volume_, path, finding, answer, basis, sources_text(sources)}));
    const std::string& known = pool_.name(pool_.finding_of(question.finding));
    const AskedQuestion asked{.family = "presence",
                              .finding = known,
                              .term = known == finding ? std::string_view{} : finding,
                              .path = path,
                              .answer = answer,
                              .basis = basis,
                              .accepted = {},
                              .sources = std::move(sources)};
    const std::vector<std::string>& words = question_templates().at(asked.family);
    const std::string text =
        filled_question(words[call_.random().below(words.size())], finding, node_of(path));
    return files_.questions->write(question_head(volume_, asked.family, text) +
                                   question_tail(asked, columns_));
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
      std::vector<SourceSpan> sources = sources_of(has_stated ? here.stated_words : here.cleared_words);
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
                             .sources = sources_of(location.words)}));
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
      std::vector<SourceSpan> sources = sources_of({finding.evidence, finding.sizes.front().span});
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

  // What was found of a report, for a run that goes on after this one.
  Outcome remember(std::string_view findings) {
    std::string line = "[";
    append_json_text(line, volume_);
    line += ',';
    line += findings;
    return files_.memory->write(line + "]\n");
  }

  // What an earlier run found of the reports before.
  Outcome recall() {
    FIDUCIAL_TRY(const std::unique_ptr<FileStream> file,
                 FileStream::open(call_.output().memory_path(pool_memory)));
    LineReader lines(*file, longest_memory_line);
    while (true) {
      FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next());
      if (!line) return done();
      FIDUCIAL_TRY(const Json report, parse_json(*line));
      FIDUCIAL_TRY(const Json::Array* parts, expect_array(report, ""));
      if (parts->size() != 2) return invalid_data("expected a volume and its findings");
      FIDUCIAL_TRY(volume_, expect_string((*parts)[0], "/0"));
      volumes_.push_back(volume_);
      FIDUCIAL_TRY_DONE(recall_findings((*parts)[1]));
    }
  }

  Outcome recall_findings(const Json& findings) {
    FIDUCIAL_TRY(const Json::Array* list, expect_array(findings, "/1"));
    const auto volume = static_cast<std::uint32_t>(volumes_.size() - 1);
    for (const Json& finding : *list) {
      FIDUCIAL_TRY(const Json::Array* parts, expect_array(finding, "/1"));
      if (parts->size() < 5 || parts->size() % 2 != 1)
        return invalid_data("expected a finding with its words, and paths with answers");
      FIDUCIAL_TRY(const std::string name, expect_string((*parts)[0], "/1"));
      FIDUCIAL_TRY(const AnswerWords words, recall_words(*parts));
      const std::size_t end = name.find('\n');
      const std::string_view said = std::string_view(name).substr(0, end);
      if (end != std::string::npos) pool_.describe(said, std::string_view(name).substr(end + 1));
      pool_.mention(volume, said);
      for (std::size_t i = 5; i < parts->size(); i += 2) {
        FIDUCIAL_TRY(const std::string path, expect_string((*parts)[i], "/1"));
        FIDUCIAL_TRY(const std::int64_t stated, expect_integer((*parts)[i + 1], "/1"));
        pool_.add(volume, path, said, stated != 0, words);
      }
    }
    return done();
  }

  static Result<AnswerWords> recall_words(const Json::Array& parts) {
    std::array<std::uint32_t, 4> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      FIDUCIAL_TRY(const std::int64_t number, expect_integer(parts[i + 1], "/1"));
      numbers[i] = static_cast<std::uint32_t>(number);
    }
    return AnswerWords{numbers[0], numbers[1], numbers[2], numbers[3] != 0};
  }

  // The places that a finding is asked of: where it is, and above it where it is stated. A region is written
  // twice (lung, lung/lung) and asked of once.
  static std::vector<std::string> asked_paths(const GroundedFinding& finding) {
    if (!finding.present) return finding.paths;
    std::vector<std::string> out;
    for (const std::string& path : finding.paths) {
      const std::vector<std::string> lineage = with_ancestors(path);
      for (std::size_t i = 0; i < lineage.size(); ++i) {
        if (i + 1 == lineage.size() || node_of(lineage[i]) != node_of(lineage[i + 1]))
          out.push_back(lineage[i]);
      }
    }
    return out;
  }

  using PathAnswers = std::vector<std::pair<std::string, bool>>;
  using AskedOnce = std::set<std::pair<std::string, std::string_view>>;

  AnswerWords answer_words(const GroundedFinding& finding) const {
    const bool is_judged = judged_begin_ > 0 && finding.evidence.begin >= judged_begin_;
    const std::size_t first = is_judged ? judged_begin_ : 0;
    const std::size_t begin = finding.evidence.begin - first;
    return {static_cast<std::uint32_t>((is_judged ? judged_codes_ : codes_).number_at(begin)),
            static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(finding.evidence.end - first),
            is_judged};
  }

  // One question a finding and path, unless the report says both, there or in a part of it; and one more of
  // what it states in more words. Returns what was collected as JSON: for each finding its name and its
  // words, and each of its paths with 1 or 0.
  std::string collect_presence(const std::vector<GroundedFinding>& findings) {
    std::string out = "[";
    AskedOnce asked;
    for (const GroundedFinding& finding : findings) {
      PathAnswers answers;
      for (std::string& path : asked_paths(finding)) {
        if (!finding.certain) continue;
        const PlaceFindings& here = places_.at(path);
        const bool stated = here.states(finding.name);
        if (stated && here.denies(finding.name)) {
          if (asked.emplace(path, finding.name).second) ++contradictions_;
          continue;
        }
        answers.emplace_back(std::move(path), stated);
      }
      collect(finding, finding.name, answers, asked, out);
      for (const std::string& term : {std::cref(finding.term), std::cref(finding.many)}) {
        if (!finding.present || term.empty()) continue;
        pool_.describe(term, finding.name);
        collect(finding, term, answers, asked, out);
      }
    }
    return out + "]";
  }

  // The questions about a finding by one of its names, for the pool and for what is remembered.
  void collect(const GroundedFinding& finding, std::string_view name, const PathAnswers& answers,
               AskedOnce& asked, std::string& remembered) {
    const auto volume = static_cast<std::uint32_t>(volumes_.size() - 1);
    const AnswerWords words = answer_words(finding);
    remembered += remembered.size() > 1 ? ",[" : "[";
    append_json_text(remembered,
                     name == finding.name ? finding.name : std::string(name) + "\n" + finding.name);
    for (const std::uint32_t number :
         {words.sentence, words.begin, words.end, std::uint32_t{words.is_judged}})
      remembered += "," + decimal(number);
    pool_.mention(volume, name);
    for (const auto& [path, stated] : answers) {
      if (!asked.emplace(path, name).second) continue;
      pool_.add(volume, path, name, stated, words);
      remembered += ',';
      append_json_text(remembered, path);
      remembered += stated ? ",1" : ",0";
    }
    remembered += ']';
  }

  Outcome ask(const AskedQuestion& asked) { return open_.add(volume_, asked, columns_); }

  // What presence questions came to, in a line.
  std::string told(const std::vector<PresenceQuestion>& balanced) const {
    std::string kept =
        "presence: " + decimal(balanced.size()) + " of " + decimal(pool_.all().size()) + " questions kept";
    if (pool_.all().empty()) return kept;
    const BlindAccuracy before = blind_accuracy(pool_.all());
    const std::string was = fixed(std::max(before.by_finding, before.by_finding_and_region), 4);
    if (balanced.empty()) {
      return kept + ": no finding is both stated and denied of one region, so balance was not reached; " +
             "before balancing the best guess without the image is right in " + was + " of them";
    }
    const BlindAccuracy after = blind_accuracy(balanced);
    const double guessed = std::max({after.by_finding, after.by_finding_and_region, after.by_majority});
    return kept + "; the best guess without the image is right in " + fixed(guessed, 4) + " of them, in " +
           was + " before balancing" + (guessed > highest_blind_accuracy ? "; balance was not reached" : "");
  }

  Json summary(const std::vector<PresenceQuestion>& balanced, const Json& open) const {
    const auto accuracy_json = [](const std::vector<PresenceQuestion>& questions) {
      const BlindAccuracy blind = blind_accuracy(questions);
      const auto share = [&questions](double value) { return questions.empty() ? Json() : Json(value); };
      return Json::object({{"questions", static_cast<std::int64_t>(questions.size())},
                           {"blind_by_finding", share(blind.by_finding)},
                           {"blind_by_finding_and_region", share(blind.by_finding_and_region)},
                           {"blind_by_majority", share(blind.by_majority)}});
    };
    Json out = Json::object({{"told", told(balanced)},
                             {"presence_before_balancing", accuracy_json(pool_.all())},
                             {"presence", accuracy_json(balanced)},
                             {"open", open},
                             {"contradictions_left_out", contradictions_}});
    if (call_.flag("ask")) out.set("replies", call_.agreement().json());
    return out;
  }

  StageCall& call_;
  VqaFiles files_;
  ReportGrounder grounder_;
  PresencePool pool_;
  OpenQuestions open_;
  std::vector<std::string> volumes_;
  std::string volume_;
  ReportPlaces places_;
  struct Location {
    std::vector<std::string> paths;
    std::string term;
    std::vector<TextSpan> words;
  };
  std::map<std::string, Location> locations_;
  SentenceCodes codes_{"", 'F'};  // of the findings of the report that is read
  SentenceCodes judged_codes_{"", 'I'};
  std::size_t judged_begin_ = 0;  // where the characters of the impression are counted from; 0: nowhere
  SourceColumns columns_;
  std::int64_t contradictions_ = 0;
};

Outcome run_vqa(StageCall& call) {
  FIDUCIAL_TRY(const VqaFiles files, open_files(call));
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
