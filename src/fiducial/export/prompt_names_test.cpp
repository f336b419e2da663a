#include "fiducial/export/prompt_names.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Words = std::vector<std::string>;

const Words sentences{"Nodule (6 mm) in the left upper lobe.", "Nodule [6 mm] in the left upper lobe.",
                      "Crohn's œdema: naïve façade, small effusion on the right.", "Atelectasis.",
                      "Atelectasis."};

Result<std::vector<PromptMatch>> matched(const Words& names, const Words& prompts,
                                         const NameTable& table = {}) {
  return match_prompts("train_1_a_1", names, prompts, table);
}

TEST(PromptNames, matches_what_segmenters_make_of_a_sentence) {
  const Words prompts{"Nodule (6 mm), left.",
                      "Façade of naïve pleura, a long sentence that does not end soon", "Effusion"};
  const auto found =
      matched({"Nodule _6 mm__ left_", "facade of naive pleura_ a long sentence tha", "EFFUSION"}, prompts);
  ASSERT_TRUE(found.ok()) << found.error().text();
  EXPECT_EQ((*found)[0].prompts, std::vector<std::size_t>{0});
  EXPECT_EQ((*found)[1].prompts, std::vector<std::size_t>{1});
  EXPECT_EQ((*found)[1].rule, "truncated");
  EXPECT_EQ((*found)[2].rule, "plain");
}

TEST(PromptNames, takes_numbers_that_were_given_on_purpose) {
  const auto found = matched({"_f1_Nodule _6 mm_ in the left upper lobe_", "0", "finding_2"}, sentences);
  ASSERT_TRUE(found.ok()) << found.error().text();
  EXPECT_EQ((*found)[0].prompts, std::vector<std::size_t>{1});
  EXPECT_EQ((*found)[1].prompts, std::vector<std::size_t>{0});
  EXPECT_EQ((*found)[2].prompts, std::vector<std::size_t>{2});
  EXPECT_EQ((*found)[2].rule, "number");
}

TEST(PromptNames, gives_one_mask_to_sentences_that_are_one) {
  const auto found = matched({"Atelectasis_"}, sentences);
  ASSERT_TRUE(found.ok()) << found.error().text();
  EXPECT_EQ((*found)[0].prompts, (std::vector<std::size_t>{3, 4}));
}

TEST(PromptNames, refuses_a_name_that_fits_two_prompts_with_the_choices) {
  const auto found = matched({"Nodule _6 mm_ in the left upper lobe_"}, sentences);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(
      found.error().message(),
      "\"Nodule _6 mm_ in the left upper lobe_\" fits 2 prompts: 0 \"Nodule (6 mm) in the left upper "
      "lobe.\", 1 \"Nodule [6 mm] in the left upper lobe.\"; a table of names (--names) says which it is");
}

TEST(PromptNames, refuses_names_of_nothing_and_two_names_of_one_prompt) {
  EXPECT_FALSE(matched({"Nodule"}, sentences).ok());
  EXPECT_FALSE(matched({"heart"}, sentences).ok());
  EXPECT_FALSE(matched({"_f0_a", "_f0_b"}, sentences).ok());
  EXPECT_FALSE(matched({"Atelectasis", "atelectasis."}, sentences).ok());
}

TEST(PromptNames, believes_a_table) {
  const auto table = parse_name_table(
      "case,name,prompt\ntrain_1_a_1.nii.gz,mask7.nii.gz,1\ntrain_1_a_1,x,Atelectasis.\ntrain_1_a_1,y,9\n");
  ASSERT_TRUE(table.ok()) << table.error().text();
  EXPECT_EQ(matched({"mask7"}, sentences, *table)->front().prompts, std::vector<std::size_t>{1});
  EXPECT_EQ(matched({"x"}, sentences, *table)->front().prompts, (std::vector<std::size_t>{3, 4}));
  EXPECT_FALSE(matched({"y"}, sentences, *table).ok());
  EXPECT_FALSE(parse_name_table("case,name,prompt\na,b,1\na.nii,b.nii.gz,2\n").ok());
  EXPECT_FALSE(parse_name_table("case,prompt\na,1\n").ok());
}

}  // namespace
}  // namespace fiducial
