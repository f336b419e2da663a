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

void add_sentence(std::string& text, const std::string& sentence) {
  if (!sentence.empty()) append_joined(text, sentence, " ");
}

std::string mediastinal_part(Contrast contrast, Random& random) {
  std::string text;
  add_sentence(text, chosen(random, {"The trachea and both main bronchi are patent.",
                                     "Trachea and both main bronchi are in the midline and open."}));
  const std::string unenhanced =
      chosen(random, {"Mediastinal structures were evaluated as suboptimal since no contrast was given.",
                      "The examination is without contrast, which limits assessment of the vessels."});
  add_sentence(text,
               contrast == Contrast::none ? unenhanced : "Mediastinal vessels are opacified and patent.");
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

std::string outside_lungs_part(const ReportContext& context, Random& random) {
  std::string text;
  add_sentence(text,
               chosen(random, {"The upper abdominal organs within the sections are normal.",
                               "No space-occupying lesion is seen in the upper abdominal organs that entered "
                               "the sections."}));
  if (context.scoliosis_mm != 0 && random.below(2) == 0) {  // many readers pass over a slight bend
    const std::string side = context.scoliosis_mm > 0 ? "left" : "right";
    add_sentence(text, "The thoracic spine shows scoliosis with its convexity to the " + side + ".");
  }
  add_sentence(text, chosen(random, {"No lytic or destructive lesion was detected in the bones.",
                                     "Vertebral corpus heights are preserved."}));
  return text;
}

// What a reader thinks of a finding without being sure.
std::string hedge(FindingKind kind, Random& random) {
  switch (kind) {
    case FindingKind::ground_glass:
      return chosen(random,
                    {"The appearance is nonspecific.", "An infectious process may be considered first.",
                     "Clinical and laboratory correlation is recommended."});
    case FindingKind::consolidation:
      return chosen(random, {"It was primarily evaluated in favour of an infectious process.",
                             "Control after treatment is recommended."});
    case FindingKind::nodules:
      return chosen(random,
                    {"Follow-up is recommended.", "Its character cannot be told by this examination."});
    default:
      return "";
  }
}

std::string comparison(Random& random) {
  return chosen(random, {"No significant change was detected compared to the previous examination.",
                         "A slight increase was observed compared to the previous examination.",
                         "It is similar to the previous examination."});
}

// Lesser findings are said in the findings only, unless nothing else would be left.
bool in_impression(const FindingFacts& facts, bool is_only_one, Random& random) {
  const bool lesser = facts.kind == FindingKind::linear_atelectasis ||
                      facts.kind == FindingKind::bronchial_wall_thickening ||
                      (facts.kind == FindingKind::nodules && facts.largest().diameter_mm < 7);
  return is_only_one || !lesser || random.below(2) == 0;
}

void add_finding(ReportParts& report, const FindingFacts& facts, const ReportContext& context,
                 Random& random) {
  add_sentence(report.findings, finding_text(facts).sentence);
  if (context.follow_up) {
    add_sentence(report.findings, comparison(random));
  } else if (random.below(3) != 0) {
    add_sentence(report.findings, hedge(facts.kind, random));
  }
}

std::string technique_text(const ReportContext& context) {
  const std::string sections =
      "Axial sections of " + shortest(context.slice_mm) + " mm thickness were taken ";
  switch (context.contrast) {
    case Contrast::none:
      return sections + "without contrast.";
    case Contrast::arterial:
      return sections + "in the arterial phase after intravenous contrast.";
    case Contrast::venous:
      return sections + "in the venous phase after intravenous contrast.";
  }
  return sections + "without contrast.";
}

}  // namespace

ReportParts report_text(std::span<const FindingFacts> findings, const ReportContext& context,
                        Random& random) {
  ReportParts report;
  report.clinical_information = chosen(
      random, {"Not given.", "Cough and shortness of breath.", "Fever, cough.", "Chest pain.", "Follow-up."});
  report.technique = technique_text(context);
  report.findings = mediastinal_part(context.contrast, random);
  add_sentence(report.findings, "In the lung window;");
  if (context.resected != Organ::none) {
    const std::string lobe = lobe_text(static_cast<std::uint8_t>(context.resected));
    add_sentence(report.findings,
                 "The " + lobe + " was resected, and there are surgical clips at the hilum.");
  }
  for (const FindingFacts& facts : findings) {
    add_finding(report, facts, context, random);
    if (in_impression(facts, findings.size() == 1, random)) {
      add_sentence(report.impressions, finding_text(facts).impression);
    }
  }
  if (report.impressions.empty() && !findings.empty()) {
    report.impressions = finding_text(findings.front()).impression;
  }
  add_denials(report.findings, findings);
  add_sentence(report.findings, outside_lungs_part(context, random));
  return report;
}

}  // namespace fiducial
