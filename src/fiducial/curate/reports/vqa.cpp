#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/finding_replies.h"
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
  OutputFile* memory = nullptr;  // a line a report, with what may be asked of it
};

constexpr double highest_blind_accuracy = 0.60;
constexpr const char* pool_memory = ".presence.jsonl";
constexpr std::size_t longest_memory_line = std::size_t{1} << 30;
constexpr const char* presence_header = "Volumename,Anatomy,Finding,Presence,Basis\n";

Result<VqaFiles> open_files(StageCall& call) {
  VqaFiles files;
  const auto add = [&call](const char* name, const char* header) -> Result<OutputFile*> {
    FIDUCIAL_TRY(OutputFile * file, call.output().add(name));
    FIDUCIAL_TRY_DONE(file->write_heading(header));
    return file;
  };
  FIDUCIAL_TRY(files.abnormality, add("vqa_abnormality.csv", "Volumename,Anatomy,Abnormality\n"));
  FIDUCIAL_TRY(files.location, add("vqa_location.csv", "Volumename,Anatomy,Abnormality\n"));
  FIDUCIAL_TRY(files.presence, add("vqa_presence.csv", presence_header));
  FIDUCIAL_TRY(files.size, add("vqa_size.csv", "Volumename,Anatomy,Abnormality,Size\n"));
  FIDUCIAL_TRY(files.disorders, add("case_disorders.csv", "Volumename,Disorders\n"));
  FIDUCIAL_TRY(files.questions, add("questions.jsonl", ""));
  FIDUCIAL_TRY(files.memory, call.output().add_memory(pool_memory));
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
  VqaRun(StageCall& call, const VqaFiles& files) : call_(call), files_(files) {}

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
                  return Json::object({{"drawn", static_cast<std::int64_t>(call_.random().drawn())},
                                       {"contradictions", contradictions_}});
                },
            .restore = [this](const Json& state) -> Outcome {
              FIDUCIAL_TRY(const Json* drawn, required_field(state, "drawn", "/state"));
              FIDUCIAL_TRY(const std::int64_t numbers, expect_integer(*drawn, "/state/drawn"));
              FIDUCIAL_TRY(const Json* left_out, required_field(state, "contradictions", "/state"));
              FIDUCIAL_TRY(contradictions_, expect_integer(*left_out, "/state/contradictions"));
              while (call_.random().drawn() < static_cast<std::uint64_t>(numbers)) call_.random().next();
              return recall().in_file(call_.output().memory_path(pool_memory).string());
            }};
  }

  Outcome finish() {
    const std::vector<PresenceQuestion> balanced = pool_.balanced(call_.random());
    for (const PresenceQuestion& question : balanced) {
      FIDUCIAL_TRY_DONE(write_presence(question, question.present ? "stated" : "denied", *files_.presence));
    }
    call_.summary() = summary(balanced);
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
    codes_ = SentenceCodes(texts.findings, 'F');
    judged_codes_ = SentenceCodes(texts.impressions, 'I');
    for (const ReportText& text : row.texts)
      (text.section == 'F' ? columns_.findings : columns_.impressions) = text.column;
  }

  std::vector<SourceSpan> sources_of(const std::vector<TextSpan>& words) const {
    std::vector<SourceSpan> out;
    for (const TextSpan& span : words) {
      if (span.size() > 0) out.push_back(codes_.source(span));
    }
    return out;
  }

  Outcome write_presence(const PresenceQuestion& question, const char* basis, OutputFile& table) {
    const std::string& path = pool_.name(question.path);
    const std::string& finding = pool_.name(question.finding);
    volume_ = volumes_[question.volume];
    const char* answer = question.present ? "Yes." : "No.";
    FIDUCIAL_TRY_DONE(write_row(table, {volume_, path, finding, answer, basis}));
    std::vector<SourceSpan> sources;
    if (question.words.end > question.words.begin)
      sources.push_back({"F" + decimal(question.words.sentence), {question.words.begin, question.words.end}});
    return ask({"presence", finding, path, answer, basis, {}, std::move(sources)});
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
    if (!finding.paths.empty()) location.words.push_back(finding.evidence);
  }

  Outcome write_places() {
    for (const std::uint32_t number : places_.told_paths()) {
      const PlaceFindings& here = places_.at(number);
      const std::string& path = PathNumbers::known().name(number);
      const std::string names = joined_or_no_findings(here.stated);
      FIDUCIAL_TRY_DONE(write_row(*files_.abnormality, {volume_, path, names}));
      if (!here.stated.empty()) FIDUCIAL_TRY_DONE(write_row(*files_.location, {volume_, path, names}));
      if (here.stated.empty() && !here.is_clear()) continue;  // only a part of it is said to be normal
      const bool has_stated = !here.stated.empty();
      FIDUCIAL_TRY_DONE(ask({"abnormality",
                             "",
                             path,
                             names,
                             basis_of(has_stated),
                             {},
                             sources_of(has_stated ? here.stated_words : here.cleared_words)}));
    }
    return done();
  }

  Outcome write_locations() {
    for (const auto& [finding, location] : locations_) {
      const std::vector<std::string>& paths = location.paths;
      if (paths.empty()) continue;
      const PathNumbers& numbers = PathNumbers::known();
      std::set<std::uint32_t> closed;
      for (const std::string& path : paths) {
        const std::vector<std::uint32_t>& lineage = numbers.lineage(numbers.of(path));
        closed.insert(lineage.begin(), lineage.end());
      }
      FIDUCIAL_TRY_DONE(ask({"location",
                             finding,
                             paths.front(),
                             paths.front(),
                             "stated",
                             {closed.begin(), closed.end()},
                             sources_of(location.words)}));
    }
    return done();
  }

  Outcome write_sizes(const std::vector<GroundedFinding>& findings) {
    std::set<std::array<std::string, 3>> written;  // two nodules of one size in one place are one question
    for (const GroundedFinding& finding : findings) {
      if (!finding.present || !finding.certain || finding.sizes.empty() || finding.size_path.empty())
        continue;
      const std::string size = measurement_text(finding.sizes.front());
      if (!written.insert({finding.name, finding.size_path, size}).second) continue;
      FIDUCIAL_TRY_DONE(write_row(*files_.size, {volume_, finding.size_path, finding.name, size}));
      FIDUCIAL_TRY_DONE(ask({"size",
                             finding.name,
                             finding.size_path,
                             size,
                             "stated",
                             {},
                             sources_of({finding.evidence, finding.sizes.front().span})}));
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
    FIDUCIAL_TRY_DONE(write_row(*files_.disorders, {volume_, answer}));
    if (!is_judged && names.empty()) return done();  // silence is no answer
    return ask({"disorders", "", "", answer, basis_of(!names.empty()), {}, disorders.sources});
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
      if (parts->size() < 4 || parts->size() % 2 != 0)
        return invalid_data("expected a finding with its words, and paths with answers");
      FIDUCIAL_TRY(const std::string name, expect_string((*parts)[0], "/1"));
      FIDUCIAL_TRY(const AnswerWords words, recall_words(*parts));
      pool_.mention(volume, name);
      for (std::size_t i = 4; i < parts->size(); i += 2) {
        FIDUCIAL_TRY(const std::string path, expect_string((*parts)[i], "/1"));
        FIDUCIAL_TRY(const std::int64_t stated, expect_integer((*parts)[i + 1], "/1"));
        pool_.add(volume, path, name, stated != 0, words);
      }
    }
    return done();
  }

  static Result<AnswerWords> recall_words(const Json::Array& parts) {
    std::array<std::uint32_t, 3> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      FIDUCIAL_TRY(const std::int64_t number, expect_integer(parts[i + 1], "/1"));
      numbers[i] = static_cast<std::uint32_t>(number);
    }
    return AnswerWords{numbers[0], numbers[1], numbers[2]};
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

  AnswerWords answer_words(const GroundedFinding& finding) const {
    return {static_cast<std::uint32_t>(codes_.number_at(finding.evidence.begin)),
            static_cast<std::uint32_t>(finding.evidence.begin),
            static_cast<std::uint32_t>(finding.evidence.end)};
  }

  // One question a finding and path, unless the report says both, there or in a part of it. Returns what was
  // collected as JSON: for each finding its name and its words, and each of its paths with 1 or 0.
  std::string collect_presence(const std::vector<GroundedFinding>& findings) {
    std::string out = "[";
    std::set<std::pair<std::string, std::string_view>> asked;
    const auto volume = static_cast<std::uint32_t>(volumes_.size() - 1);
    for (const GroundedFinding& finding : findings) {
      out += out.size() > 1 ? ",[" : "[";
      append_json_text(out, finding.name);
      const AnswerWords words = answer_words(finding);
      for (const std::uint32_t number : {words.sentence, words.begin, words.end})
        out += "," + decimal(number);
      pool_.mention(volume, finding.name);
      for (const std::string& path : asked_paths(finding)) {
        if (!finding.certain || !asked.emplace(path, finding.name).second) continue;
        const PlaceFindings& here = places_.at(path);
        const bool stated = here.states(finding.name);
        if (stated && here.denies(finding.name)) {
          ++contradictions_;
          continue;
        }
        pool_.add(volume, path, finding.name, stated, words);
        out += ',';
        append_json_text(out, path);
        out += stated ? ",1" : ",0";
      }
      out += ']';
    }
    return out + "]";
  }

  Outcome ask(const AskedQuestion& asked) {
    const std::vector<std::string>& words = question_templates().at(asked.family);
    const std::string question =
        filled_question(words[call_.random().below(words.size())], asked.finding, node_of(asked.path));
    return files_.questions->write(question_line(volume_, question, asked, columns_));
  }

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

  Json summary(const std::vector<PresenceQuestion>& balanced) const {
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
                             {"contradictions_left_out", contradictions_}});
    if (call_.flag("ask")) out.set("replies", call_.agreement().json());
    return out;
  }

  StageCall& call_;
  VqaFiles files_;
  ReportGrounder grounder_;
  PresencePool pool_;
  std::vector<std::string> volumes_;
  std::string volume_;
  ReportPlaces places_;
  struct Location {
    std::vector<std::string> paths;
    std::vector<TextSpan> words;
  };
  std::map<std::string, Location> locations_;
  SentenceCodes codes_{"", 'F'};  // of the findings of the report that is read
  SentenceCodes judged_codes_{"", 'I'};
  SourceColumns columns_;
  std::int64_t contradictions_ = 0;
};

Outcome run_vqa(StageCall& call) {
  FIDUCIAL_TRY(const VqaFiles files, open_files(call));
  VqaRun run(call, files);
  FIDUCIAL_TRY_DONE(for_each_report(
      call, {.unique_names = true}, [&run](const ReportRow& row) { return run.add(row); }, run.memory()));
  return run.finish();
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
      .run = run_vqa};
}

}  // namespace fiducial
