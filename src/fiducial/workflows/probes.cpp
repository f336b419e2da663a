#include "fiducial/workflows/direct.h"

namespace fiducial {

Workflow text_only_workflow();
Workflow options_only_workflow();

Workflow text_only_workflow() {
  return {.name = "text-only",
          .summary = "History and options without any image: what text alone solves",
          .prompts = {"text_only", "ask_again"},
          .shows_images = false,
          .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
            return std::make_unique<OneQuestion>(start, "text_only");
          }};
}

Workflow options_only_workflow() {
  return {.name = "options-only",
          .summary = "The options alone: what their wording gives away",
          .prompts = {"options_only", "ask_again"},
          .shows_images = false,
          .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
            return std::make_unique<OneQuestion>(start, "options_only");
          }};
}

}  // namespace fiducial
