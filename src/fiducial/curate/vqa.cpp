#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/presence_questions.h"
#include "fiducial/curate/report_asks.h"
#include "fiducial/findings/report_grounding.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

namespace {

// What a report says of a path: findings in the order they are stated, and those it denies.
struct PlaceFindings {
  std::vector<std::string> stated;
  std::set<std::string> denied;
};

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string joined_or_no_findings(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "no findings" : out;
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
};

constexpr double highest_blind_accuracy = 0.60;
constexpr const char* presence_header = "Volumename,Anatomy,Finding,Presence,Basis\n";

Result<VqaFiles> open_files(StageCall& call) {
  VqaFiles files;
  const auto add = [&call](const char* name, const char* header) -> Result<OutputFile*> {
    FIDUCIAL_TRY(OutputFile * file, call.output().add(name));
    FIDUCIAL_TRY_DONE(file->write(header));
    return file;
  };
  FIDUCIAL_TRY(files.abnormality, add("vqa_abnormality.csv", "Volumename,Anatomy,Abnormality\n"));
  FIDUCIAL_TRY(files.location, add("vqa_location.csv", "Volumename,Anatomy,Abnormality\n"));
  FIDUCIAL_TRY(files.presence, add("vqa_presence.csv", presence_header));
  FIDUCIAL_TRY(files.size, add("vqa_size.csv", "Volumename,Anatomy,Abnormality,Size\n"));
  FIDUCIAL_TRY(files.disorders, add("case_disorders.csv", "Volumename,Disorders\n"));
  FIDUCIAL_TRY(files.questions, add("questions.jsonl", ""));
  if (!call.flag("silent")) return files;
  FIDUCIAL_TRY(files.silent, add("silent_presence.csv", presence_header));
  FIDUCIAL_TRY(files.silent_questions, add("silent_questions.jsonl", ""));
  return files;
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
    std::vector<GroundedFinding> findings = grounder_.findings(texts.findings);
    std::vector<std::string> disorders = disorders_of(texts.impressions);
    ItemStatus status;
    if (call_.flag("ask")) {
      FIDUCIAL_TRY(status, take_reply(texts, findings, disorders));
      if (status.status != "ok") return status;
    }
    visit_sentences(texts.findings);
    for (const GroundedFinding& finding : findings) place(finding);
    FIDUCIAL_TRY_DONE(write_places());
    FIDUCIAL_TRY_DONE(write_locations());
    FIDUCIAL_TRY_DONE(write_sizes(findings));
    FIDUCIAL_TRY_DONE(write_disorders(disorders, !texts.impressions.empty()));
    collect_presence(findings);
    return status;
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
    return ask("presence", finding, path, Json::object({{"answer", answer}, {"basis", basis}}));
  }

  // What a report speaks of and finds nothing in is denied: it was looked at.
  static const char* basis_of(bool has_stated) { return has_stated ? "stated" : "denied"; }

  static Outcome write_row(OutputFile& file, const std::vector<std::string>& cells) {
    return file.write(csv_row(cells));
  }

  void visit_sentences(std::string_view findings) {
    for (const Sentence& sentence : split_sentences(findings)) {
      for (const std::string& path : grounder_.paths(sentence.content.of(findings))) {
        for (const std::string& each : with_ancestors(path)) places_[each];
      }
    }
  }

  void place(const GroundedFinding& finding) {
    for (const std::string& path : finding.paths) {
      for (const std::string& each : with_ancestors(path)) {
        PlaceFindings& here = places_[each];
        if (finding.present) add_once(here.stated, finding.name);
      }
      if (finding.present) add_once(locations_[finding.name], path);
      if (!finding.present) places_[path].denied.insert(finding.name);
    }
  }

  Outcome write_places() {
    for (const auto& [path, here] : places_) {
      const std::string names = joined_or_no_findings(here.stated);
      FIDUCIAL_TRY_DONE(write_row(*files_.abnormality, {volume_, path, names}));
      if (!here.stated.empty()) FIDUCIAL_TRY_DONE(write_row(*files_.location, {volume_, path, names}));
      FIDUCIAL_TRY_DONE(ask("abnormality", "", path,
                            Json::object({{"answer", names}, {"basis", basis_of(!here.stated.empty())}})));
    }
    return done();
  }

  Outcome write_locations() {
    for (const auto& [finding, paths] : locations_) {
      std::set<std::string> closed;
      for (const std::string& path : paths) {
        for (const std::string& each : with_ancestors(path)) closed.insert(each);
      }
      Json accepted = Json::Array{};
      for (const std::string& each : closed) accepted.push(each);
      FIDUCIAL_TRY_DONE(ask(
          "location", finding, paths.front(),
          Json::object({{"answer", paths.front()}, {"basis", "stated"}, {"accepted", std::move(accepted)}})));
    }
    return done();
  }

  Outcome write_sizes(const std::vector<GroundedFinding>& findings) {
    for (const GroundedFinding& finding : findings) {
      if (!finding.present || finding.sizes.empty() || finding.paths.empty()) continue;
      const std::string size = measurement_text(finding.sizes.front());
      FIDUCIAL_TRY_DONE(write_row(*files_.size, {volume_, finding.paths.front(), finding.name, size}));
      FIDUCIAL_TRY_DONE(ask("size", finding.name, finding.paths.front(),
                            Json::object({{"answer", size}, {"basis", "stated"}})));
    }
    return done();
  }

  std::vector<std::string> disorders_of(std::string_view impressions) {
    std::vector<std::string> names;
    for (const GroundedFinding& finding : grounder_.findings(impressions)) {
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
    const auto stated = [](const std::vector<GroundedFinding>& all) {
      std::set<std::string> names;
      for (const GroundedFinding& finding : all) {
        if (finding.present) names.insert(finding.name);
      }
      return names;
    };
    agreement_.add(stated(said) == stated(findings), status);
    findings = std::move(said);
    disorders.clear();
    for (const Json& name : *reply.value.find("disorders")->as_array())
      add_once(disorders, *name.as_string());
    return status;
  }

  Outcome write_disorders(const std::vector<std::string>& names, bool has_impressions) {
    FIDUCIAL_TRY_DONE(write_row(*files_.disorders, {volume_, joined_or_no_findings(names)}));
    if (!has_impressions) return done();  // silence is no answer
    return ask("disorders", "", "",
               Json::object({{"answer", joined_or_no_findings(names)}, {"basis", basis_of(!names.empty())}}));
  }

  // One question a finding and path, unless the report says both, there or in a part of it.
  void collect_presence(const std::vector<GroundedFinding>& findings) {
    std::set<std::pair<std::string, std::string>> asked;
    const auto volume = static_cast<std::uint32_t>(volumes_.size() - 1);
    for (const GroundedFinding& finding : findings) {
      pool_.mention(volume, finding.name);
      for (const std::string& path : finding.paths) {
        if (!asked.emplace(path, finding.name).second) continue;
        const PlaceFindings& here = places_[path];
        const bool stated =
            std::find(here.stated.begin(), here.stated.end(), finding.name) != here.stated.end();
        if (stated && here.denied.contains(finding.name)) {
          ++contradictions_;
          continue;
        }
        pool_.add(volume, path, finding.name, stated);
      }
    }
  }

  Outcome ask(const std::string& family, std::string_view finding, std::string_view path,
              const Json& answer) {
    const std::vector<std::string>& words = question_templates().at(family);
    const std::string question =
        filled_question(words[call_.random().below(words.size())], finding, node_of(path));
    Json line = Json::object({{"Volumename", volume_}, {"family", family}, {"question", question}});
    if (!path.empty()) line.set("anatomy", std::string(path));
    if (!finding.empty()) line.set("finding", std::string(finding));
    for (const auto& [name, value] : *answer.as_object()) line.set(name, value);
    return files_.questions->write(line.compact() + "\n");
  }

  Json summary(const std::vector<PresenceQuestion>& balanced) const {
    const auto accuracy_json = [](const std::vector<PresenceQuestion>& questions) {
      const BlindAccuracy blind = blind_accuracy(questions);
      return Json::object({{"questions", static_cast<std::int64_t>(questions.size())},
                           {"blind_by_finding", blind.by_finding},
                           {"blind_by_finding_and_region", blind.by_finding_and_region},
                           {"blind_by_majority", blind.by_majority}});
    };
    const BlindAccuracy before = blind_accuracy(pool_.all());
    const BlindAccuracy after = blind_accuracy(balanced);
    const double guessed = std::max({after.by_finding, after.by_finding_and_region, after.by_majority});
    const std::string told =
        "presence: " + decimal(balanced.size()) + " of " + decimal(pool_.all().size()) +
        " questions kept; the best guess without the image is right in " + fixed(guessed, 4) +
        " of them, in " + fixed(std::max(before.by_finding, before.by_finding_and_region), 4) +
        " before balancing" + (guessed > highest_blind_accuracy ? "; balance was not reached" : "");
    Json out = Json::object({{"told", told},
                             {"presence_before_balancing", accuracy_json(pool_.all())},
                             {"presence", accuracy_json(balanced)},
                             {"contradictions_left_out", contradictions_}});
    if (call_.flag("ask")) out.set("replies", agreement_.json());
    return out;
  }

  StageCall& call_;
  VqaFiles files_;
  ReportGrounder grounder_;
  PresencePool pool_;
  std::vector<std::string> volumes_;
  std::string volume_;
  std::map<std::string, PlaceFindings> places_;
  std::map<std::string, std::vector<std::string>> locations_;
  std::int64_t contradictions_ = 0;
  RuleAgreement agreement_;
};

Outcome run_vqa(StageCall& call) {
  FIDUCIAL_TRY(const VqaFiles files, open_files(call));
  VqaRun run(call, files);
  FIDUCIAL_TRY_DONE(for_each_report(call, {}, [&run](const ReportRow& row) { return run.add(row); }));
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
      .asks = true,
      .writes_folder = true,
      .run = run_vqa};
}

}  // namespace fiducial
