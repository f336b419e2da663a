#include "fiducial/pages/lost_cases.h"

#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/medthinkvqa/answer_predictions.h"
#include "fiducial/datasets/medthinkvqa/picture_files.h"
#include "fiducial/drawing/thumbnail.h"
#include "fiducial/pages/unit_scores.h"

namespace fiducial {

namespace {

constexpr std::size_t most_lost = 12;
constexpr std::size_t most_images = 6;
constexpr std::int64_t image_pixels = 240;

// Critical steps that a judge calls false, by case.
using FalseSteps = std::map<std::string, std::vector<std::string>>;

FalseSteps false_steps(const ScoreRun& run) {
  FalseSteps out;
  for (const CaseDetail& detail : run.details) {
    const Table* table = std::get_if<Table>(&detail.content);
    if (detail.name != "steps.parquet" || table == nullptr) continue;
    const auto texts = [table](const char* name) -> const Column::Strings& {
      return std::get<Column::Strings>(table->find(name)->values);
    };
    const auto flags = [table](const char* name) -> const Column::Integers& {
      return std::get<Column::Integers>(table->find(name)->values);
    };
    for (std::size_t row = 0; row < table->rows(); ++row) {
      const bool is_false = flags("is_factual")[row] == 0 && flags("is_critical")[row] == 1;
      if (is_false && texts("scorer")[row] == to_string(run.primary()))
        out[texts("case")[row].value_or("")].push_back(texts("text")[row].value_or(""));
    }
  }
  return out;
}

// What rows tell of a unit beside its scores; empty where they tell nothing.
std::string fact_of(const ScoreRun& run, std::string_view name, std::size_t unit) {
  for (const RowFact& fact : run.facts) {
    if (fact.name == name)
      return fact.by_scorer.at(static_cast<std::size_t>(run.primary()))[unit].value_or("");
  }
  return "";
}

// What cards of lost cases are made of.
struct LostSources {
  const ScoreRun& run;
  const ScoreColumn& accuracy;
  std::vector<DiagnosisCase> cases;  // of the split, in its order
  AnswerPredictions predictions;
  medthinkvqa::PictureFiles pictures;
  FalseSteps steps;

  const RunCase& run_case(std::size_t unit) const { return run.cases[run.units[unit].at]; }
  const DiagnosisCase& entry(std::size_t unit) const {
    return cases[static_cast<std::size_t>(run_case(unit).position)];
  }
};

// Units that are wrong, those to look at first before the others.
std::vector<std::size_t> lost_units(const LostSources& from) {
  std::vector<std::size_t> out;
  for (std::size_t unit = 0; unit < from.run.units.size(); ++unit) {
    const auto position = static_cast<std::size_t>(from.run_case(unit).position);
    if ((*from.accuracy.sums)[unit] == 0 && position < from.cases.size()) out.push_back(unit);
  }
  const auto order = [&from](std::size_t unit) {
    if (fact_of(from.run, "answer", unit).empty()) return 0;
    return from.steps.contains(from.run_case(unit).name) ? 1 : 2;
  };
  std::stable_sort(out.begin(), out.end(),
                   [&order](std::size_t a, std::size_t b) { return order(a) < order(b); });
  return out;
}

// Only what lies below images/: a path of the data leads nowhere else.
bool leads_to_an_image(const std::string& path) {
  return path.starts_with("images/") && path.find("..") == std::string::npos;
}

Html image_of(const LostSources& from, const CaseImage& image) {
  if (!leads_to_an_image(image.path)) return {};
  const auto bytes = from.pictures.read(image.path);
  if (!bytes.ok() || !*bytes) return {};
  const auto picture = decode_picture(as_bytes(**bytes));
  if (!picture.ok()) return {};
  return fill("thumbnail", {{"source", Html::of_markup(jpeg_data_uri(thumbnail(*picture, image_pixels)))},
                            {"caption", image.modality}});
}

Html images_of(const LostSources& from, const DiagnosisCase& entry) {
  Html figures;
  const std::size_t shown = std::min(entry.images.size(), most_images);
  for (std::size_t i = 0; i < shown; ++i) figures += image_of(from, entry.images[i]);
  if (figures.empty()) return figures;
  Html out = fill("thumbnails", {{"figures", figures}});
  if (entry.images.size() > shown)
    out += fill("note", {{"text", decimal(entry.images.size() - shown) + " more images are not shown."}});
  return out;
}

Html option_list(const DiagnosisCase& entry, const std::string& answer) {
  Html out;
  for (std::size_t i = 0; i < entry.options.size(); ++i) {
    const char letter = DiagnosisCase::letters[i];
    const bool is_key = letter == entry.key;
    const bool is_said = answer == std::string(1, letter);
    out += fill("option", {{"mood", is_key    ? "key-option"
                                    : is_said ? "wrong-option"
                                              : ""},
                           {"text", entry.options[i]},
                           {"said", is_key    ? "the diagnosis"
                                    : is_said ? "answered"
                                              : ""}});
  }
  return out;
}

// Why the model chose its answer; where it says so nowhere, its whole reply unless that is a letter.
std::string rationale_of(const LostSources& from, const DiagnosisCase& entry) {
  const auto found = from.predictions.by_number.find(entry.number);
  if (found == from.predictions.by_number.end()) return "";
  const AnswerPrediction& said = found->second;
  if (!said.reasoning.empty()) return said.reasoning;
  return said.reply && said.reply->size() > 3 ? *said.reply : "";
}

Html lost_card(const LostSources& from, std::size_t unit) {
  const DiagnosisCase& entry = from.entry(unit);
  const std::string answer = fact_of(from.run, "answer", unit);
  const bool is_missing = !is_scored(from.run, from.accuracy, unit);
  const std::string rationale = rationale_of(from, entry);
  Html steps;
  if (const auto found = from.steps.find(from.run_case(unit).name); found != from.steps.end()) {
    for (const std::string& step : found->second) steps += fill("false_step", {{"text", step}});
  }
  return fill("lost_case",
              {{"title", entry.title},
               {"icd", entry.icd_category},
               {"images", counted(static_cast<std::int64_t>(entry.images.size()), "image", "images")},
               {"answer", is_missing       ? "no prediction"
                          : answer.empty() ? "no letter found"
                                           : "answered " + answer},
               {"rule", answer.empty() ? "" : fact_of(from.run, "answer_rule", unit)},
               {"history", excerpt(entry.history, 420)},
               {"pictures", images_of(from, entry)},
               {"options", option_list(entry, answer)},
               {"rationale", excerpt(rationale, 900)},
               {"no_rationale", rationale.empty() && !is_missing ? "The prediction gives no reasoning." : ""},
               {"false_steps", steps}});
}

}  // namespace

Result<PageSection> lost_section(const RunPage& page) {
  PageSection out{"lost", "Cases answered wrongly", {}, {}};
  const ScoreColumn* accuracy = column_of(page.run, "accuracy");
  if (page.is_private() || accuracy == nullptr) return out;
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(page.dataset));
  FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset, adapter->open_questions(page.dataset));
  FIDUCIAL_TRY(DiagnosisSplit split, dataset->read_split(page.run.split));
  LostSources from{page.run, *accuracy, std::move(split.cases), {}, {}, false_steps(page.run)};
  // Scores do not depend on what is shown beside them: what cannot be read again is left out.
  if (auto read = read_answer_predictions(page.predictions); read.ok()) from.predictions = *std::move(read);
  resolve_opaque_ids(from.predictions, from.cases);
  if (auto pictures = medthinkvqa::PictureFiles::open(page.dataset); pictures.ok())
    from.pictures = *std::move(pictures);
  const std::vector<std::size_t> lost = lost_units(from);
  const std::size_t shown = std::min(lost.size(), most_lost);
  out.note =
      Html::of_text(decimal(shown) + " of " + decimal(lost.size()) +
                    ": cases without an answer first, then those with false critical steps, then by case "
                    "number. rows.parquet lists all of them.");
  for (std::size_t i = 0; i < shown; ++i) out.body += lost_card(from, lost[i]);
  return out;
}

}  // namespace fiducial
