#include <algorithm>
#include <array>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/cases/option_choice.h"
#include "fiducial/curate/cases/option_cropping.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/curate/engine/stage_call.h"

namespace fiducial {

namespace {

// What a run of a model added to an item; none of it belongs to a question.
constexpr std::array<const char*, 13> evaluation_fields = {"raw_output",
                                                           "parsed_answer_letter",
                                                           "parsed_explanation",
                                                           "gt_letter",
                                                           "is_eval_eligible",
                                                           "is_correct",
                                                           "answer_token_topk",
                                                           "answer_letter_probs",
                                                           "answer_letter_probs_norm",
                                                           "answer_confidence",
                                                           "model_answer",
                                                           "model_explanation",
                                                           "answer"};

struct WritingRules {
  bool renamed = false;   // options get new letters
  bool official = false;  // as the published script writes them
};

// The options, the key and its text of an item once only some options are kept. The published script writes
// "options" whatever it read, and leaves what it does not know of: a key's text where nothing was cut, and
// "correct_answer_letter".
void write_question(Json& item, const Question& question, const std::vector<std::size_t>& kept,
                    const WritingRules& rules) {
  Json options = Json::Object{};
  std::string key;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const LetteredOption& option = question.options[kept[i]];
    const std::string letter = rules.renamed ? option_letter(i) : option.letter;
    options.set(letter, option.text);
    if (kept[i] == question.key) key = letter;
  }
  item.set(rules.official ? "options" : question.field, std::move(options));
  item.set("n_options", static_cast<std::int64_t>(kept.size()));
  if (key.empty()) return;
  const bool keeps_words = rules.official && !rules.renamed && item.find("correct_answer") != nullptr &&
                           !single_letter(first_text(item, {"correct_answer"}));
  if (!keeps_words) item.set("correct_answer", key);
  item.set("correct_answer_text", question.options[*question.key].text);
  if (!rules.official && item.find("correct_answer_letter") != nullptr)
    item.set("correct_answer_letter", key);
}

void drop_evaluation(Json& item) {
  Json::Object kept;
  for (const auto& [name, value] : *item.as_object()) {
    const auto is_same = [&known = name](const char* field) { return known == field; };
    if (std::none_of(evaluation_fields.begin(), evaluation_fields.end(), is_same))
      kept.emplace_back(name, value);
  }
  item = Json(std::move(kept));
}

Json provenance(const Question& question, const std::vector<std::size_t>& kept) {
  Json letters = Json::Array{};
  for (const std::size_t at : kept) letters.push(question.options[at].letter);
  return Json::object(
      {{"original_options", static_cast<std::int64_t>(question.options.size())},
       {"original_letters", std::move(letters)},
       {"original_key", question.key ? Json(question.options[*question.key].letter) : Json()},
       {"wrong_choice",
        question.wrong_choice ? Json(question.options[*question.wrong_choice].letter) : Json()}});
}

Result<ItemStatus> prune(StageCall& call, Item& item) {
  const Question question = question_of(item.value, !call.strict());
  if (call.strict() && question.options.empty()) return rejected("no_options", "there are no options");
  if (call.strict() && !question.key) {
    return rejected("key_unknown", "neither letter nor text of the key is among the options");
  }
  const bool cut = question.options.size() > options_wanted;
  std::vector<std::size_t> kept;
  if (cut) {
    kept = kept_options(question, call.strict(), call.random());
  } else {
    for (std::size_t i = 0; i < question.options.size(); ++i) kept.push_back(i);
  }
  if (call.strict() && (has_equal_texts(question, kept) || (cut && kept.size() < options_wanted))) {
    return rejected("duplicate_options", "there are no five options whose texts differ");
  }
  const Json facts = provenance(question, kept);
  write_question(item.value, question, kept, {.renamed = cut, .official = !call.strict()});
  drop_evaluation(item.value);
  if (call.strict()) {
    Json curation =
        item.value.find("curation") != nullptr ? *item.value.find("curation") : Json(Json::Object{});
    if (curation.as_object() != nullptr) item.value.set("curation", curation.set("options", facts));
  }
  ItemStatus status{.status = cut ? "changed" : "ok", .facts = facts};
  if (kept.size() < options_wanted) status.code = "fewer_than_five";
  if (!question.key) status.code = "key_lost";
  return status;
}

Outcome run_options(StageCall& call) {
  return change_items(call, "CASES", [&call](Item& item) { return prune(call, item); });
}

}  // namespace

Stage options_stage() {
  return {
      .name = "options",
      .summary = "Prune the options of every case to five: the key, a model's wrong choice, others at random",
      .example = "fiducial curate options cases.json -o pruned.json --seed 42",
      .inputs = {{.name = "CASES",
                  .help = "Cases: JSON list, {\"data\": [...]}, mapping, or JSONL",
                  .required = true}},
      .draws = true,
      .run = run_options};
}

}  // namespace fiducial
