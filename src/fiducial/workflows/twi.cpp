#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/chat/reply_schema.h"
#include "fiducial/workflows/direct.h"

namespace fiducial {

Workflow twi_workflow();

namespace {

constexpr const char* missing_finding = "(no finding is available for this image)";

// Thinking with images: a finding for each image, a summary of them, then the differential. Each of the first
// two is asked for, given, or left out; the next step waits for all of the one before.
class ThreeSteps final : public Dialogue {
 public:
  explicit ThreeSteps(const DialogueStart& start) : Dialogue(*start.asked), start_(start) {
    findings_.resize(start_.shown.image_count);
    if (start_.cues.hints) findings_ = *start_.cues.hints;
    findings_.resize(start_.shown.image_count);
    if (start_.cues.summary) summary_ = *start_.cues.summary;
    if (asked().hints == CueSource::self) {
      stage_ = Stage::findings;
      for (const ShownImage& image : start_.shown.images) ask_finding(image);
    }
    if (finding_exchanges_.empty()) ask_summary();
  }

  CaseAnswer answer() const override {
    CaseAnswer out = answer_so_far();
    if (asked().goes_on_with_holes) {
      std::erase_if(out.failures, [](const auto& failure) { return failure.first.starts_with("finding"); });
    }
    out.holes = holes_;
    if (!blocked_.empty()) out.failures.emplace_back(blocked_, "blocked: a step before it failed");
    Json twi = Json::object({{"step1_per_image_findings", Json::strings(findings_)},
                             {"step2_integrated_summary", summary_},
                             {"step3_differential_reasoning", ""}});
    if (answer_) {
      add_letter(exchange(*answer_), out);
      if (!exchange(*answer_).has_failed())
        twi.set("step3_differential_reasoning", exchange(*answer_).said("explanation"));
    }
    out.fields.set("prediction_twi", std::move(twi));
    return out;
  }

 protected:
  void go_on() override {
    if (stage_ == Stage::findings) {
      take_findings();
    } else if (stage_ == Stage::summary) {
      take_summary();
    }
  }

 private:
  enum class Stage { findings, summary, answer };

  ChatRequest request(const char* prompt, PromptValues values, const std::vector<ShownImage>& images,
                      Json schema) const {
    values["history"] = start_.shown.view.history;
    values["options"] = options_text(start_.shown.view);
    values["image_labels"] = image_labels(images);
    values["image_count"] = decimal(images.size());
    ChatRequest out = request_in_words(asked(), prompt, values, images, std::move(schema));
    out.sample = start_.sample;
    return out;
  }

  void ask_finding(const ShownImage& image) {
    const std::string number = decimal(image.number);
    ChatRequest question = request("step1_image", {{"image_label", "Image " + number}}, {image},
                                   exact_object_schema({{"finding", text_schema()}}));
    finding_exchanges_.emplace_back(begin("finding " + number, std::move(question)), image.number - 1);
  }

  void take_findings() {
    bool has_hole = false;
    for (const auto& [at, slot] : finding_exchanges_) {
      if (!exchange(at).has_failed()) {
        findings_[slot] = exchange(at).said("finding");
        continue;
      }
      has_hole = true;
      holes_.push_back(exchange(at).step() + ": " + exchange(at).failure());
    }
    if (has_hole && !asked().goes_on_with_holes) {
      stage_ = Stage::answer;
      blocked_ = asked().summary == CueSource::self ? "summary" : "answer";
      return;
    }
    ask_summary();
  }

  void ask_summary() {
    if (asked().summary != CueSource::self) return ask_answer();
    stage_ = Stage::summary;
    summary_exchange_ =
        begin("summary", request("step2_summary", {{"hints", hint_block()}}, start_.shown.images,
                                 exact_object_schema({{"summary", text_schema()}})));
  }

  void take_summary() {
    if (exchange(summary_exchange_).has_failed()) {
      stage_ = Stage::answer;
      blocked_ = "answer";
      return;
    }
    summary_ = exchange(summary_exchange_).said("summary");
    ask_answer();
  }

  void ask_answer() {
    stage_ = Stage::answer;
    const bool has_summary = asked().summary != CueSource::none;
    const std::string block = has_summary
                                  ? "\n" + asked().prompts->at("summary").user({{"summary", summary_}}) + "\n"
                                  : std::string();
    answer_ = begin_answer(request("step3_differential", {{"hints", hint_block()}, {"summary", block}},
                                   start_.shown.images, answer_schema()),
                           start_.shown.view);
  }

  // The findings of the images that are shown; nothing where there are to be none.
  std::string hint_block() const {
    if (asked().hints == CueSource::none) return {};
    std::string lines;
    for (const ShownImage& image : start_.shown.images) {
      const std::string& text = findings_[image.number - 1];
      append_joined(lines, "Image " + decimal(image.number) + ": " + (text.empty() ? missing_finding : text),
                    "\n");
    }
    return "\n" + asked().prompts->at("hints").user({{"hints", lines}}) + "\n";
  }

  DialogueStart start_;
  Stage stage_ = Stage::summary;
  std::vector<std::string> findings_;  // one an image of the case; "" where there is none
  std::string summary_;
  std::vector<std::pair<std::size_t, std::size_t>> finding_exchanges_;  // and the slots they are about
  std::size_t summary_exchange_ = 0;
  std::optional<std::size_t> answer_;
  std::vector<std::string> holes_;
  std::string blocked_;  // the step that cannot be asked
};

}  // namespace

Workflow twi_workflow() {
  return {.name = "twi",
          .summary = "Thinking with images in three steps: findings of each image, summary, differential",
          .prompts = {"step1_image", "step2_summary", "step3_differential", "hints", "summary", "ask_again"},
          .default_cues = "self",
          .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
            return std::make_unique<ThreeSteps>(start);
          }};
}

}  // namespace fiducial
