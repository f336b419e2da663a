#include "fiducial/synth/report_text.h"

#include <algorithm>
#include <string_view>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/synth/finding_text.h"

namespace fiducial {

namespace {

bool has(std::span<const FindingFacts> findings, FindingKind kind) {
  return std::any_of(findings.begin(), findings.end(),
                     [kind](const FindingFacts& facts) { return facts.kind == kind; });
}

std::string chosen(Random& random, const std::vector<std::string_view>& variants) {
  return std::string(variants[random.below(variants.size())]);
}

void add_sentence(std::string& text, const std::string& sentence) { append_joined(text, sentence, " "); }

std::string mediastinal_part(Random& random) {
  std::string text;
  add_sentence(text, chosen(random, {"The trachea and both main bronchi are patent.",
                                     "Trachea and both main bronchi are in the midline and open."}));
  add_sentence(
      text,
      chosen(random, {"Mediastinal structures were evaluated as suboptimal since no contrast was given.",
                      "The examination is without contrast, which limits assessment of the vessels."}));
  add_sentence(
      text,
      chosen(random, {"Heart size and contours are normal.",
                      "The heart is of normal size, and the calibre of the great vessels is natural."}));
  add_sentence(text, chosen(random, {"No pericardial effusion was detected.",
                                     "Pericardial effusion or thickening is not seen."}));
  add_sentence(
      text, chosen(random, {"No lymph node of pathological size or appearance was found in the mediastinum "
                            "or the hila.",
                            "There are no enlarged mediastinal, hilar or axillary lymph nodes."}));
  add_sentence(text, chosen(random, {"The esophagus shows no wall thickening.",
                                     "Thoracic esophagus calibration is normal."}));
  return text;
}

void add_denials(std::string& text, std::span<const FindingFacts> findings) {
  if (!has(findings, FindingKind::nodules))
    add_sentence(text, "No nodule or mass was detected in either lung.");
  if (!has(findings, FindingKind::consolidation) && !has(findings, FindingKind::ground_glass)) {
    add_sentence(text, "No active infiltration is seen in the lung parenchyma.");
  }
  if (!has(findings, FindingKind::pleural_effusion)) {
    add_sentence(text, "Pleural effusion or thickening was not detected.");
  }
  add_sentence(text, "There is no pneumothorax.");
}

std::string outside_lungs_part(Random& random) {
  std::string text;
  add_sentence(text,
               chosen(random, {"The upper abdominal organs within the sections are normal.",
                               "No space-occupying lesion is seen in the upper abdominal organs that entered "
                               "the sections."}));
  add_sentence(text, chosen(random, {"No lytic or destructive lesion was detected in the bones.",
                                     "Bone structures are natural and vertebral heights are preserved."}));
  return text;
}

}  // namespace

ReportParts report_text(std::span<const FindingFacts> findings, double slice_mm, Random& random) {
  ReportParts report;
  report.clinical_information = chosen(
      random, {"Not given.", "Cough and shortness of breath.", "Fever, cough.", "Chest pain.", "Follow-up."});
  report.technique = "Axial sections of " + shortest(slice_mm) + " mm thickness were taken without contrast.";
  report.findings = mediastinal_part(random);
  add_sentence(report.findings, "In the lung window;");
  for (const FindingFacts& facts : findings) {
    const FindingText text = finding_text(facts);
    add_sentence(report.findings, text.sentence);
    add_sentence(report.impressions, text.impression);
  }
  add_denials(report.findings, findings);
  add_sentence(report.findings, outside_lungs_part(random));
  return report;
}

}  // namespace fiducial
