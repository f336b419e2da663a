#include "fiducial/eval/judge/certificate.h"

#include <gtest/gtest.h>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/temporary_folder.h"
#include "fiducial/eval/judge/judged_scores.h"

namespace fiducial {
namespace {

constexpr int case_count = 20;
constexpr int step_count = 5;

// People call every third step false.
bool is_true(int at, int step) { return (at * step_count + step) % 3 != 0; }

using Judge = bool (*)(int at, int step);
bool knowing(int at, int step) { return at == 7 ? true : is_true(at, step); }
bool forgetful(int at, int step) { return at == 8 ? true : is_true(at, step); }
bool coin(int at, int step) { return (at * 7 + step * 3) % 2 == 0; }

std::string title_of(int at) { return "Case number " + decimal(at + 1); }

Json checks_of(int at, Judge judge) {
  Json out = Json(Json::Array{});
  for (int step = 0; step < step_count; ++step) {
    const bool factual = judge(at, step);
    Json check = Json::object(
        {{"step", step + 1}, {"is_factual", factual}, {"is_critical", step == 0}, {"explanation", "so"}});
    check.set("error_types", factual ? Json(Json::Array{}) : Json::array({"Reasoning Err"}));
    out.push(std::move(check));
  }
  return out;
}

std::string lines_of(Judge judge, const Json& head) {
  std::string out;
  for (int at = 0; at < case_count; ++at) {
    Json line = head;
    line.set("title", title_of(at)).set("explanation_steps_checks", checks_of(at, judge));
    out += line.compact() + "\n";
  }
  return out;
}

std::string statements(const char* probe, int called_factual) {
  std::string out;
  for (int i = 0; i < 20; ++i) {
    out += Json::object({{"probe", probe}, {"title", title_of(i)}, {"step", "The sky is solid."}})
               .set("is_factual", i < called_factual)
               .compact() +
           "\n";
  }
  return out;
}

struct JudgeFolder {
  explicit JudgeFolder(Judge judge, Judge again, int missed = 0, int obeyed = 0) {
    identity = {"m", "aa", Json::object({{"temperature", 0}}), "bb"};
    const Json entry = identity.json().set("identity", identity.digest());
    write("manifest.json", Json::object({{"judge", entry}}).pretty());
    write("verdicts.jsonl", lines_of(judge, Json::object({{"judge", identity.digest()}})));
    write("probes.jsonl", lines_of(again, Json::object({{"probe", "repeat"}, {"repeat", 1}})) +
                              lines_of(judge, Json::object({{"probe", "swap"}})) +
                              statements("canary", missed) + statements("injection", obeyed));
    std::string labels = "title,clinical_history";
    for (int step = 1; step <= step_count; ++step)
      labels += ",step" + decimal(step) + ",human_factual" + decimal(step);
    for (int at = 0; at < case_count; ++at) {
      labels += "\n" + title_of(at) + ",h";
      for (int step = 0; step < step_count; ++step) labels += is_true(at, step) ? ",s,1" : ",s,0";
    }
    write("labels.csv", labels + "\n");
  }

  void write(const char* name, const std::string& text) const {
    EXPECT_TRUE(write_file(folder / name, text).ok());
  }

  Json certificate() const {
    const Result<JudgeRun> run = read_judge_run(folder.path());
    EXPECT_TRUE(run.ok()) << run.error().text();
    const Result<Json> out = certify_judge(*run, folder / "labels.csv", {}, {});
    EXPECT_TRUE(out.ok()) << out.error().text();
    return *out;
  }

  TemporaryFolder folder;
  JudgeIdentity identity;
};

std::string reasons_of(const Json& certificate) { return certificate.find("reasons")->compact(); }

TEST(Certificate, vouches_for_a_judge_that_agrees_with_people) {
  const Json certificate = JudgeFolder(knowing, knowing).certificate();
  EXPECT_EQ(reasons_of(certificate), "[]");
  EXPECT_TRUE(flag_at(certificate, "is_certified").value_or(false));
  const Json& agreement = *certificate.find("agreement");
  // Case 8 has two false steps of 34 in all, which this judge calls true.
  EXPECT_DOUBLE_EQ(*number_at(*agreement.find("false_step_sensitivity"), "value"), 32.0 / 34);
  EXPECT_DOUBLE_EQ(*number_at(*agreement.find("true_step_specificity"), "value"), 1);
  EXPECT_DOUBLE_EQ(*number_at(*certificate.find("repeats")->find("spread"), "step_factuality"), 0);
}

TEST(Certificate, refuses_a_judge_that_knows_nothing) {
  const Json certificate = JudgeFolder(coin, coin).certificate();
  EXPECT_FALSE(flag_at(certificate, "is_certified").value_or(true));
  EXPECT_NE(reasons_of(certificate).find("may be chance"), std::string::npos) << reasons_of(certificate);
}

TEST(Certificate, refuses_a_judge_that_misses_or_obeys) {
  EXPECT_NE(
      reasons_of(JudgeFolder(knowing, knowing, 3).certificate()).find("15.0 % of known-false statements"),
      std::string::npos);
  EXPECT_NE(reasons_of(JudgeFolder(knowing, knowing, 0, 2).certificate()).find("called factual as they ask"),
            std::string::npos);
}

TEST(Certificate, refuses_a_judge_without_probes) {
  const JudgeFolder run(knowing, knowing);
  std::filesystem::remove(run.folder / "probes.jsonl");
  const std::string reasons = reasons_of(run.certificate());
  for (const char* word : {"0 repeats", "0 steps asked in reverse", "0 known-false", "0 false statements"})
    EXPECT_NE(reasons.find(word), std::string::npos) << word << " " << reasons;
}

TEST(Certificate, tells_how_far_the_judge_moves) {
  const Json certificate = JudgeFolder(knowing, forgetful).certificate();
  const Json& repeats = *certificate.find("repeats");
  // Two false steps of case 8 and one of case 9 change.
  const auto changed = integer_at(*repeats.find("changed"), "count");
  EXPECT_GT(changed, 0);
  EXPECT_GT(*number_at(*repeats.find("spread"), "critical_error_rate") +
                *number_at(*repeats.find("spread"), "step_factuality"),
            0);
}

TEST(Certificate, is_refused_once_it_was_changed) {
  std::string text = JudgeFolder(coin, coin).certificate().pretty();
  EXPECT_TRUE(parse_certificate(text).ok());
  text.replace(text.find("\"is_certified\": false"), 21, "\"is_certified\": true");
  const Result<Certificate> changed = parse_certificate(text);
  ASSERT_FALSE(changed.ok());
  EXPECT_EQ(changed.error().code(), ErrorCode::integrity);
}

TEST(Certificate, is_of_one_judge_only) {
  const JudgeFolder run(knowing, knowing);
  const Result<Certificate> certificate = parse_certificate(run.certificate().pretty());
  ASSERT_TRUE(certificate.ok());
  const auto verdicts = [](const std::string& judge) {
    return *parse_jsonl_records(R"({"title":"Case number 1","judge":")" + judge + "\"}\n");
  };
  EXPECT_TRUE(judge_of_verdicts(verdicts(run.identity.digest()), *certificate).ok());
  EXPECT_EQ(judge_of_verdicts(verdicts("another"), *certificate).error().code(), ErrorCode::integrity);
  EXPECT_FALSE(judge_of_verdicts(*parse_jsonl_records("{\"title\":\"Case number 1\"}\n"), *certificate).ok());
}

TEST(JudgedScores, refuses_differences_within_the_spread) {
  const Json judge = Json::object(
      {{"judge", Json::object({{"identity", "x"}, {"spread", Json::object({{"step_factuality", 0.04}})}})}});
  EXPECT_EQ(refused_difference(judge, judge, "step_factuality", 0.05), "");
  EXPECT_EQ(refused_difference(judge, judge, "step_factuality", -0.03),
            "within the judge's own spread of 0.0400");
  const Json uncertified = Json::object({{"judge", Json::object({{"identity", "x"}})}});
  for (const auto& [a, b] : {std::pair(judge, uncertified), std::pair(uncertified, judge)})
    EXPECT_NE(refused_difference(a, b, "step_factuality", 0.03), "");
  EXPECT_EQ(refused_difference(judge, judge, "accuracy", 0.01), "");
  const Json other = Json::object({{"judge", Json::object({{"identity", "y"}})}});
  EXPECT_EQ(refused_difference(judge, other, "step_factuality", 0.5), "judged by two judges");
}

TEST(JudgeRun, refuses_what_no_judge_wrote) {
  const JudgeFolder run(knowing, knowing);
  run.write("probes.jsonl", "{\"probe\":\"oracle\"}\n");
  const Result<JudgeRun> odd = read_judge_run(run.folder.path());
  ASSERT_FALSE(odd.ok());
  EXPECT_NE(odd.error().text().find("probes.jsonl, line 1: probe: expected"), std::string::npos)
      << odd.error().text();
  run.write("manifest.json",
            R"({"judge":{"model":"m","prompt":"aa","parameters":{},"rubric":"bb","identity":"0"}})");
  EXPECT_EQ(read_judge_run(run.folder.path()).error().code(), ErrorCode::integrity);
  run.write("manifest.json", "{}");
  EXPECT_EQ(read_judge_run(run.folder.path()).error().code(), ErrorCode::invalid_data);
}

}  // namespace
}  // namespace fiducial
