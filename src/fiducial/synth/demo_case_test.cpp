#include "fiducial/synth/demo_case.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include <gtest/gtest.h>

#include "fiducial/base/sha256.h"
#include "fiducial/synth/finding_text.h"

namespace fiducial {
namespace {

const Extent small{64, 54, 36};

std::string voxel_hash(const DemoCase& demo) {
  Sha256 hash;
  hash.update(std::as_bytes(std::span(demo.chest.hu)));
  hash.update(std::as_bytes(std::span(demo.chest.organs)));
  for (const PaintedFinding& finding : demo.findings) hash.update(std::as_bytes(std::span(finding.entities)));
  hash.update(as_bytes(demo.report.findings));
  return hash.digest().hex();
}

TEST(DemoPlan, names_every_study_once_and_keeps_patients_in_one_split) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    std::set<std::string> names;
    std::map<int, std::string> split_of;
    int second_scans = 0;
    for (const DemoCasePlan& plan : plan_cases(seed, {})) {
      EXPECT_TRUE(names.insert(plan.study_name()).second);
      EXPECT_EQ(split_of.try_emplace(plan.patient, plan.split).first->second, plan.split);
      second_scans += plan.scan == 'b' ? 1 : 0;
    }
    EXPECT_EQ(names.size(), 12U);
    EXPECT_EQ(second_scans, 2);
  }
}

TEST(DemoPlan, shows_every_category_in_six_test_cases) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::set<std::string_view> categories;
    for (const DemoCasePlan& plan : plan_cases(seed, {.train = 0, .val = 0, .test = 6})) {
      EXPECT_GE(plan.findings.size(), 1U);
      EXPECT_LE(plan.findings.size(), 5U);
      for (const FindingPlan& finding : plan.findings) categories.insert(category_code(finding.kind));
    }
    EXPECT_EQ(categories.size(), 7U);
  }
}

TEST(DemoPlan, gives_file_names_of_the_benchmark) {
  const DemoCasePlan plan{.patient = 12, .scan = 'b', .reconstruction = 2};
  EXPECT_EQ(plan.patient_name(), "train_12");
  EXPECT_EQ(plan.file_name(), "train_12_b_2.nii.gz");
}

TEST(DemoCase, says_left_only_where_the_voxels_are_on_the_patients_left) {
  for (const DemoCasePlan& plan : plan_cases(4, {.train = 0, .val = 0, .test = 7})) {
    const DemoCase demo = make_case(4, plan, small);
    const Affine affine = demo.chest.frame.affine();
    for (std::size_t i = 0; i < demo.findings.size(); ++i) {
      std::set<bool> sides;
      for (std::size_t v = 0; v < demo.findings[i].entities.size(); ++v) {
        const auto x = static_cast<double>(v % static_cast<std::size_t>(small.x));
        if (demo.findings[i].entities[v] != 0) sides.insert(affine.apply({x, 0, 0})[0] < 0);
      }
      const std::string phrase = finding_text(demo.facts[i]).phrase;
      const bool both =
          phrase.find("both") != std::string::npos || phrase.find("ilateral") != std::string::npos;
      const bool left = phrase.find("left") != std::string::npos || phrase.starts_with("Left");
      const bool right = phrase.find("right") != std::string::npos || phrase.starts_with("Right");
      EXPECT_EQ(sides.contains(true), left || both) << phrase;
      EXPECT_EQ(sides.contains(false), right || both) << phrase;
    }
  }
}

TEST(DemoCase, gives_two_scans_of_a_patient_the_same_anatomy) {
  const auto plans = plan_cases(2, {.train = 2, .val = 0, .test = 0});
  const DemoCase first = make_case(2, plans[0], small);
  const DemoCase second = make_case(2, plans[1], small);
  EXPECT_EQ(first.chest.organs, second.chest.organs);
  EXPECT_NE(first.chest.hu, second.chest.hu);
}

TEST(DemoCase, depends_on_the_seed) {
  const auto plan = plan_cases(1, {}).front();
  EXPECT_EQ(voxel_hash(make_case(1, plan, small)), voxel_hash(make_case(1, plan, small)));
  EXPECT_NE(voxel_hash(make_case(1, plan, small)), voxel_hash(make_case(2, plan, small)));
}

TEST(DemoCase, varies_anatomy_and_contrast_from_patient_to_patient) {
  int bent = 0, shallow = 0, resected = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const ChestAnatomy chest = make_chest_anatomy(random);
    bent += chest.scoliosis_mm != 0 ? 1 : 0;
    shallow += chest.shallow_breath ? 1 : 0;
    resected += chest.resected != Organ::none ? 1 : 0;
  }
  for (const int count : {bent, shallow, resected}) {
    EXPECT_GT(count, 3);
    EXPECT_LT(count, 35);
  }
}

TEST(DemoCase, paints_no_voxel_of_a_lobe_that_was_resected) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const DemoCasePlan plan{.patient = 7, .findings = {{FindingKind::emphysema, Side::both, 2}}};
    Random patient(seed, "anatomy of " + plan.patient_name());
    const Organ resected = make_chest_anatomy(patient).resected;
    if (resected == Organ::none) continue;
    const DemoCase demo = make_case(seed, plan, small);
    EXPECT_EQ(
        std::count(demo.chest.organs.begin(), demo.chest.organs.end(), static_cast<std::uint8_t>(resected)),
        0);
    EXPECT_NE(demo.report.findings.find("was resected"), std::string::npos);
    EXPECT_EQ(demo.findings.size(), 1U) << "emphysema lies in the lobe that is left";
    return;
  }
  FAIL() << "none of 40 patients lacks a lobe";
}

// Whoever changes a phantom on purpose changes this hash; a machine that disagrees breaks the promise of
// equal voxels everywhere.
TEST(DemoCase, is_the_same_on_every_machine) {
  const DemoCasePlan plan{.findings = {{FindingKind::pleural_effusion, Side::both, 2},
                                       {FindingKind::consolidation, Side::right, 1},
                                       {FindingKind::ground_glass, Side::both, 2},
                                       {FindingKind::nodules, Side::both, 3},
                                       {FindingKind::emphysema, Side::left, 1},
                                       {FindingKind::linear_atelectasis, Side::left, 1},
                                       {FindingKind::bronchial_wall_thickening, Side::left, 1}}};
  EXPECT_EQ(voxel_hash(make_case(1, plan, small)),
            "a64f8e02dc9c74dbad5a21bc264cb5e8b1faa37fd6aa1705b5947a39a2cafec9");
}

}  // namespace
}  // namespace fiducial
