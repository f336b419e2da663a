#include "fiducial/chat/parameter_profile.h"

#include <gtest/gtest.h>

#include "fiducial/base/file.h"
#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

TEST(ParameterProfiles, of_ours_are_sound_and_have_different_hashes) {
  for (const ParameterProfile& each : all_profiles()) {
    EXPECT_FALSE(each.about.empty()) << each.name;
    EXPECT_EQ(read_profile(each.name)->sha256, each.sha256);
    for (const ParameterProfile& other : all_profiles())
      EXPECT_EQ(other.sha256 == each.sha256, other.name == each.name) << each.name << other.name;
  }
}

TEST(ParameterProfiles, yield_to_what_is_given_one_by_one) {
  const Json given = *parse_json(R"({"temperature":0,"extra":{"chat_template_kwargs":{"x":1},"top_k":20}})");
  const Json both = with_profile(*read_profile("qwen3-thinking"), given);
  EXPECT_EQ(
      both.compact(),
      R"({"temperature":0,"top_p":0.95,"max_tokens":8192,"extra":{"chat_template_kwargs":{"x":1},"top_k":20}})");
}

TEST(ParameterProfiles, refuse_what_is_not_known) {
  EXPECT_FALSE(read_profile("qwen4").ok());
  const TemporaryFolder folder;
  const Path file = folder.path() / "mine.json";
  const auto problem = [&](std::string_view text) {
    EXPECT_TRUE(write_file(file, text).ok());
    const auto read = read_profile(file.string());
    return read.ok() ? std::string() : read.error().text();
  };
  EXPECT_EQ(problem(R"({"parameters":{"seed":1}})"), "");
  EXPECT_NE(problem(R"({"parameters":{"sed":1}})").find("sed"), std::string::npos);
  for (const char* bad :
       {"[]", "{}", R"({"parameters":{"seed":"1"}})", R"({"parameter":{"seed":1}})", R"({"extra":1})"})
    EXPECT_NE(problem(bad), "") << bad;
}

}  // namespace
}  // namespace fiducial
