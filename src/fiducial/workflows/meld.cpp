#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/text/unicode.h"
#include "fiducial/workflows/edit_similarity.h"
#include "fiducial/workflows/workflow.h"

namespace fiducial {

Workflow meld_workflow();

namespace {

// Whether a model knows a case by heart: it is given the first half of the history and asked for the second,
// which is compared by edit distance (MELD, Nori et al. 2023, arXiv 2303.13375). A similarity of 0.95 counts
// as known.
class SecondHalf final : public Dialogue {
 public:
  explicit SecondHalf(const DialogueStart& start) : Dialogue(*start.asked) {
    const std::string& history = start.shown.view.history;
    const std::size_t cut = middle_of(history);
    rest_ = history.substr(cut);
    ChatRequest request = request_in_words(
        asked(), "meld", {{"beginning", history.substr(0, cut)}, {"length", decimal(rest_.size())}}, {},
        Json());
    request.sample = start.sample;
    begin("continuation", std::move(request));
  }

  CaseAnswer answer() const override {
    constexpr double known = 0.95;
    CaseAnswer out = answer_so_far();
    out.form = "text";
    if (!out.has_answer()) return out;
    const double similarity = edit_similarity(exchange(0).text(), rest_);
    out.fields.set("continuation", exchange(0).text());
    out.fields.set("similarity", similarity).set("known_by_heart", similarity >= known);
    return out;
  }

 private:
  // The first blank at or behind the middle, or the middle itself, never inside of a character.
  static std::size_t middle_of(const std::string& text) {
    const std::size_t half = text.size() / 2;
    const std::size_t blank = text.find(' ', half);
    std::size_t out = blank == std::string::npos ? half : blank;
    while (out < text.size() && (static_cast<unsigned char>(text[out]) & 0xC0U) == 0x80U) ++out;
    return out;
  }

  std::string rest_;
};

}  // namespace

Workflow meld_workflow() {
  return {.name = "meld",
          .summary = "Whether the model knows the history by heart: it continues its first half",
          .prompts = {"meld", "ask_again"},
          .shows_images = false,
          .answers = false,
          .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
            return std::make_unique<SecondHalf>(start);
          }};
}

}  // namespace fiducial
