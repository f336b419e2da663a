#include "fiducial/base/number_text.h"
#include "fiducial/workflows/workflow.h"

namespace fiducial {

Workflow discussion_workflow();

namespace {

// A teaching note about the case, as free text under headings.
class TeachingNote final : public Dialogue {
 public:
  explicit TeachingNote(const DialogueStart& start) : Dialogue(*start.asked) {
    const PromptValues values{{"history", start.shown.view.history},
                              {"options", options_text(start.shown.view)},
                              {"image_labels", image_labels(start.shown.images)},
                              {"image_count", decimal(start.shown.images.size())}};
    ChatRequest request = request_in_words(asked(), "discussion", values, start.shown.images, Json());
    request.sample = start.sample;
    begin("discussion", std::move(request));
  }

  CaseAnswer answer() const override {
    CaseAnswer out = answer_so_far();
    out.form = "text";
    if (out.has_answer()) out.fields.set("prediction_discussion", exchange(0).text());
    return out;
  }
};

}  // namespace

Workflow discussion_workflow() {
  return {.name = "discussion",
          .summary = "A teaching note about the case, under six headings",
          .prompts = {"discussion", "ask_again"},
          .answers = false,
          .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
            return std::make_unique<TeachingNote>(start);
          }};
}

}  // namespace fiducial
