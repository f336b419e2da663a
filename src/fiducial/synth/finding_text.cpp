#include "fiducial/synth/finding_text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "fiducial/base/error.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

std::string count_text(std::size_t count) {
  constexpr std::array<std::string_view, 7> words{"no", "one", "two", "three", "four", "five", "six"};
  return count < words.size() ? std::string(words[count]) : decimal(count);
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string mm(int value) { return decimal(value) + " mm"; }

// Every lobe once: "the right lower lobe and the left lower lobe".
std::string lobes_text(const FindingFacts& facts) {
  std::vector<std::string> names;
  for (const EntityFacts& entity : facts.entities) {
    std::string name = "the " + lobe_text(entity.lobe);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " and " : ", ";
    out += names[i];
  }
  return out;
}

FindingText nodule_text(const FindingFacts& facts) {
  const EntityFacts& largest = facts.largest();
  const std::string place = lobe_text(largest.lobe);
  const std::string size = mm(largest.diameter_mm);
  if (facts.entities.size() == 1) {
    return {.phrase = "Solid nodule measuring " + size + " in the " + place + ".",
            .sentence = "A solid nodule measuring " + size + " in diameter is observed in the " + place + ".",
            .impression = "Solid nodule in the " + place + "."};
  }
  const std::string some = capitalised(count_text(facts.entities.size())) + " solid nodules";
  return {.phrase = some + " in " + lungs_text(facts) + ", the largest measuring " + size + " in the " +
                    place + ".",
          .sentence = some + " are observed in " + lungs_text(facts) + ", the largest of which measures " +
                      size + " in diameter in the " + place + ".",
          .impression = "Nodules in " + lungs_text(facts) + "."};
}

FindingText consolidation_text(const FindingFacts& facts) {
  const std::string size = mm(facts.largest().diameter_mm);
  return {.phrase = "Consolidation with air bronchograms in " + lobes_text(facts) + ", measuring up to " +
                    size + ".",
          .sentence = "There is consolidation with air bronchograms in " + lobes_text(facts) +
                      ", measuring up to " + size + " in the axial plane.",
          .impression = "Consolidation in " + lobes_text(facts) + "."};
}

FindingText ground_glass_text(const FindingFacts& facts) {
  const std::string extent = ", most extensive in the " + lobe_text(facts.main_lobe);
  return {.phrase = "Patchy ground-glass opacities in " + lungs_text(facts) + extent + ".",
          .sentence = "Patchy ground-glass opacities are observed in " + lungs_text(facts) + extent + ".",
          .impression = "Ground-glass opacities in " + lungs_text(facts) + "."};
}

FindingText effusion_text(const FindingFacts& facts) {
  std::array<int, 2> thickness{};
  for (const EntityFacts& entity : facts.entities) {
    int& side = thickness[entity.left() ? 1 : 0];
    side = std::max(side, entity.thickness_mm);
  }
  if (facts.left() && facts.right()) {
    const std::string sizes = mm(thickness[0]) + " on the right and " + mm(thickness[1]) + " on the left";
    return {.phrase = "Bilateral pleural effusion, measuring up to " + sizes + ".",
            .sentence = "Bilateral pleural effusion is observed, with a thickness of up to " + sizes + ".",
            .impression = "Bilateral pleural effusion."};
  }
  const std::string side = facts.left() ? "left" : "right";
  const std::string size = mm(std::max(thickness[0], thickness[1]));
  return {.phrase = capitalised(side) + " pleural effusion measuring up to " + size + " in thickness.",
          .sentence =
              "Pleural effusion measuring up to " + size + " in thickness is observed on the " + side + ".",
          .impression = capitalised(side) + " pleural effusion."};
}

FindingText emphysema_text(const FindingFacts& facts) {
  return {.phrase = "Centrilobular emphysema in " + lobes_text(facts) + ".",
          .sentence = "Centrilobular emphysematous changes are observed in " + lobes_text(facts) + ".",
          .impression = "Emphysema in " + lungs_text(facts) + "."};
}

FindingText bronchial_text(const FindingFacts& facts) {
  return {.phrase = "Bronchial wall thickening in " + lobes_text(facts) + ".",
          .sentence = "Thickening of the bronchial walls is observed in " + lobes_text(facts) + ".",
          .impression = "Bronchial wall thickening in " + lungs_text(facts) + "."};
}

FindingText linear_text(const FindingFacts& facts) {
  return {.phrase = "Linear atelectasis in " + lobes_text(facts) + ".",
          .sentence = "Linear atelectatic changes are observed in " + lobes_text(facts) + ".",
          .impression = "Linear atelectasis in " + lungs_text(facts) + "."};
}

}  // namespace

std::string lobe_text(std::uint8_t lobe) {
  switch (lobe) {
    case 10:
      return "left upper lobe";
    case 11:
      return "left lower lobe";
    case 12:
      return "right upper lobe";
    case 13:
      return "right middle lobe";
    case 14:
      return "right lower lobe";
    default:
      return "lung";
  }
}

std::string lungs_text(const FindingFacts& facts) {
  if (facts.left() && facts.right()) return "both lungs";
  return facts.left() ? "the left lung" : "the right lung";
}

FindingText finding_text(const FindingFacts& facts) {
  switch (facts.kind) {
    case FindingKind::bronchial_wall_thickening:
      return bronchial_text(facts);
    case FindingKind::emphysema:
      return emphysema_text(facts);
    case FindingKind::linear_atelectasis:
      return linear_text(facts);
    case FindingKind::consolidation:
      return consolidation_text(facts);
    case FindingKind::ground_glass:
      return ground_glass_text(facts);
    case FindingKind::nodules:
      return nodule_text(facts);
    case FindingKind::pleural_effusion:
      return effusion_text(facts);
  }
  FIDUCIAL_ASSERT(false);
  return {};
}

}  // namespace fiducial
