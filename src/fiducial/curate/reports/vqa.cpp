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
    volume_ = std::string(row.id);
    volumes_.push_back(volume_);
    places_.clear();
    locations_.clear();
    auto [findings, spoken] = grounder_.ground(texts.findings);
    const bool is_judged = says_something(texts.impressions);
    std::vector<std::string> disorders =
        stated_names(is_judged ? grounder_.findings(texts.impressions) : findings);
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
  Outcome write_presence(const PresenceQuestion& question, const char* basis, OutputFile& table) {
    const std::string& path = pool_.name(question.path);
    const std::string& finding = pool_.name(question.finding);
    volume_ = volumes_[question.volume];
    const char* answer = question.present ? "Yes." : "No.";
    FIDUCIAL_TRY_DONE(write_row(table, {volume_, path, finding, answer, basis}));
    return ask({"presence", finding, path, answer, basis, {}});
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
    for (const std::string& path : finding.paths) add_once(locations_[finding.name], path);
  }

  Outcome write_places() {
    for (const std::uint32_t number : places_.told_paths()) {
      const PlaceFindings& here = places_.at(number);
      const std::string& path = PathNumbers::known().name(number);
      const std::string names = joined_or_no_findings(here.stated);
      FIDUCIAL_TRY_DONE(write_row(*files_.abnormality, {volume_, path, names}));
      if (!here.stated.empty()) FIDUCIAL_TRY_DONE(write_row(*files_.location, {volume_, path, names}));
      if (here.stated.empty() && !here.is_clear()) continue;  // only a part of it is said to be normal
      FIDUCIAL_TRY_DONE(ask({"abnormality", "", path, names, basis_of(!here.stated.empty()), {}}));
    }
    return done();
  }

  Outcome write_locations() {
    for (const auto& [finding, paths] : locations_) {
      const PathNumbers& numbers = PathNumbers::known();
      std::set<std::uint32_t> closed;
      for (const std::string& path : paths) {
        const std::vector<std::uint32_t>& lineage = numbers.lineage(numbers.of(path));
        closed.insert(lineage.begin(), lineage.end());
      }
      FIDUCIAL_TRY_DONE(
          ask({"location", finding, paths.front(), paths.front(), "stated", {closed.begin(), closed.end()}}));
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
      FIDUCIAL_TRY_DONE(ask({"size", finding.name, finding.size_path, size, "stated", {}}));
    }
    return done();
  }

  static std::vector<std::string> stated_names(const std::vector<GroundedFinding>& findings) {
    std::vector<std::string> names;
    for (const GroundedFinding& finding : findings) {
      if (finding.present) add_once(names, finding.name);
    }
    return names;
  }

  // A model's findings and disorders in place of those of the rules, counted where they name the same.
  Result<ItemStatus> take_reply(const ReportSectionsText& texts, std::vector<GroundedFinding>& findings,
                                std::vector<std::string>& disorders) {
    FIDUCIAL_TRY(const CheckedReply reply, ask_for(call_, grounding_request(texts), volume_));
    if (!reply.usable) return reply.status;
    ItemStatus status = check_grounding(reply.value, texts, findings);
    if (status.is_failure()) return status;
    std::vector<GroundedFinding> said = grounded_findings_of(reply.value);
    call_.agreement().add(agree_on_names(said, findings), status);
    findings = std::move(said);
    disorders.clear();
    for (const Json& name : *reply.value.find("disorders")->as_array())
      add_once(disorders, *name.as_string());
    return status;
  }

  Outcome write_disorders(const std::vector<std::string>& names, bool is_judged) {
    const std::string answer = joined_or_no_findings(names);
    FIDUCIAL_TRY_DONE(write_row(*files_.disorders, {volume_, answer}));
    if (!is_judged && names.empty()) return done();  // silence is no answer
    return ask({"disorders", "", "", answer, basis_of(!names.empty()), {}});
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
      if (parts->size() % 2 == 0) return invalid_data("expected a finding, and paths with answers");
      FIDUCIAL_TRY(const std::string name, expect_string((*parts)[0], "/1"));
      pool_.mention(volume, name);
      for (std::size_t i = 1; i < parts->size(); i += 2) {
        FIDUCIAL_TRY(const std::string path, expect_string((*parts)[i], "/1"));
        FIDUCIAL_TRY(const std::int64_t stated, expect_integer((*parts)[i + 1], "/1"));
        pool_.add(volume, path, name, stated != 0);
      }
    }
    return done();
  }

  // One question a finding and path, unless the report says both, there or in a part of it. Returns what was
  // collected as JSON: for each finding its name, and each of its paths with 1 or 0.
  std::string collect_presence(const std::vector<GroundedFinding>& findings) {
    std::string out = "[";
    std::set<std::pair<std::string_view, std::string_view>> asked;
    const auto volume = static_cast<std::uint32_t>(volumes_.size() - 1);
    for (const GroundedFinding& finding : findings) {
      out += out.size() > 1 ? ",[" : "[";
      append_json_text(out, finding.name);
      pool_.mention(volume, finding.name);
      for (const std::string& path : finding.paths) {
        if (!finding.certain || !asked.emplace(path, finding.name).second) continue;
        const PlaceFindings& here = places_.at(path);
        const bool stated = here.states(finding.name);
        if (stated && here.denies(finding.name)) {
          ++contradictions_;
          continue;
        }
        pool_.add(volume, path, finding.name, stated);
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
    return files_.questions->write(question_line(volume_, question, asked));
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
  std::map<std::string, std::vector<std::string>> locations_;
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
