#include "fiducial/eval/outputs/told_groups.h"

#include <numeric>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Members = std::vector<std::uint32_t>;

// Units of one patient each.
PooledUnits patients(std::uint32_t count) {
  PooledUnits out;
  for (std::uint32_t i = 0; i < count; ++i) {
    out.cases.push_back(i);
    out.patients.push_back(i);
  }
  out.patient_count = count;
  return out;
}

Members range(std::uint32_t begin, std::uint32_t end) {
  Members out(end - begin);
  std::iota(out.begin(), out.end(), begin);
  return out;
}

std::vector<bool> told(const PooledUnits& units, const std::vector<std::pair<std::size_t, Members>>& groups) {
  std::vector<OfferedGroup> offered;
  for (const auto& [kind, members] : groups) offered.push_back({kind, &members});
  return told_groups(units, offered, 20);
}

TEST(ToldGroups, are_all_told_where_every_one_is_large) {
  EXPECT_EQ(told(patients(60), {{0, range(0, 20)}, {0, range(20, 40)}, {0, range(40, 60)}}),
            (std::vector<bool>{true, true, true}));
}

TEST(ToldGroups, withhold_a_second_group_where_the_small_one_would_follow) {
  EXPECT_EQ(told(patients(60), {{0, range(0, 19)}, {0, range(19, 39)}, {0, range(39, 60)}}),
            (std::vector<bool>{false, false, true}));
}

TEST(ToldGroups, withhold_a_group_that_lies_in_one_of_another_kind_and_nearly_fills_it) {
  EXPECT_EQ(told(patients(100), {{0, range(0, 41)}, {1, range(0, 40)}, {0, range(41, 100)}}),
            (std::vector<bool>{true, false, true}));
}

TEST(ToldGroups, withhold_what_follows_from_three_groups_of_two_kinds) {
  // The first 50 less two groups within them leave five.
  const std::vector<bool> found =
      told(patients(120), {{0, range(0, 50)}, {0, range(50, 120)}, {1, range(0, 22)}, {1, range(22, 45)}});
  EXPECT_TRUE(found[0] && found[1]);
  EXPECT_NE(found[2], found[3]);
}

TEST(ToldGroups, count_patients_and_not_units) {
  PooledUnits units = patients(60);
  for (std::uint32_t i = 0; i < 30; ++i) units.patients[i] = 0;
  EXPECT_EQ(told(units, {{0, range(0, 30)}}), std::vector<bool>{false});
}

}  // namespace
}  // namespace fiducial
