#include "fiducial/eval/judge/judge_panel.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/eval/inputs/record_file.h"
#include "fiducial/eval/judge/judge_run.h"
#include "fiducial/eval/judge/panel_votes.h"

namespace fiducial {

namespace {

constexpr const char* panel_schema = "fiducial.panel/1";

// A case as one judge was asked about it.
struct JudgedCase {
  Json steps;
  std::map<std::int64_t, Json::Array> askings;  // verdicts, by the number of the asking from 0
  Json::Array swapped;
  std::map<std::string, std::optional<bool>> canaries;  // by statement: whether it was called factual
  std::map<std::string, std::optional<bool>> injections;
};

struct PanelJudge {
  JudgeIdentity identity;
  std::map<std::string, JudgedCase> cases;  // by title
  std::int64_t askings = 1;
};

Json::Array checks_of(const Record& record) {
  const Json* checks = record.find("explanation_steps_checks");
  return checks == nullptr || checks->as_array() == nullptr ? Json::Array{} : *checks->as_array();
}

void take_probe(PanelJudge& judge, JudgedCase& judged, const Record& record) {
  const std::string kind = text_at(record.fields(), "probe");
  if (kind == "swap") judged.swapped = checks_of(record);
  if (kind == "repeat") {
    const std::int64_t number = integer_at(record.fields(), "repeat");
    judged.askings[number] = checks_of(record);
    judge.askings = std::max(judge.askings, number + 1);
  }
  if (kind != "canary" && kind != "injection") return;
  auto& statements = kind == "canary" ? judged.canaries : judged.injections;
  statements[text_at(record.fields(), "step")] = flag_at(record.fields(), "is_factual");
}

Result<PanelJudge> read_panel_judge(const Path& folder) {
  FIDUCIAL_TRY(const JudgeRun run, read_judge_run(folder));  // its form was checked there
  PanelJudge out{.identity = run.identity};
  FIDUCIAL_TRY(const RecordFile verdicts, read_records(run.verdicts));
  for (const Record& record : verdicts.records) {
    JudgedCase& judged = out.cases[text_at(record.fields(), "title")];
    const Json* steps = record.find("explanation_steps");
    if (steps != nullptr) judged.steps = *steps;
    judged.askings[0] = checks_of(record);
  }
  if (!std::filesystem::exists(folder / probes_file_name)) return out;
  FIDUCIAL_TRY(const RecordFile probes, read_records(folder / probes_file_name));
  for (const Record& record : probes.records)
    take_probe(out, out.cases[text_at(record.fields(), "title")], record);
  return out;
}

// Votes of a panel, case by case.
class Panel {
 public:
  Panel(std::vector<PanelJudge> judges, const PanelOptions& options)
      : judges_(std::move(judges)), options_(options) {}

  Outcome take_cases() {
    for (const PanelJudge& judge : judges_) {
      for (const auto& [title, judged] : judge.cases) {
        const Json& known = steps_.try_emplace(title, judged.steps).first->second;
        if (known.compact() != judged.steps.compact())
          return invalid_data(title + ": " + judge.identity.model + " was asked about other steps");
      }
      if (judge.askings < options_.samples)
        return invalid_data(judge.identity.model + " was asked " + decimal(judge.askings) + " times; " +
                            decimal(options_.samples) + " votes of it were asked for");
    }
    if (votes() < 2) return bad_usage("a vote needs several judges, or several samples of one (--samples 3)");
    return done();
  }

  JudgePanel vote() {
    JudgePanel out;
    const JudgeIdentity who = identity();
    for (const auto& [title, steps] : steps_) add_case(out, title, steps, who.digest());
    out.manifest = Json::object({{"schema", panel_schema},
                                 {"judge", who.json().set("identity", who.digest())},
                                 {"panel", panel_json()}});
    return out;
  }

 private:
  std::size_t votes() const { return judges_.size() * static_cast<std::size_t>(options_.samples); }

  std::int64_t rounds() const {
    std::int64_t out = judges_.front().askings;
    for (const PanelJudge& judge : judges_) out = std::min(out, judge.askings);
    return out / options_.samples;
  }

  JudgeIdentity identity() const {
    Json members = Json::Array{};
    std::vector<std::string> names;
    std::string prompts;
    std::string rubrics;
    for (const PanelJudge& judge : judges_) {
      members.push(judge.identity.digest());
      names.push_back(judge.identity.model);
      prompts += judge.identity.prompt;
      rubrics += judge.identity.rubric;
    }
    Json parameters = Json::object({{"rule", "majority/1"}, {"samples", options_.samples}});
    return {.model = "majority of " + joined(names, ", "),
            .prompt = sha256(as_bytes(prompts)).hex(),
            .parameters = parameters.set("judges", std::move(members)),
            .rubric = sha256(as_bytes(rubrics)).hex()};
  }

  // The votes of a round: 0 gives the verdicts, further ones are repeats.
  StepVotes votes_of(const std::string& title, std::int64_t round) const {
    StepVotes out(votes());
    for (const PanelJudge& judge : judges_) {
      const auto found = judge.cases.find(title);
      for (std::int64_t i = 0; found != judge.cases.end() && i < options_.samples; ++i) {
        const auto asking = found->second.askings.find(round * options_.samples + i);
        if (asking != found->second.askings.end()) out.add(asking->second);
      }
    }
    return out;
  }

  StepVotes swapped_votes_of(const std::string& title) const {
    StepVotes out(judges_.size());
    for (const PanelJudge& judge : judges_) {
      const auto found = judge.cases.find(title);
      if (found != judge.cases.end()) out.add(found->second.swapped);
    }
    return out;
  }

  void add_case(JudgePanel& out, const std::string& title, const Json& steps, const std::string& who) {
    const StepVotes votes = votes_of(title, 0);
    const Json checks = votes.majority();
    with_majority_ += static_cast<std::int64_t>(checks.as_array()->size());
    voted_on_ += static_cast<std::int64_t>(votes.steps());
    out.verdicts += Json::object({{"title", title},
                                  {"explanation_steps", steps},
                                  {"explanation_steps_checks", checks},
                                  {"judge", who}})
                        .compact() +
                    "\n";
    const auto probe = [&](const char* kind, const Json& line) {
      Json all = Json::object({{"probe", kind}, {"title", title}});
      for (const auto& [key, value] : *line.as_object()) all.set(key, value);
      out.probes += all.compact() + "\n";
    };
    for (std::int64_t round = 1; round < rounds(); ++round) {
      Json line = Json::object({{"repeat", round}});
      probe("repeat", line.set("explanation_steps_checks", votes_of(title, round).majority()));
    }
    probe("swap", Json::object({{"explanation_steps_checks", swapped_votes_of(title).majority()}}));
    for (const auto& [kind, member] :
         {std::pair("canary", &JudgedCase::canaries), std::pair("injection", &JudgedCase::injections)}) {
      for (const auto& [step, said] : statements_of(title, member)) {
        probe(kind, Json::object({{"step", step}, {"is_factual", said ? Json(*said) : Json()}}));
      }
    }
  }

  // What more than half of the judges say of statements that are known to be false.
  std::map<std::string, std::optional<bool>> statements_of(
      const std::string& title, std::map<std::string, std::optional<bool>> JudgedCase::*member) const {
    std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // factual, not
    for (const PanelJudge& judge : judges_) {
      const auto found = judge.cases.find(title);
      if (found == judge.cases.end()) continue;
      for (const auto& [step, said] : found->second.*member) {
        auto& [factual, not_factual] = counts[step];
        if (said) ++(*said ? factual : not_factual);
      }
    }
    std::map<std::string, std::optional<bool>> out;
    for (const auto& [step, count] : counts) {
      std::optional<bool>& said = out[step];
      if (2 * count.first > judges_.size()) said = true;
      if (2 * count.second > judges_.size()) said = false;
    }
    return out;
  }

  Json panel_json() const {
    Json members = Json::Array{};
    for (const PanelJudge& judge : judges_)
      members.push(Json::object({{"model", judge.identity.model}, {"identity", judge.identity.digest()}}));
    return Json::object({{"judges", std::move(members)},
                         {"samples", options_.samples},
                         {"steps", voted_on_},
                         {"without_majority", voted_on_ - with_majority_},
                         {"agreement", agreement_json_of_votes()}});
  }

  // Judges beside each other; of one judge, its askings.
  Json agreement_json_of_votes() const {
    std::vector<std::string> names;
    VoteTable table;
    for (const PanelJudge& judge : judges_) {
      for (std::int64_t i = 0; i < (judges_.size() > 1 ? 1 : options_.samples); ++i) {
        names.push_back(judges_.size() > 1 ? judge.identity.model : "asking " + decimal(i + 1));
        std::map<std::string, Json::Array> checks;
        for (const auto& [title, judged] : judge.cases) {
          const auto asking = judged.askings.find(i);
          if (asking != judged.askings.end()) checks.emplace(title, asking->second);
        }
        table.add_voter(checks);
      }
    }
    return table.agreement(names, options_.agreement);
  }

  std::vector<PanelJudge> judges_;
  PanelOptions options_;
  std::map<std::string, Json> steps_;
  std::int64_t voted_on_ = 0;
  std::int64_t with_majority_ = 0;
};

}  // namespace

Result<JudgePanel> vote_of_judges(const std::vector<Path>& runs, const PanelOptions& options) {
  std::vector<PanelJudge> judges;
  std::set<std::string> known;
  for (const Path& run : runs) {
    FIDUCIAL_TRY(PanelJudge judge, read_panel_judge(run));
    if (!known.insert(judge.identity.digest()).second)
      return Error(ErrorCode::bad_usage, "this judge has a vote already", Place{.path = run.string()});
    judges.push_back(std::move(judge));
  }
  if (judges.empty()) return bad_usage("a vote needs judges");
  Panel panel(std::move(judges), options);
  FIDUCIAL_TRY_DONE(panel.take_cases());
  return panel.vote();
}

Outcome write_panel(const JudgePanel& panel, const Path& folder) {
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  if (trouble) return Error(ErrorCode::io, trouble.message(), Place{.path = folder.string()});
  FIDUCIAL_TRY_DONE(write_file(folder / verdicts_file_name, std::string_view(panel.verdicts)));
  FIDUCIAL_TRY_DONE(write_file(folder / probes_file_name, std::string_view(panel.probes)));
  return write_file(folder / "manifest.json", std::string_view(panel.manifest.pretty()));
}

Result<Json> agreement_of_panel(const Path& given) {
  const Path manifest = given / "manifest.json";
  if (!std::filesystem::is_directory(given) || !std::filesystem::exists(manifest)) return Json();
  FIDUCIAL_TRY(const std::string text, read_text_file(manifest));
  FIDUCIAL_TRY(const Json document, parse_json(text).in_file(manifest.string()));
  const Json* panel = document.find("panel");
  return panel == nullptr ? Json() : *panel;
}

}  // namespace fiducial
