#include "fiducial/jobs/job_plan.h"

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/temporary_folder.h"
#include "fiducial/jobs/forecast.h"
#include "fiducial/jobs/slurm_script.h"

namespace fiducial {
namespace {

JobPlan plan_of(const std::vector<std::uint64_t>& bytes, std::int64_t units) {
  JobPlan out{.verb = "score",
              .version = "1",
              .build = "b",
              .request = Json::object({}),
              .inputs = Json(Json::Array{})};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    out.cases.push_back({"case " + decimal(i), bytes[i], 0, "s"});
  balance(out, units);
  return out;
}

std::vector<std::uint64_t> loads_of(const JobPlan& plan) {
  std::vector<std::uint64_t> out(static_cast<std::size_t>(plan.units));
  for (const JobCase& each : plan.cases) out[static_cast<std::size_t>(each.unit)] += each.bytes;
  return out;
}

TEST(JobPlan, deals_the_longest_first_so_that_units_weigh_alike) {
  std::vector<std::uint64_t> bytes;
  for (std::uint64_t i = 0; i < 1000; ++i) bytes.push_back((i * 7919) % 100'000'000 + 1'000'000);
  const std::vector<std::uint64_t> loads = loads_of(plan_of(bytes, 16));
  const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
  EXPECT_LT(static_cast<double>(*most), 1.01 * static_cast<double>(*least));
}

TEST(JobPlan, leaves_no_unit_empty) {
  const JobPlan plan = plan_of({5, 0, 0}, 128);
  EXPECT_EQ(plan.units, 3);
  std::set<std::int64_t> used;
  for (const JobCase& each : plan.cases) used.insert(each.unit);
  EXPECT_EQ(used.size(), 3U);
}

TEST(JobPlan, does_not_depend_on_the_order_in_which_equal_cases_are_dealt) {
  EXPECT_EQ(job_plan_text(plan_of({3, 3, 3, 3}, 2)), job_plan_text(plan_of({3, 3, 3, 3}, 2)));
}

TEST(JobPlan, is_read_as_it_was_written) {
  const JobPlan plan = plan_of({7, 5, 3}, 2);
  const Result<JobPlan> read = parse_job_plan(job_plan_text(plan));
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->cases, plan.cases);
  EXPECT_EQ(read->units, 2);
  EXPECT_EQ(read->verb, "score");
}

TEST(JobPlan, refuses_a_text_that_was_changed) {
  std::string text = job_plan_text(plan_of({7, 5, 3}, 2));
  text.replace(text.find("case 1"), 6, "case 9");
  const Result<JobPlan> read = parse_job_plan(text);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::integrity);
}

TEST(JobForecast, says_where_more_cores_wait_for_the_store) {
  std::vector<std::uint64_t> bytes(1000, 60'000'000);
  const JobForecast told = forecast(plan_of(bytes, 500), {}, {.mb_per_core_s = 60, .store_mb_s = 1000});
  EXPECT_DOUBLE_EQ(told.core_s, 1000);
  EXPECT_DOUBLE_EQ(told.store_s, 60);
  EXPECT_EQ(told.most_cores, 17);
}

TEST(JobForecast, says_when_the_largest_unit_is_what_all_wait_for) {
  const JobForecast told = forecast(plan_of({900'000'000, 50'000'000, 50'000'000}, 3), {}, {});
  EXPECT_EQ(told.most_cores, 2);
}

TEST(SlurmScript, writes_ranges_as_sbatch_takes_them) {
  EXPECT_EQ(number_ranges({0, 1, 2, 3, 7, 9, 10}), "0-3,7,9-10");
  EXPECT_EQ(number_ranges({}), "");
}

TEST(JobPlan, of_private_scores_lies_where_its_owner_alone_reads) {
  const TemporaryFolder folder;
  JobPlan open_plan = plan_of({1, 2}, 2);
  JobPlan private_plan = open_plan;
  private_plan.is_private = true;
  ASSERT_TRUE(write_job(folder / "open", open_plan).ok());
  ASSERT_TRUE(write_job(folder / "private", private_plan).ok());
  const auto others = std::filesystem::perms::group_all | std::filesystem::perms::others_all;
  EXPECT_EQ(std::filesystem::status(folder / "private").permissions() & others, std::filesystem::perms::none);
  EXPECT_TRUE(read_job_plan(folder / "private").value().is_private);
  EXPECT_FALSE(read_job_plan(folder / "open").value().is_private);
  EXPECT_EQ(write_job("s3://bucket/job", private_plan).error().code(), ErrorCode::bad_usage);
}

}  // namespace
}  // namespace fiducial
