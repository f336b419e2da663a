#include "fiducial/curate/reports/published_chains.h"

#include <gtest/gtest.h>

#include "fiducial/curate/reports/cot_import.h"

namespace fiducial {
namespace {

using Texts = std::vector<std::string>;

WrittenBox box_of(const char* text) {
  const BoxReading reading = read_box(parse_json(text).value());
  EXPECT_TRUE(reading.box);
  return reading.box.value_or(WrittenBox{});
}

constexpr WrittenBox one_to_six{1, 2, 3, 4, 5, 6};

TEST(BoxSpellings, are_six_numbers_in_a_list_in_two_corners_or_in_an_object) {
  EXPECT_EQ(box_of("[1, 2, 3, 4, 5, 6]"), one_to_six);
  EXPECT_EQ(box_of("[[1, 2, 3], [4, 5, 6]]"), one_to_six);
  EXPECT_EQ(box_of(R"({"from": [1, 2, 3], "to": [4, 5, 6]})"), one_to_six);
}

TEST(BoxSpellings, become_corners_where_keys_name_their_ends) {
  EXPECT_EQ(box_of(R"({"x_min": 1, "x_max": 4, "y_min": 2, "y_max": 5, "z_min": 3, "z_max": 6})"),
            one_to_six);
  EXPECT_EQ(box_of(R"({"upper_z": 6, "upper_y": 5, "upper_x": 4, "lower_z": 3, "lower_y": 2, "lower_x": 1})"),
            one_to_six);
}

TEST(BoxSpellings, tell_a_list_of_numbers_that_is_no_box) {
  EXPECT_TRUE(read_box(parse_json("[1, 2, 3]").value()).is_odd);
  EXPECT_FALSE(read_box(parse_json(R"([1, 2, 3, 4, 5, "6"])").value()).box);
  EXPECT_FALSE(read_box(parse_json(R"(["a"])").value()).is_odd);
}

TEST(BoxSpellings, are_found_in_the_brackets_of_a_text) {
  EXPECT_EQ(boxes_in_text("The lung [1, 2, 3, 4, 5, 6] and more"), (std::vector<WrittenBox>{one_to_six}));
  EXPECT_EQ(boxes_in_text("from (1,2,3) to (4,5,6)"), (std::vector<WrittenBox>{one_to_six}));
  EXPECT_TRUE(boxes_in_text("a nodule of 1 x 2 x 3 mm, 4 5 6").empty());
  EXPECT_TRUE(boxes_in_text("at (1,2,3), far away from the other one at (4,5,6)").empty());
}

PublishedChain chain_of(std::vector<WrittenBox> boxes) {
  PublishedChain out;
  out.boxes = std::move(boxes);
  return out;
}

TEST(BoxOrder, is_that_in_which_every_box_has_its_low_end_first) {
  EXPECT_EQ(box_order({chain_of({{0, 0, 0, 9, 9, 9}})}), BoxOrder::corners);
  EXPECT_EQ(box_order({chain_of({{5, 6, 1, 2, 3, 4}})}), BoxOrder::axes);
  EXPECT_EQ(box_order({chain_of({{5, 6, 1, 2, 3, 4}}), chain_of({{5, 1, 9, 6, 2, 10}})}), std::nullopt);
}

TEST(BoxesContained, asks_every_box_to_lie_in_the_one_before) {
  EXPECT_EQ(boxes_contained(chain_of({{0, 0, 0, 9, 9, 9}, {1, 1, 1, 8, 8, 8}}), BoxOrder::corners), true);
  EXPECT_EQ(boxes_contained(chain_of({{1, 1, 1, 8, 8, 8}, {0, 0, 0, 9, 9, 9}}), BoxOrder::corners), false);
  EXPECT_EQ(boxes_contained(chain_of({{0, 0, 0, 9, 9, 9}}), BoxOrder::corners), std::nullopt);
}

TEST(PublishedChains, are_found_under_volumes_and_findings_whatever_the_keys) {
  const Json document = parse_json(R"({"test": {"train_12_a_1.nii.gz": {
      "0": {"steps": ["the left lung [0, 0, 0, 9, 9, 9]", "its lower lobe"], "finding": "A nodule."},
      "1": {"steps": ["the heart"]}}}})")
                            .value();
  const std::vector<PublishedChain> chains = find_published_chains(document);
  ASSERT_EQ(chains.size(), 2U);
  EXPECT_EQ(chains[0].volume, "train_12_a_1.nii.gz");
  EXPECT_EQ(chains[0].split, "test");
  EXPECT_EQ(chains[0].finding, "0");
  EXPECT_EQ(chains[0].texts.front(), "A nodule.");  // what it is about comes first
  EXPECT_EQ(chains[0].boxes.size(), 1U);
  EXPECT_EQ(chains[1].texts, (Texts{"the heart"}));
}

TEST(PublishedChains, are_numbered_where_a_volume_has_a_list_of_them) {
  const Json document =
      parse_json(R"([{"name": "valid_3_b_2", "findings": [{"text": "one"}, {"text": "two"}]}])").value();
  const std::vector<PublishedChain> chains = find_published_chains(document);
  ASSERT_EQ(chains.size(), 2U);
  EXPECT_EQ(chains[1].finding, "1");
  EXPECT_EQ(chains[1].volume, "valid_3_b_2.nii.gz");
  EXPECT_EQ(chains[1].pointer, "/0/findings/1");
}

}  // namespace
}  // namespace fiducial
