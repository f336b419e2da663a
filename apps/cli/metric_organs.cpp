#include "metric_organs.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/tasks/organ_masks/anatomy_score.h"
#include "fiducial/terminal/text_table.h"

namespace fiducial::cli {

namespace {

struct OrganOptions {
  std::string reference;
  std::string prediction;
  std::string volumes;
  std::vector<double> spacing_mm;
  double tolerance_mm = 1;
  std::string rows;
  bool json = false;
};

std::string mean_text(const AnatomyMean& mean) { return mean.n > 0 ? fixed(mean.mean, 4) : "-"; }

void add_means(TextTable& table, const std::string& name, const AnatomyMeans& means) {
  table.add({name, mean_text(means.dice), mean_text(means.nsd), mean_text(means.penalised_hd95),
             mean_text(means.hd95), decimal(means.hd95.n), decimal(means.references), decimal(means.missing),
             decimal(means.refused), decimal(means.false_alarms)});
}

std::string organ_table(const AnatomyScores& scores, std::size_t width) {
  using Align = TextTable::Align;
  TextTable table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right,
                   Align::right, Align::right, Align::right, Align::right});
  table.add_header(
      {"", "dice", "nsd", "hd95 mm", "of pairs", "n", "references", "missing", "refused", "false alarms"});
  add_means(table, "macro over structures", scores.macro);
  add_means(table, "macro of submitted ones", scores.submitted);
  for (const auto& [region, means] : scores.regions) add_means(table, "region " + region, means);
  for (const auto& [structure, means] : scores.structures) add_means(table, structure, means);
  return decimal(scores.volumes) + " volumes, " + decimal(scores.volumes_without_reference) +
         " without a reference, " + decimal(scores.volumes_without_prediction) + " without a prediction\n" +
         table.text("", width) +
         "hd95 counts what is missing or empty on one side as the diagonal of the volume; \"of pairs\" "
         "leaves it "
         "out and is over the n structures that both sides have\n";
}

Result<int> metric_organs(const OrganOptions& options, Console& console) {
  AnatomyScoreRequest request{.reference = options.reference,
                              .predictions = options.prediction,
                              .tolerance_mm = options.tolerance_mm,
                              .meet_as_unions = true};
  if (!options.volumes.empty()) request.ct_folder = options.volumes;
  if (!options.spacing_mm.empty()) {
    const std::vector<double>& mm = options.spacing_mm;
    if (mm.size() != 3 || *std::min_element(mm.begin(), mm.end()) <= 0) {
      return bad_usage("--spacing takes three lengths above 0: --spacing 1,1,3");
    }
    request.spacing_mm = Vec3{mm[0], mm[1], mm[2]};
  }
  FIDUCIAL_TRY(const AnatomyScores scores, score_anatomy_masks(request, console));
  if (scores.rows.empty()) {
    return Error(ErrorCode::invalid_data, "no volume has a reference mask: nothing was scored",
                 Place{.path = options.reference});
  }
  const auto broken = std::find_if(scores.rows.begin(), scores.rows.end(), [](const AnatomyRow& row) {
    return row.prediction == MaskStatus::broken && !row.detail.empty();
  });
  if (broken != scores.rows.end())
    console.warn(broken->volume + ", " + broken->structure + ": " + broken->detail);
  if (!options.rows.empty()) FIDUCIAL_TRY_DONE(write_file(options.rows, scores.csv()));
  Json printed = Json::object({{"schema", "fiducial.organ_scores/1"}});
  const Json found = scores.json();
  for (const auto& [key, value] : *found.as_object()) printed.set(key, value);
  if (options.json) {
    console.print(printed.pretty());
  } else {
    console.show(organ_table(scores, console.width()));
  }
  return 0;
}

}  // namespace

CommandBody define_metric_organs(Verb verb) {
  auto options = std::make_shared<OrganOptions>();
  verb.add_option("--reference", options->reference,
                  "Organ masks: folders, label maps, one file or tar archives")
      ->required();
  verb.add_option("--prediction", options->prediction,
                  "Predicted masks, under names of RadGenome-Chest CT, SAT or TotalSegmentator")
      ->required();
  verb.add_option("--volumes", options->volumes, "CTs, whose grid both must have");
  verb.add_option("--spacing", options->spacing_mm, "Voxel edges in mm where headers lost them, e.g. 1,1,3")
      ->delimiter(',');
  verb.add_option("--tolerance-mm", options->tolerance_mm, "Tolerance of NSD")
      ->positive()
      ->capture_default_str();
  verb.add_option("--rows", options->rows, "CSV to write, a line a structure of a volume");
  verb.add_flag("--json", options->json, "Print as JSON");
  return [options](Console& console) { return metric_organs(*options, console); };
}

}  // namespace fiducial::cli
