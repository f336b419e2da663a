#include "fiducial/workflows/direct.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/workflows/letter_probabilities.h"

namespace fiducial {

OneQuestion::OneQuestion(const DialogueStart& start, const std::string& prompt) : Dialogue(*start.asked) {
  const PromptValues values{{"history", start.shown.view.history},
                            {"options", options_text(start.shown.view)},
                            {"image_labels", image_labels(start.shown.images)},
                            {"image_count", decimal(start.shown.images.size())}};
  ChatRequest request = request_in_words(asked(), prompt, values, start.shown.images, answer_schema());
  request.sample = start.sample;
  begin_answer(std::move(request), start.shown.view);
}

void add_letter(const Exchange& exchange, CaseAnswer& answer) {
  if (exchange.has_failed()) return;
  if (exchange.recovered_letter() != 0) {
    answer.form = "recovered";
    answer.fields.set("prediction", std::string(1, exchange.recovered_letter()));
    answer.fields.set("prediction_rationale", exchange.text());
    return;
  }
  if (exchange.value().is_null()) {
    // The scorer has rules for replies of any form; it gets all of it.
    answer.form = "text";
    answer.fields.set("prediction", exchange.text());
    return;
  }
  answer.fields.set("prediction", text_at(exchange.value(), "answer"));
  answer.fields.set("prediction_rationale", text_at(exchange.value(), "explanation"));
  const Json probabilities = letter_probabilities(exchange.logprobs());
  if (probabilities.is_null()) return;
  answer.fields.set("answer_letter_probs", probabilities);
  answer.fields.set("answer_confidence",
                    number_at(probabilities, text_at(exchange.value(), "answer")).value_or(0));
}

CaseAnswer OneQuestion::answer() const {
  CaseAnswer out = answer_so_far();
  add_letter(exchange(0), out);
  return out;
}

Workflow direct_workflow();
Workflow direct_workflow() {
  return {.name = "direct",
          .summary = "History, images and options in one question; an answer and why",
          .prompts = {"direct", "ask_again"},
          .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
            return std::make_unique<OneQuestion>(start, "direct");
          }};
}

}  // namespace fiducial
