// Names that files use, as words: dice_per_case is "Dice per case".
const known: Record<string, string> = {
  accuracy: "Accuracy",
  accuracy_strict: "Accuracy, strict reading",
  dice_per_case: "Dice, mean over cases",
  dice_per_finding: "Dice, mean over findings",
  dice_per_category: "Dice, mean over categories",
  dice_filtered_per_finding: "Dice of kept components",
  iou_per_finding: "Intersection over union",
  hit_rate: "Hit rate (Dice ≥ 0.1)",
  hit5_rate: "Hit rate (Dice ≥ 0.05)",
  instance_precision: "Entity precision",
  instance_recall: "Entity recall",
  instance_f1: "Entity F1",
  matched_dice: "Dice of matched entities",
  nsd_per_finding: "Surface Dice",
  hd95_per_finding: "95 % Hausdorff distance",
  assd_per_finding: "Mean surface distance",
  finding_masks: "Findings segmented in 3D",
  diagnosis: "Diagnosis from several images",
  region_tables: "Region reports and questions",
  grounded_reports: "Grounded reports",
  organ_masks: "Organ masks",
  controls: "Control prompts",
  rexgroundingct: "ReXGroundingCT",
  medthinkvqa: "MedThinkVQA",
  radgenome: "RadGenome-Chest CT",
  icd_chapters: "ICD chapters",
  icd_chapter: "ICD chapter",
  icd_block: "ICD block",
  icd_category: "ICD category",
  size_voxels: "Size in voxels",
  non_focal: "non-focal",
};

const spelt: Record<string, string> = {
  dice: "Dice", f1: "F1", iou: "IoU", hd95: "HD95", assd: "ASSD", nsd: "NSD", rouge: "ROUGE", bleu: "BLEU", cider: "CIDEr",
  meteor: "METEOR", icd: "ICD", rmse: "RMSE", lsum: "Lsum", ct: "CT", vqa: "VQA",
};

export function words_of(name: string | null | undefined): string {
  if (!name) return "";
  const whole = known[name];
  if (whole) return whole;
  const words = name.split("_").map((word) => spelt[word] ?? word);
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
