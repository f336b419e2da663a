#include "fiducial/cases/inference_view.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

DiagnosisCase full_case() {
  DiagnosisCase out{
      .number = 68, .title = "Case number 68", .history = "A history", .findings = "secret findings"};
  out.discussion = "secret discussion";
  out.options = {"a", "b", "c", "d", "e"};
  out.key = 'C';
  out.icd_chapter = "secret chapter";
  out.images = {{"x", "images/case00068/x.jpg", "secret caption", "secret modality", "secret kind"}};
  return out;
}

TEST(InferenceView, holds_history_options_and_images_and_nothing_else) {
  const InferenceView view = InferenceView::of(full_case());
  const std::string text = view.json().compact();
  EXPECT_EQ(text, R"({"CLINICAL_HISTORY":"A history","options":{"A":"a","B":"b","C":"c","D":"d","E":"e"},)"
                  R"("image_01_path":"images/case00068/x.jpg"})");
  EXPECT_TRUE(fields_outside_view(*view.json().as_object()).empty());
}

TEST(InferenceView, does_not_change_with_the_key) {
  DiagnosisCase other = full_case();
  other.key = 'A';
  EXPECT_EQ(InferenceView::of(other), InferenceView::of(full_case()));
}

TEST(InferenceView, refuses_every_field_that_tells_more) {
  for (const char* name : {"title", "image_01_caption", "IMAGING_FINDINGS", "discussion", "ICD Chapter",
                           "image_01_modality", "image_01_sub_modality", "image_01_id", "correct_answer",
                           "correct_answer_text", "interval_text", "image_1_path", "image_01_path_"}) {
    Json record = InferenceView::of(full_case()).json();
    record.set(name, "x");
    EXPECT_EQ(fields_outside_view(*record.as_object()), std::vector<std::string>{name});
  }
  Json record = InferenceView::of(full_case()).json();
  record.set("options", Json::object({{"A", "a"}, {"key", "A"}}));
  EXPECT_EQ(fields_outside_view(*record.as_object()), std::vector<std::string>{"options"});
}

}  // namespace
}  // namespace fiducial
