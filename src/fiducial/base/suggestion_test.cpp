#include "fiducial/base/suggestion.h"

#include <fstream>

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

TEST(Suggestion, counts_typing_mistakes) {
  EXPECT_EQ(typing_mistakes("", ""), 0);
  EXPECT_EQ(typing_mistakes("", "abc"), 3);
  EXPECT_EQ(typing_mistakes("score", "scor"), 1);
  EXPECT_EQ(typing_mistakes("mertics", "metrics"), 1);
  EXPECT_EQ(typing_mistakes("kitten", "sitting"), 3);
}

TEST(Suggestion, finds_the_name_that_was_meant) {
  const std::vector<std::string> verbs = {"score", "stats", "check", "compare", "convert"};
  EXPECT_EQ(nearest_name("scor", verbs), "score");
  EXPECT_EQ(nearest_name("SCORE", verbs), "score");
  EXPECT_EQ(nearest_name("chekc", verbs), "check");
  EXPECT_EQ(nearest_name("comp", verbs), "compare");
  EXPECT_EQ(nearest_name("dice_per_case", {"dice-per-case"}), "dice-per-case");
}

TEST(Suggestion, is_silent_where_nothing_is_near) {
  EXPECT_EQ(nearest_name("frobnicate", {"score", "stats"}), std::nullopt);
  EXPECT_EQ(nearest_name("", {"score"}), std::nullopt);
  EXPECT_EQ(nearest_name("x", {"a", "b"}), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'a'), {"a"}), std::nullopt);
  EXPECT_EQ(did_you_mean("frobnicate", {"score"}), "");
  EXPECT_EQ(did_you_mean("scroe", {"score"}), "; did you mean score?");
}

Error about(const Path& path, const std::string& message) {
  return {ErrorCode::invalid_data, message, Place{.path = path.string()}};
}

TEST(Suggestion, names_the_neighbour_of_a_missing_path) {
  const TemporaryFolder folder;
  const Path dataset = folder.path() / "rexgroundingct";
  std::filesystem::create_directories(dataset / "volumes");
  const Error typed = about(folder.path() / "rexgroundngct" / "volumes", "no such folder of volumes");
  EXPECT_EQ(path_advice(typed), "; did you mean " + (dataset / "volumes").string() + "?");
  EXPECT_EQ(path_advice(about(folder.path() / "nothing", "no such folder")), "");
}

TEST(Suggestion, knows_a_folder_where_a_file_goes_and_back) {
  const TemporaryFolder folder;
  const Path file = folder.path() / "predictions.jsonl";
  std::ofstream(file) << "{}\n";
  EXPECT_EQ(path_advice(about(folder.path(), "not a regular file")),
            "; this is a folder, and a file goes here; did you mean " + file.string() + "?");
  EXPECT_EQ(path_advice(about(file, "not a zip archive: no end record")),
            "; this is a file, and a folder or a .zip goes here");
}

}  // namespace
}  // namespace fiducial
