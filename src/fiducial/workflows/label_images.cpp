#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/cases/modality.h"
#include "fiducial/chat/reply_schema.h"
#include "fiducial/workflows/workflow.h"

namespace fiducial {

Workflow label_images_workflow();

namespace {

std::vector<std::string> modality_names() { return {known_modalities.begin(), known_modalities.end()}; }

// How each image of a case was made, from the image alone: neither the history nor the options are shown.
class ImageLabels final : public Dialogue {
 public:
  explicit ImageLabels(const DialogueStart& start) : Dialogue(*start.asked), images_(start.shown.images) {
    Json modality = enum_schema(modality_names()).set("type", "string");
    const Json schema =
        exact_object_schema({{"modality", std::move(modality)}, {"sub_modality", text_schema()}});
    for (const ShownImage& image : images_) {
      const std::string label = "Image " + decimal(image.number);
      ChatRequest request = request_in_words(
          asked(), "label_image", {{"image_label", label}, {"modalities", joined(modality_names(), "; ")}},
          {image}, schema);
      request.sample = start.sample;
      begin("modality " + decimal(image.number), std::move(request));
    }
  }

  CaseAnswer answer() const override {
    CaseAnswer out = answer_so_far();
    Json labels = Json::Array{};
    for (std::size_t i = 0; i < images_.size(); ++i) {
      const Exchange& asked_of = exchange(i);
      if (asked_of.has_failed()) continue;
      const Json said = value_in_reply(asked_of.text()).value_or(Json());
      const std::string modality = text_at(said, "modality");
      if (!is_known_modality(modality)) {
        out.failures.emplace_back(asked_of.step(), "the reply names no modality that is known");
        continue;
      }
      labels.push(Json::object({{"image", static_cast<std::int64_t>(images_[i].number)},
                                {"modality", modality},
                                {"sub_modality", text_at(said, "sub_modality")}}));
    }
    out.form = "json";
    out.fields.set("image_labels", std::move(labels));
    return out;
  }

 private:
  std::vector<ShownImage> images_;
};

}  // namespace

Workflow label_images_workflow() {
  return {.name = "label-images",
          .summary = "The modality of each image, for curate modality",
          .prompts = {"label_image", "ask_again"},
          .answers = false,
          .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
            return std::make_unique<ImageLabels>(start);
          }};
}

}  // namespace fiducial
