#include <algorithm>
#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/chat/reply_schema.h"
#include "fiducial/metrics/diagnosis_contracts.h"
#include "fiducial/workflows/judge.h"
#include "fiducial/workflows/judged_steps.h"
#include "fiducial/workflows/known_statements.h"

namespace fiducial {

Workflow judge_discussion_workflow();

namespace {

Json points_schema() {
  std::vector<std::pair<std::string, Json>> items;
  const Json points = Json::object({{"type", "integer"}, {"enum", Json::array({0, 1, 2})}});
  for (const std::string_view item : education_items) items.emplace_back(item, points);
  return exact_object_schema(items);
}

Json ratings_schema(std::size_t sentences) {
  const Json rating = exact_object_schema({{"correct", Json::object({{"type", "boolean"}})}});
  std::vector<std::pair<std::string, Json>> numbers;
  for (std::size_t i = 1; i <= sentences; ++i) numbers.emplace_back(decimal(i), rating);
  return exact_object_schema({{"points", points_schema()}, {"sentences", exact_object_schema(numbers)}});
}

// Points for a teaching note and whether its sentences are right, with known-false sentences among them.
class DiscussionJudge final : public Dialogue {
 public:
  explicit DiscussionJudge(const DialogueStart& start)
      : Dialogue(*start.asked),
        judged_(start.judged),
        statements_(with_known_false(judged_->steps, "correct")) {
    std::string lines;
    for (std::size_t i = 0; i < statements_.size(); ++i)
      lines += decimal(i + 1) + ". [" + section_of(i) + "] " + Json(statements_[i].text).compact() + "\n";
    PromptValues values = judged_->references;
    values["rubric"] = asked().prompts->at("education_rubric").user({});
    values["sentences"] = lines;
    ChatRequest request =
        request_in_words(asked(), "judge_discussion", values, {}, ratings_schema(statements_.size()));
    request.sample = start.sample;
    begin("ratings", std::move(request));
  }

  CaseAnswer answer() const override {
    CaseAnswer out = answer_so_far();
    if (!exchange(0).has_failed() && exchange(0).value().is_null())
      out.failures.emplace_back("ratings", "the reply has no form");
    if (!out.failures.empty()) return out;
    const Json& points = *exchange(0).value().find("points");
    for (const std::string_view item : education_items)
      out.fields.set(std::string(item), integer_at(points, item));
    Json sentences = Json::Array{};
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      const bool correct = said(i);
      if (statements_[i].kind == JudgedStatement::Kind::own) {
        const DiscussionSentence& sentence = judged_->sentences[statements_[i].place];
        sentences.push(Json::object(
            {{"section", sentence.section()}, {"sentence", sentence.number}, {"correct", correct}}));
        continue;
      }
      const bool is_canary = statements_[i].kind == JudgedStatement::Kind::canary;
      out.fields.set(is_canary ? "canary" : "injection",
                     Json::object({{"step", statements_[i].text}, {"is_factual", correct}}));
    }
    out.fields.set("sentences", std::move(sentences));
    return out;
  }

 private:
  // What is not of the note stands under the heading of the sentence before it.
  std::string section_of(std::size_t at) const {
    for (std::size_t i = at + 1; i-- > 0;) {
      if (statements_[i].kind == JudgedStatement::Kind::own)
        return judged_->sentences[statements_[i].place].section();
    }
    return judged_->sentences.front().section();
  }

  bool said(std::size_t at) const {
    const Json* rating = exchange(0).value().find("sentences")->find(decimal(at + 1));
    return rating != nullptr && flag_at(*rating, "correct").value_or(false);
  }

  std::shared_ptr<const CaseToJudge> judged_;
  std::vector<JudgedStatement> statements_;
};

// ratings.jsonl (docs/formats/ratings.md) and probes.jsonl.
class RatingFiles final : public JudgeFiles {
 public:
  RatingFiles(std::string rater, std::string identity)
      : rater_(std::move(rater)), identity_(std::move(identity)) {}

  void add(const std::string& title, const CaseAnswer& answer, std::int64_t sample) override {
    const Json* sentences = answer.fields.find("sentences");
    if (sentences == nullptr) return;
    Json line = Json::object({{"title", title}, {"rater", rater_}});
    if (sample > 0) line = Json::object({{"probe", "repeat"}, {"title", title}, {"repeat", sample}});
    for (const std::string_view item : education_items)
      line.set(std::string(item), *answer.fields.find(item));
    line.set("sentences", *sentences);
    if (sample > 0) {
      probes_ += line.compact() + "\n";
      return;
    }
    ratings_ += line.set("judge", identity_).compact() + "\n";
    for (const char* kind : {"canary", "injection"}) {
      Json probe = Json::object({{"probe", kind}, {"title", title}});
      for (const auto& [key, value] : *answer.fields.find(kind)->as_object()) probe.set(key, value);
      probes_ += probe.compact() + "\n";
    }
  }

  std::vector<std::pair<std::string, const std::string*>> files() const override {
    return {{ratings_file_name, &ratings_}, {probes_file_name, &probes_}};
  }

 private:
  std::string rater_;
  std::string identity_;
  std::string ratings_;
  std::string probes_;
};

}  // namespace

Workflow judge_discussion_workflow() {
  return {
      .name = "judge-discussion",
      .summary = "Points for teaching notes by a rubric, and whether their sentences are right",
      .prompts = {"judge_discussion", "education_rubric", "ask_again"},
      .shows_images = false,
      .answers = false,
      .judges = true,
      .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
        return std::make_unique<DiscussionJudge>(start);
      },
      .judged = Judged::discussions,
      .judge_files = [](const AskedAs& asked, const std::string& identity) -> std::unique_ptr<JudgeFiles> {
        return std::make_unique<RatingFiles>(asked.model, identity);
      }};
}

}  // namespace fiducial
