#include "fiducial/datasets/card_facts.h"

#include <gtest/gtest.h>

#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/rexgroundingct/lint_example.h"

namespace fiducial {
namespace {

const CardFacts::Field* find_field(const CardFacts& facts, std::string_view name) {
  for (const CardFacts::Field& field : facts.fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

TEST(CardFacts, of_a_layout_without_a_card_are_its_name_tasks_and_sizes) {
  const rexgroundingct::LintExample example;
  ASSERT_TRUE(example.lint().ok());  // writes the dataset file
  const DatasetAdapter bare{
      .id = "bare",
      .title = "Bare: nothing but masks",
      .tasks = {"finding_masks"},
      .open_grounded = [](const Path& folder) -> Result<std::unique_ptr<GroundedDataset>> {
        FIDUCIAL_TRY(rexgroundingct::Dataset dataset, rexgroundingct::Dataset::open(folder));
        return {std::make_unique<rexgroundingct::Dataset>(std::move(dataset))};
      }};
  const Result<CardFacts> facts = card_facts(bare, example.request.dataset);
  ASSERT_TRUE(facts.ok()) << facts.error().text();
  EXPECT_EQ(find_field(*facts, "benchmark_details.name")->value.compact(), R"("Bare")");
  EXPECT_EQ(find_field(*facts, "purpose_and_intended_users.tasks")->value.compact(), R"(["finding_masks"])");
  const CardFacts::Field* size = find_field(*facts, "data.size");
  ASSERT_NE(size, nullptr);
  EXPECT_EQ(size->value.compact(), R"("train: 2 scans, 4 findings; test: 2 scans, 4 findings")");
  EXPECT_EQ(size->origin, "computed from dataset.json");
  EXPECT_EQ(facts->volumes.size(), 4U);
  EXPECT_TRUE(facts->metrics.empty());
}

TEST(LanguageGuess, is_silent_about_texts_that_are_mostly_not_english) {
  LanguageGuess guess;
  guess.add("Ein Rundherd rechts.");
  guess.add("Kein Erguss.");
  guess.add("A nodule in the left lung.");
  CardFacts facts;
  guess.fill(facts, "x");
  EXPECT_TRUE(facts.fields.empty());
  guess.add("Effusion of the pleura.");
  guess.fill(facts, "x");
  ASSERT_EQ(facts.fields.size(), 1U);
  EXPECT_EQ(facts.fields[0].origin, "computed from x: 50.0 % of 4 texts hold English function words");
}

}  // namespace
}  // namespace fiducial
