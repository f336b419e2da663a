#include "fiducial/workflows/judge.h"

#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/chat/reply_schema.h"
#include "fiducial/metrics/diagnosis_contracts.h"
#include "fiducial/workflows/judged_steps.h"
#include "fiducial/workflows/known_statements.h"
#include "fiducial/workflows/workflow.h"

namespace fiducial {

Workflow judge_workflow();

namespace {

Json flag_schema() { return Json::object({{"type", "boolean"}}); }

// One verdict a number: none can be missing, and none can be there twice.
Json verdicts_schema(std::size_t count) {
  std::vector<std::string> types;
  for (const StepErrorType& type : step_error_types) types.emplace_back(type.label);
  const Json verdict = exact_object_schema({{"is_factual", flag_schema()},
                                            {"is_critical", flag_schema()},
                                            {"explanation", bounded_text_schema(2, 300)},
                                            {"error_types", list_schema(enum_schema(types))}});
  std::vector<std::pair<std::string, Json>> numbers;
  for (std::size_t i = 1; i <= count; ++i) numbers.emplace_back(decimal(i), verdict);
  return exact_object_schema({{"verdicts", exact_object_schema(numbers)}});
}

// Verdicts by the number they were asked under.
std::map<std::size_t, const Json*> verdicts_of(const Exchange& exchange) {
  std::map<std::size_t, const Json*> out;
  const Json::Object* verdicts = find_object(exchange.value(), "verdicts");
  if (verdicts == nullptr) return out;
  for (const auto& [key, verdict] : *verdicts) {
    const auto number = parse_integer(key);
    if (number && *number > 0) out.emplace(static_cast<std::size_t>(*number), &verdict);
  }
  return out;
}

// A verdict as files of verdicts have it.
Json check_of(const Json& verdict, std::size_t step) {
  const bool is_factual = flag_at(verdict, "is_factual").value_or(false);
  Json out = Json::object({{"step", static_cast<std::int64_t>(step + 1)},
                           {"is_factual", is_factual},
                           {"is_critical", flag_at(verdict, "is_critical").value_or(false)},
                           {"explanation", text_at(verdict, "explanation")}});
  const Json* types = verdict.find("error_types");
  return out.set("error_types", types == nullptr ? Json(Json::Array{}) : *types);
}

class JudgeDialogue final : public Dialogue {
 public:
  explicit JudgeDialogue(const DialogueStart& start)
      : Dialogue(*start.asked),
        judged_(start.judged),
        statements_(with_known_false(start.judged->steps, "is_factual")) {
    ask("verdicts", statements_, start.sample);
    if (start.sample > 0) return;
    const std::vector<JudgedStatement> reversed(statements_.rbegin(), statements_.rend());
    ask("swapped", reversed, start.sample);
    is_swapped_ = true;
  }

  CaseAnswer answer() const override {
    CaseAnswer out = answer_so_far();
    std::erase_if(out.failures, [&out](const auto& failure) {
      if (failure.first != "swapped") return false;
      out.holes.push_back("swapped: " + failure.second);
      return true;
    });
    if (!exchange(0).has_failed() && exchange(0).value().is_null())
      out.failures.emplace_back("verdicts", "the reply has no form");
    if (!out.failures.empty()) return out;
    const std::map<std::size_t, const Json*> verdicts = verdicts_of(exchange(0));
    out.fields.set("explanation_steps", Json::strings(judged_->steps));
    out.fields.set("explanation_steps_checks", checks(verdicts, false));
    if (is_swapped_ && !exchange(1).has_failed() && !exchange(1).value().is_null())
      out.fields.set("swapped_checks", checks(verdicts_of(exchange(1)), true));
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      const JudgedStatement& each = statements_[i];
      if (each.kind == JudgedStatement::Kind::own) continue;
      const auto found = verdicts.find(i + 1);
      const auto said = found == verdicts.end() ? std::nullopt : flag_at(*found->second, "is_factual");
      out.fields.set(each.kind == JudgedStatement::Kind::canary ? "canary" : "injection",
                     Json::object({{"step", each.text}, {"is_factual", said ? Json(*said) : Json()}}));
    }
    return out;
  }

 private:
  void ask(const char* step, const std::vector<JudgedStatement>& statements, std::int64_t sample) {
    std::string lines;
    for (std::size_t i = 0; i < statements.size(); ++i)
      lines += decimal(i + 1) + ". " + Json(statements[i].text).compact() + "\n";
    PromptValues values = judged_->references;
    values["rubric"] = asked().prompts->at("judge_rubric").user({});
    values["steps"] = lines;
    ChatRequest request =
        request_in_words(asked(), "judge_steps", values, {}, verdicts_schema(statements.size()));
    request.sample = sample;
    begin(step, std::move(request));
  }

  // The verdicts on the steps in their own order; a step without one is left out.
  Json checks(const std::map<std::size_t, const Json*>& verdicts, bool is_reversed) const {
    std::map<std::size_t, Json> by_step;
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      const auto found = verdicts.find(is_reversed ? statements_.size() - i : i + 1);
      if (found == verdicts.end() || statements_[i].kind != JudgedStatement::Kind::own) continue;
      by_step.emplace(statements_[i].place, check_of(*found->second, statements_[i].place));
    }
    Json out = Json::Array{};
    for (auto& [step, check] : by_step) out.push(std::move(check));
    return out;
  }

  std::shared_ptr<const CaseToJudge> judged_;
  std::vector<JudgedStatement> statements_;
  bool is_swapped_ = false;
};

// verdicts.jsonl and probes.jsonl (docs/formats/certificate.md). The first sample gives the verdicts, further
// ones are repeats.
class VerdictFiles final : public JudgeFiles {
 public:
  explicit VerdictFiles(std::string identity) : identity_(std::move(identity)) {}

  void add(const std::string& title, const CaseAnswer& answer, std::int64_t sample) override {
    const Json* checks = answer.fields.find("explanation_steps_checks");
    if (checks == nullptr) return;
    const auto probe = [&](Json line) { probes_ += line.set("title", title).compact() + "\n"; };
    if (sample > 0) {
      Json line = Json::object({{"probe", "repeat"}, {"repeat", sample}});
      probe(line.set("explanation_steps_checks", *checks));
      return;
    }
    verdicts_ += Json::object({{"title", title},
                               {"explanation_steps", *answer.fields.find("explanation_steps")},
                               {"explanation_steps_checks", *checks},
                               {"judge", identity_}})
                     .compact() +
                 "\n";
    if (const Json* swapped = answer.fields.find("swapped_checks"))
      probe(Json::object({{"probe", "swap"}, {"explanation_steps_checks", *swapped}}));
    for (const char* kind : {"canary", "injection"}) {
      const Json* statement = answer.fields.find(kind);
      if (statement == nullptr) continue;
      Json line = Json::object({{"probe", kind}});
      for (const auto& [key, value] : *statement->as_object()) line.set(key, value);
      probe(std::move(line));
    }
  }

  std::vector<std::pair<std::string, const std::string*>> files() const override {
    return {{verdicts_file_name, &verdicts_}, {probes_file_name, &probes_}};
  }

 private:
  std::string identity_;
  std::string verdicts_;
  std::string probes_;
};

}  // namespace

JudgeIdentity judge_identity(const Workflow& workflow, const AskedAs& asked) {
  Json parameters = asked.parameters;
  parameters.set("schema_sent", asked.with_schema).set("re_asks", asked.re_asks);
  parameters.set("known_false", known_false_sha256());
  return {.model = asked.model,
          .prompt = asked.prompts->at(workflow.prompts[0]).sha256(),
          .parameters = std::move(parameters),
          .rubric = asked.prompts->at(workflow.prompts[1]).sha256()};
}

Workflow judge_workflow() {
  return {.name = "judge",
          .summary = "Verdicts on the steps of explanations, with known-false statements among them",
          .prompts = {"judge_steps", "judge_rubric", "ask_again"},
          .shows_images = false,
          .answers = false,
          .judges = true,
          .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
            return std::make_unique<JudgeDialogue>(start);
          },
          .judge_files = [](const AskedAs&, const std::string& identity) -> std::unique_ptr<JudgeFiles> {
            return std::make_unique<VerdictFiles>(identity);
          }};
}

}  // namespace fiducial
