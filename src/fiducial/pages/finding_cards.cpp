#include "fiducial/pages/finding_cards.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/rexgroundingct/ontology.h"
#include "fiducial/drawing/slice_picture_svg.h"
#include "fiducial/pages/unit_scores.h"
#include "fiducial/tasks/finding_masks/case_score_json.h"
#include "fiducial/text/readable.h"

namespace fiducial {

namespace {

constexpr std::size_t most_listed = 1000;

Html chip(std::string_view text) { return fill("item", {{"text", text}}); }

std::optional<double> score_of(const ScoreRun& run, std::string_view contract, Scorer scorer,
                               std::size_t unit) {
  const ScoreColumn* column = find_column(run, contract, scorer);
  return column == nullptr ? std::nullopt : unit_value(*column, unit);
}

// "2 of 3 entities matched, 1 false-positive region", by whichever scorer counted them.
Html entity_chips(const ScoreRun& run, std::size_t unit) {
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    const auto found = score_of(run, "instance_tp", scorer, unit);
    const auto missed = score_of(run, "instance_fn", scorer, unit);
    const auto extra = score_of(run, "instance_fp", scorer, unit);
    if (!found || !missed || !extra) continue;
    return chip(fixed(*found, 0) + " of " + fixed(*found + *missed, 0) + " entities matched") +
           chip(fixed(*extra, 0) + (*extra == 1 ? " false-positive region" : " false-positive regions"));
  }
  return {};
}

Html score_chips(const ScoreRun& run, std::size_t unit, std::int64_t voxels) {
  Html out;
  auto hit = score_of(run, "hit10", Scorer::strict, unit);
  if (!hit) hit = score_of(run, "hit10", Scorer::official, unit);
  if (hit) out += chip(*hit > 0 ? "hit" : "not hit");
  out += entity_chips(run, unit);
  for (const ScoreColumn& column : run.columns) {
    const auto value = column.contract->unit == "mm" ? unit_value(column, unit) : std::nullopt;
    if (value) out += chip(column.contract->title + " " + fixed(*value, 1) + " mm");
  }
  return fill("chips", {{"items", out + chip("reference " + size_text(run, unit, voxels))}});
}

// The Dice by the rules of the summary's "metrics".
std::optional<double> headline_dice(const ScoreRun& run, std::size_t unit) {
  const ScoreColumn* column = column_of(run, "dice_per_finding");
  return column == nullptr ? std::nullopt : unit_value(*column, unit);
}

Html finding_card(const ScoreRun& run, const ShownFinding& shown, std::int64_t voxels,
                  const std::string& id) {
  const RunUnit& unit = run.units[shown.unit];
  const auto dice = headline_dice(run, shown.unit);
  const bool has_both = find_column(run, "dice", Scorer::strict) != nullptr;
  const auto official = has_both ? score_of(run, "dice_rexrank", Scorer::official, shown.unit) : std::nullopt;
  const std::string number = decimal(unit.number);
  return fill("finding_card",
              {{"sentence", shown.sentence.empty() ? "Finding " + number : shown.sentence},
               {"category", category_text(run.categories[shown.unit])},
               {"case", run.cases[unit.at].name},
               {"finding", number},
               {"dice", dice ? fixed(*dice, 3) : "undefined"},
               {"official", official ? fixed(*official, 3) : ""},
               {"chips", score_chips(run, shown.unit, voxels)},
               {"pictures", shown.picture ? Html::of_markup(slice_panels(*shown.picture, id)) : Html()},
               {"strip", shown.picture ? Html::of_markup(slice_strip(*shown.picture, id)) : Html()},
               {"remark", shown.remark}});
}

}  // namespace

std::string category_text(const std::string& code) {
  const auto category = rexgroundingct::find_category(code);
  if (category) return std::string(category->title) + " (" + code + ")";
  return code.empty() ? "no category" : "category " + code;
}

std::string size_text(const ScoreRun& run, std::size_t unit, std::int64_t voxels) {
  std::string counted_voxels = grouped_digits(voxels) + (voxels == 1 ? " voxel" : " voxels");
  const std::size_t at = run.units[unit].at;
  const bool has_file = at < run.files.size() && run.files[at].name == run.cases[at].name;
  if (!has_file || !run.files[at].spacing_mm || voxels == 0) return counted_voxels;
  const Vec3& mm = *run.files[at].spacing_mm;
  const double cubic_mm = static_cast<double>(voxels) * mm[0] * mm[1] * mm[2];
  const double across_mm = std::cbrt(6 * cubic_mm / std::numbers::pi);
  return fixed(cubic_mm / 1000, cubic_mm < 100000 ? 2 : 0) + " ml (" + counted_voxels + "), " +
         fixed(across_mm, across_mm < 10 ? 1 : 0) + " mm equivalent diameter";
}

Result<std::vector<std::int64_t>> reference_voxels(const ScoreRun& run) {
  std::vector<std::int64_t> out;
  out.reserve(run.units.size());
  for (const RunCase& entry : run.cases) {
    FIDUCIAL_TRY(const Json evidence, parse_json(entry.evidence));
    FIDUCIAL_TRY(const CaseScore scored, parse_case_score(evidence));
    for (const FindingScore& finding : scored.findings) out.push_back(finding.reference_voxels);
  }
  out.resize(run.units.size());
  return out;
}

Html finding_cards(const ScoreRun& run, const std::vector<ShownFinding>& shown,
                   const std::vector<std::int64_t>& voxels, const std::string& prefix) {
  Html out;
  for (std::size_t i = 0; i < shown.size(); ++i)
    out += finding_card(run, shown[i], voxels[shown[i].unit], prefix + decimal(i));
  return out;
}

Html finding_list(const PictureSource& source, const std::vector<std::int64_t>& voxels) {
  const ScoreRun& run = source.run;
  std::vector<std::size_t> order(run.units.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&run](std::size_t a, std::size_t b) {
    return headline_dice(run, a).value_or(-1) < headline_dice(run, b).value_or(-1);
  });
  HtmlTable table;
  table.column(HtmlTable::Kind::numbers, "Dice");
  for (const char* title : {"finding", "category", "case", "reference"})
    table.column(HtmlTable::Kind::words, title);
  for (std::size_t i = 0; i < std::min(order.size(), most_listed); ++i) {
    const RunUnit& unit = run.units[order[i]];
    const GroundedCase* entry = find_case(source, run.cases[unit.at].name);
    const bool has_text = entry != nullptr && unit.number < entry->findings.size();
    const auto dice = headline_dice(run, order[i]);
    table.row({Html::of_text(dice ? fixed(*dice, 3) : "undefined"),
               Html::of_text(has_text ? excerpt(entry->findings[unit.number].text, 120) : ""),
               Html::of_text(category_text(run.categories[order[i]])),
               Html::of_text(unit_name(run, order[i], "finding")),
               Html::of_text(size_text(run, order[i], voxels[order[i]]))});
  }
  Html out = table.html();
  if (order.size() > most_listed)
    out += fill("note", {{"text", "The lowest " + decimal(most_listed) + " of " + decimal(order.size()) +
                                      "; rows.parquet has them all."}});
  return out;
}

}  // namespace fiducial
