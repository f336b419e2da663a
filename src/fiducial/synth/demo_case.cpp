#include "fiducial/synth/demo_case.h"

#include <array>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/synth/chest_painter.h"
#include "fiducial/synth/lookalikes.h"
#include "fiducial/synth/lung_tree.h"

namespace fiducial {

namespace {

// The size of the scanned box; the spacing follows from the number of voxels. Slices as wide as deep have
// square pixels.
constexpr Vec3 field_of_view_mm{345.6, 288.0, 260.0};

using Kind = FindingKind;

// Every category stands in two menus, so that six cases in a row show all of them. Fluid is painted first:
// what lies in it would not be seen.
std::vector<FindingPlan> menu(std::uint64_t number, Random& random) {
  const Side one = random.below(2) == 0 ? Side::right : Side::left;
  const Side other = one == Side::right ? Side::left : Side::right;
  switch (number % 7) {
    case 0:
      return {{Kind::nodules, Side::both, 3}, {Kind::linear_atelectasis, one, 1}};
    case 1:
      return {
          {Kind::pleural_effusion, one, 1}, {Kind::consolidation, one, 1}, {Kind::ground_glass, other, 1}};
    case 2:
      return {{Kind::emphysema, Side::both, 2}, {Kind::nodules, one, 1}};
    case 3:
      return {{Kind::bronchial_wall_thickening, Side::both, 2}, {Kind::ground_glass, Side::both, 2}};
    case 4:
      return {
          {Kind::pleural_effusion, Side::both, 2}, {Kind::consolidation, other, 1}, {Kind::nodules, one, 2}};
    case 5:
      return {{Kind::nodules, one, 1}};
    default:
      return {{Kind::nodules, Side::both, 4},
              {Kind::ground_glass, one, 2},
              {Kind::linear_atelectasis, other, 2},
              {Kind::emphysema, one, 1},
              {Kind::bronchial_wall_thickening, other, 1}};
  }
}

ChestFrame make_frame(const Extent& extent, const ChestAnatomy& anatomy) {
  ChestFrame frame{.extent = extent, .body_scale = anatomy.body_scale, .scoliosis_mm = anatomy.scoliosis_mm};
  Vec3 field_mm = field_of_view_mm;
  if (extent.x == extent.y) field_mm[1] = field_mm[0];
  for (std::size_t i = 0; i < 3; ++i) {
    const double exact = field_mm[i] / static_cast<double>(extent[static_cast<int>(i)]);
    // Spacings as scanners give them, exact in NIfTI's 32-bit numbers.
    frame.spacing_mm[i] = std::floor(exact * 64 + 0.5) / 64;
  }
  return frame;
}

// Half of the scans are without contrast.
Contrast injected(Random& random) {
  constexpr std::array<Contrast, 4> choices{Contrast::none, Contrast::none, Contrast::venous,
                                            Contrast::arterial};
  return choices[random.below(choices.size())];
}

void add_split(std::vector<DemoCasePlan>& plans, const std::string& split, int count, Random& random) {
  const auto first_menu = random.below(7);
  int patient = plans.empty() ? 0 : plans.back().patient;
  for (int i = 0; i < count; ++i) {
    const bool follow_up = i == 1 && split != "val";
    if (!follow_up) patient += static_cast<int>(random.between(1, 90));
    DemoCasePlan plan{.patient = patient,
                      .scan = follow_up ? 'b' : 'a',
                      .reconstruction = static_cast<int>(random.between(1, 2)),
                      .split = split,
                      .protocol = random.below(2) == 0 ? "protocol1" : "protocol2"};
    plan.findings = menu(first_menu + static_cast<std::uint64_t>(i), random);
    plans.push_back(std::move(plan));
  }
}

}  // namespace

std::string DemoCasePlan::patient_name() const { return "train_" + decimal(patient); }

std::string DemoCasePlan::study_name() const { return patient_name() + "_" + std::string(1, scan); }

std::string DemoCasePlan::file_name() const {
  return study_name() + "_" + decimal(reconstruction) + ".nii.gz";
}

std::optional<Extent> demo_extent(std::string_view size) {
  if (size == "small") return DemoSize().extent;
  if (size == "full") return Extent{512, 512, 260};
  return std::nullopt;
}

std::vector<DemoCasePlan> plan_cases(std::uint64_t seed, const DemoSize& size) {
  std::vector<DemoCasePlan> plans;
  Random random(seed, "plan");
  add_split(plans, "train", size.train, random);
  add_split(plans, "val", size.val, random);
  add_split(plans, "test", size.test, random);
  return plans;
}

DemoCase make_case(std::uint64_t seed, const DemoCasePlan& plan, const Extent& extent) {
  Random patient(seed, "anatomy of " + plan.patient_name());
  Random scan(seed, "scan " + plan.study_name());
  Random words(seed, "report of " + plan.study_name());
  ChestAnatomy anatomy = make_chest_anatomy(patient);
  anatomy.contrast = injected(scan);
  DemoCase out{.chest = paint_chest(anatomy, make_frame(extent, anatomy), patient),
               .contrast = anatomy.contrast};
  const LungTrees trees = paint_lung_trees(out.chest, patient);
  paint_lookalikes(out.chest, anatomy, scan);
  FindingsPainter painter(out.chest, anatomy, trees, scan);
  for (const FindingPlan& finding : plan.findings) {
    PaintedFinding painted = painter.paint(finding);
    FindingFacts facts = measured(painted, out.chest);
    if (facts.entities.empty()) continue;
    out.findings.push_back(std::move(painted));
    out.facts.push_back(std::move(facts));
  }
  const ScannerEffects effects{.noise_hu = scan.uniform(28, 52),
                               .breathing = scan.below(3) == 0 ? scan.uniform(0.2, 0.5) : 0.0};
  add_scanner_effects(out.chest, effects, scan);
  const ReportContext context{.slice_mm = out.chest.frame.spacing_mm[2],
                              .contrast = anatomy.contrast,
                              .resected = anatomy.resected,
                              .scoliosis_mm = anatomy.scoliosis_mm,
                              .follow_up = plan.scan != 'a'};
  out.report = report_text(out.facts, context, words);
  return out;
}

}  // namespace fiducial
