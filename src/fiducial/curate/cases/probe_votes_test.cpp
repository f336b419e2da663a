#include "fiducial/curate/cases/probe_votes.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Json parsed(const char* text) { return parse_json(text).value(); }

ProbeFile probe_of(std::initializer_list<const char*> items, bool strict = true) {
  ProbeFile out{.name = "probe.json"};
  for (const char* item : items) out.add(parsed(item), strict);
  return out;
}

ProbeVotes voted(const char* item, std::vector<ProbeFile>& probes, bool strict = true) {
  return votes_on(parsed(item), item_keys(parsed(item)), probes, strict);
}

TEST(ItemKeys, come_from_the_surest_to_the_weakest) {
  EXPECT_EQ(item_keys(parsed(R"({"title": " Case 1 ", "source_row_index": 7, "CLINICAL_HISTORY": "Pain"})")),
            (ItemKeys{"source_row_index:7", "title:Case 1", "title+history:case 1|pain"}));
  EXPECT_TRUE(item_keys(parsed(R"({"other": 1})")).empty());
}

TEST(ProbeItem, believes_a_flag_in_any_spelling_before_the_letters) {
  EXPECT_EQ(probe_item(parsed(R"({"is_correct": " Yes ", "answer": "A", "label": "B"})"), true).result, true);
  EXPECT_EQ(probe_item(parsed(R"({"is_correct": 0})"), true).result, false);
  EXPECT_EQ(probe_item(parsed(R"({"is_correct": "perhaps"})"), true).result, std::nullopt);
}

TEST(ProbeItem, compares_letters_strictly_and_first_characters_officially) {
  const Json wordy = parsed(R"({"answer": "The answer is B", "correct_answer": "B"})");
  EXPECT_EQ(probe_item(wordy, true).result, true);
  EXPECT_EQ(probe_item(wordy, false).result, false);  // T is not B
}

TEST(ProbeItem, keeps_the_letter_where_its_file_has_no_key) {
  const ProbeItem found = probe_item(parsed(R"({"answer": "C"})"), true);
  EXPECT_EQ(found.result, std::nullopt);
  EXPECT_EQ(found.letter, 'C');
}

TEST(ProbeVotes, count_the_probes_that_know_an_item) {
  std::vector<ProbeFile> probes{probe_of({R"({"title": "a", "is_correct": true})"}),
                                probe_of({R"({"title": "a", "is_correct": false})"}),
                                probe_of({R"({"title": "b", "is_correct": true})"})};
  const ProbeVotes votes = voted(R"({"title": "a"})", probes);
  EXPECT_EQ(votes.known, 2);
  EXPECT_EQ(votes.right, 1);
  EXPECT_TRUE(votes.is_solved(false));
  EXPECT_FALSE(votes.is_solved(true));
  EXPECT_EQ(probes[2].unmatched, 1);
}

TEST(ProbeVotes, never_call_an_item_solved_that_no_probe_knows) {
  std::vector<ProbeFile> probes{probe_of({})};
  EXPECT_FALSE(voted(R"({"title": "a"})", probes).is_solved(false));
  EXPECT_FALSE(voted(R"({"title": "a"})", probes).is_solved(true));
}

TEST(ProbeVotes, hold_a_letter_without_a_key_against_the_items_own) {
  std::vector<ProbeFile> probes{probe_of({R"({"title": "a", "answer": "C"})"})};
  EXPECT_EQ(voted(R"({"title": "a", "correct_answer": "C"})", probes).right, 1);
  EXPECT_EQ(voted(R"({"title": "a", "correct_answer": "D"})", probes).right, 0);
  EXPECT_EQ(voted(R"({"title": "a"})", probes).known, 0);
  EXPECT_EQ(probes[0].unknown, 1);
}

TEST(ProbeVotes, do_not_use_a_key_that_two_items_share) {
  std::vector<ProbeFile> probes{
      probe_of({R"({"title": "a", "is_correct": true})", R"({"title": "a", "is_correct": false})"})};
  EXPECT_GT(probes[0].ambiguous_keys, 0);
  EXPECT_EQ(voted(R"({"title": "a"})", probes).known, 0);
}

TEST(ProbeVotes, see_a_conflict_where_keys_name_different_items) {
  const auto items = {R"({"source_row_index": 1, "title": "b", "is_correct": true})",
                      R"({"source_row_index": 2, "title": "a", "is_correct": false})"};
  std::vector<ProbeFile> strict{probe_of(items)};
  EXPECT_EQ(voted(R"({"source_row_index": 1, "title": "a"})", strict).conflicts, 1);
  std::vector<ProbeFile> official{probe_of(items, false)};
  const ProbeVotes votes = voted(R"({"source_row_index": 1, "title": "a"})", official, false);
  EXPECT_EQ(votes.right, 1);  // by the first key alone
  EXPECT_EQ(votes.conflicts, 0);
}

}  // namespace
}  // namespace fiducial
