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

Error about(const Path& path, ErrorReason reason) {
  return Error(ErrorCode::invalid_data, "whatever it says", Place{.path = path.string()}).because(reason);
}

TEST(Suggestion, says_where_an_unknown_name_was_given) {
  const Error error = no_such_name("split", "tets", {"test", "val"}, "--split: ");
  EXPECT_EQ(error.message(), "--split: no split \"tets\"; there is test, val; did you mean test?");
  EXPECT_EQ(error.code(), ErrorCode::bad_usage);
  EXPECT_EQ(error.reason(), ErrorReason::unknown_name);
}

TEST(Suggestion, names_the_neighbour_of_a_missing_path) {
  const TemporaryFolder folder;
  const Path dataset = folder.path() / "rexgroundingct";
  std::filesystem::create_directories(dataset / "volumes");
  const Error typed = about(folder.path() / "rexgroundngct" / "volumes", ErrorReason::path_missing);
  EXPECT_EQ(path_advice(typed), "; did you mean " + (dataset / "volumes").string() + "?");
  EXPECT_EQ(path_advice(about(folder.path() / "nothing", ErrorReason::path_missing)), "");
  EXPECT_EQ(path_advice(about(folder.path() / "rexgroundngct", ErrorReason::other)), "");
}

TEST(Suggestion, knows_a_folder_where_a_file_goes_and_back) {
  const TemporaryFolder folder;
  const Path file = folder.path() / "predictions.jsonl";
  std::ofstream(file) << "{}\n";
  EXPECT_EQ(path_advice(about(folder.path(), ErrorReason::path_not_file)),
            "; this is a folder, and a file goes here; did you mean " + file.string() + "?");
  EXPECT_EQ(path_advice(about(file, ErrorReason::not_archive)),
            "; this is a file, and a folder or a .zip goes here");
}

}  // namespace
}  // namespace fiducial
