#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/strip_plot.h"
#include "fiducial/pages/task_page.h"
#include "fiducial/pages/unit_scores.h"
#include "fiducial/tasks/organ_masks/anatomy_score.h"
#include "fiducial/tasks/region_tables/table_examples.h"

namespace fiducial {

namespace {

constexpr std::size_t most_structures = 20;

// A guess that sees no image, and the value it is held against.
struct BlindGuess {
  const char* task;
  const char* slot;
  const char* measure;  // before "_by_" in the summary's baselines
};
constexpr BlindGuess blind_guesses[] = {{"presence", "presence_accuracy", "accuracy"},
                                        {"abnormality", "abnormality_exact", "exact"},
                                        {"location", "location_exact", "exact"},
                                        {"location", "location_head", "head"},
                                        {"disorders", "disorders_exact", "exact"}};

std::string words_of(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

// What a guess reaches, by what it knows ("nothing", "finding"); empty where it is withheld.
std::map<std::string, double> guesses(const Json& summary, const BlindGuess& guess) {
  std::map<std::string, double> out;
  const Json* known = summary_at(summary, {"baselines", guess.task});
  if (known == nullptr || known->as_object() == nullptr) return out;
  const std::string prefix = std::string(guess.measure) + "_by_";
  for (const auto& [name, value] : *known->as_object()) {
    if (name.starts_with(prefix) && value.as_number()) out[name.substr(prefix.size())] = *value.as_number();
  }
  return out;
}

Html tables_lead(const Json& summary) {
  const auto presence = reported_value(summary.find("metrics"), "presence_accuracy");
  const auto blind = summary_number(summary, {"baselines", "presence", "accuracy_by_finding"});
  if (!presence || !presence->value || !blind) return {};
  return Html::of_text("Of " + counted(presence->n, "presence question, ", "presence questions, ")) +
         bold(fixed(*presence->value, 3)) +
         Html::of_text(
             " are answered correctly. Always giving the most common answer for that finding, without the "
             "image, scores ") +
         bold(fixed(*blind, 3)) + Html::of_text(".");
}

Html submitted_verdict(const Json& summary) {
  const Json::Object* tasks = find_object(summary, "tasks");
  if (tasks == nullptr) return {};
  std::string left_out;
  for (const auto& [name, task] : *tasks) {
    if (text_at(task, "status") != "scored") append_joined(left_out, words_of(name));
  }
  if (left_out.empty())
    return verdict(true, "Every task was submitted", "Every task of the dataset is scored.");
  return verdict(false, "Not every task was submitted", "Not scored: " + left_out + ".");
}

Html blind_verdict(const Json& summary) {
  const auto value = reported_value(summary.find("metrics"), blind_guesses[0].slot);
  const std::map<std::string, double> known = guesses(summary, blind_guesses[0]);
  if (!value || !value->value || known.empty()) return {};
  double best = 0;
  for (const auto& [by, reached] : known) best = std::max(best, reached);
  const bool above = value->low && *value->low > best;
  return verdict(above, above ? "Above every image-free guess" : "Not clearly above an image-free guess",
                 "For presence, the best guess reaches " + fixed(best, 3) + ".");
}

PageSection blind_section(const Json& summary) {
  std::vector<Strip> strips;
  for (const BlindGuess& guess : blind_guesses) {
    const auto value = reported_value(summary.find("metrics"), guess.slot);
    const std::map<std::string, double> known = guesses(summary, guess);
    if (!value || known.empty()) continue;
    strips.push_back(
        {.label = slot_title(guess.slot), .n = value->n, .dots = {}, .mean = value, .other_mean = {}});
    for (const auto& [by, reached] : known) {
      ReportedValue blind;
      blind.value = reached;
      strips.push_back(
          {.label = by == "nothing" ? "guess: most frequent answer" : "guess: from " + words_of(by),
           .n = value->n,
           .dots = {},
           .mean = blind,
           .other_mean = {}});
    }
  }
  return {
      "baselines", "Compared with image-free baselines",
      Html::of_text("What always giving the most frequent answer reaches: it is learnt on one half of the "
                    "patients and tested on the other, over all questions or over those about the same "
                    "finding or region. Only what exceeds these guesses can come from the image."),
      strips.empty() ? Html() : card(strip_plot("Values compared with blind guesses", strips))};
}

PageSection asked_section(const Json& summary) {
  PageSection out{"asked", "Questions and answers by task", {}, {}};
  const Json::Object* tasks = find_object(summary, "tasks");
  if (tasks == nullptr) return out;
  HtmlTable table;
  table.column(HtmlTable::Kind::words, "task");
  table.column(HtmlTable::Kind::words, "status");
  for (const char* title : {"questions", "missing", "answers without a question"})
    table.column(HtmlTable::Kind::numbers, title);
  for (const auto& [name, task] : *tasks) {
    const auto count = [&entry = task](const char* key) {
      return Html::of_text(decimal(integer_at(entry, key)));
    };
    table.row({Html::of_text(words_of(name)), Html::of_text(words_of(text_at(task, "status"))),
               count("questions"), count("missing"), count("unknown_rows")});
  }
  out.body = card(table.html());
  return out;
}

PageSection clinical_section(const Json& summary) {
  PageSection out{
      "clinical",
      "Abnormalities that the texts state",
      Html::of_text("The 18 labels of CT-RATE, read from both texts of a volume by the same rules; "
                    "labels that neither has are left out."),
      {}};
  const Json* labels = summary_at(summary, {"clinical", "labels"});
  if (labels == nullptr || labels->as_object() == nullptr) return out;
  HtmlTable table;
  table.column(HtmlTable::Kind::words, "label");
  for (const char* title : {"in reference", "in prediction", "in both", "precision", "recall", "F1"})
    table.column(HtmlTable::Kind::numbers, title);
  for (const auto& [label, counts] : *labels->as_object()) {
    if (integer_at(counts, "reference") + integer_at(counts, "predicted") == 0) continue;
    std::vector<Html> cells{Html::of_text(label)};
    for (const char* count : {"reference", "predicted", "both"})
      cells.push_back(Html::of_text(decimal(integer_at(counts, count))));
    for (const char* share : {"precision", "recall", "f1"}) {
      const auto value = number_at(counts, share);
      cells.push_back(Html::of_text(value ? fixed(*value, 3) : ""));
    }
    table.row(cells);
  }
  if (!table.empty()) out.body = card(table.html());
  return out;
}

Html example_card(const TableExample& example) {
  return fill("example", {{"question", example.question},
                          {"where", words_of(example.table) + " · " + example.case_name},
                          {"score", ""},
                          {"score_name", ""},
                          {"reference", fill("paragraph", {{"text", excerpt(example.reference, 900)}})},
                          {"prediction", fill("paragraph", {{"text", excerpt(example.answer, 900)}})},
                          {"remark", ""}});
}

Result<PageSection> wrong_answers_section(const RunPage& page) {
  PageSection out{
      "examples",
      "Answers that differ from the reference",
      Html::of_text(
          "The first difference of each table in each volume. Texts that differ may still be right."),
      {}};
  if (page.is_private()) return out;
  FIDUCIAL_TRY(const std::vector<TableExample> examples, table_examples(page.run));
  for (const TableExample& example : examples) out.body += example_card(example);
  return out;
}

// Structures with the lowest Dice, of all volumes.
Result<PageSection> structures_section(const RunPage& page) {
  PageSection out{"structures", "Weakest structures", {}, {}};
  std::vector<AnatomyRow> rows;
  for (const RunCase& entry : page.run.cases) {
    if (page.is_private() || entry.evidence.empty()) continue;
    FIDUCIAL_TRY(const Json evidence, parse_json(entry.evidence));
    const Json::Array* masks = find_array(evidence, "masks");
    for (std::size_t i = 0; masks != nullptr && i < masks->size(); ++i) {
      FIDUCIAL_TRY(AnatomyRow row, parse_anatomy_row((*masks)[i], entry.name));
      if (row.dice.defined()) rows.push_back(std::move(row));
    }
  }
  if (rows.empty()) return out;
  std::stable_sort(rows.begin(), rows.end(),
                   [](const AnatomyRow& a, const AnatomyRow& b) { return a.dice.value() < b.dice.value(); });
  HtmlTable table;
  table.column(HtmlTable::Kind::words, "structure");
  table.column(HtmlTable::Kind::words, "volume");
  for (const char* title : {"Dice", "NSD", "HD95, mm"}) table.column(HtmlTable::Kind::numbers, title);
  const auto number = [](const Score& score, int digits) {
    return Html::of_text(score.defined() ? fixed(score.value(), digits) : "–");
  };
  for (std::size_t i = 0; i < std::min(rows.size(), most_structures); ++i) {
    const AnatomyRow& row = rows[i];
    table.row({Html::of_text(words_of(row.structure)), Html::of_text(row.volume), number(row.dice, 3),
               number(row.nsd, 3), number(row.hd95, 1)});
  }
  out.note = Html::of_text(
      "The " + decimal(std::min(rows.size(), most_structures)) + " lowest Dice of " +
      counted(static_cast<std::int64_t>(rows.size()), "structure", "structures") +
      ". Distances are in millimetres, lower is better; a mask that is missing or empty has none.");
  out.body = card(table.html());
  return out;
}

// Of the tables that were submitted; nothing where there is none.
Html answered_verdict(const Json& summary) {
  const Json::Object* tasks = find_object(summary, "tasks");
  bool any = tasks == nullptr;
  bool all = true;
  for (std::size_t i = 0; tasks != nullptr && i < tasks->size(); ++i) {
    const auto& [name, task] = (*tasks)[i];
    if (name == "masks") continue;
    const bool is_scored = text_at(task, "status") == "scored";
    any = any || is_scored;
    all = all && is_scored;
  }
  if (!any) return {};
  const std::int64_t missing = summary_count(summary, {"counts", "missing"});
  if (missing == 0) {
    return verdict(true,
                   all ? "Every question is answered" : "Every question of the submitted tables is answered",
                   "No answer is missing.");
  }
  return verdict(false, counted(missing, "answer is", "answers are") + " missing",
                 "They score 0 and stay in the denominator.");
}

Html structures_lead(const Json& summary) {
  const auto dice = reported_value(summary.find("metrics"), "mask_dice");
  if (!dice || !dice->value) return {};
  const std::string interval = interval_text(*dice);
  return Html::of_text("On average over structures, predicted and reference masks overlap with a Dice of ") +
         bold(value_text(*dice) + (interval.empty() ? "" : ", 95 % interval " + interval)) +
         Html::of_text(".");
}

Html structures_verdict(std::int64_t missing) {
  if (missing == 0) return verdict(true, "Every structure has a predicted mask", "None is missing.");
  return verdict(false, counted(missing, "structure is", "structures are") + " missing",
                 "Their Dice is 0, and their distance counts as the diagonal of the volume.");
}

// Of masks beside tables.
Html masks_verdict(const Json& summary) {
  const Json* masks = summary_at(summary, {"tasks", "masks"});
  if (masks == nullptr || text_at(*masks, "status") != "scored") return {};
  return structures_verdict(integer_at(*masks, "missing"));
}

}  // namespace

Result<TaskPage> region_tables_page(const RunPage& page) {
  const Json& summary = page.summary;
  const std::int64_t questions = summary_count(summary, {"counts", "questions"});
  TaskPage out{
      .lead = tables_lead(summary),
      .verdicts = answered_verdict(summary) + submitted_verdict(summary) + masks_verdict(summary) +
                  blind_verdict(summary),
      .tiles = {"clinical_f1", "rouge_l", "presence_accuracy", "location_any_of", "abnormality_f1",
                "mask_dice"},
      .groups = {.plots = {"rouge_l", "presence_accuracy", "abnormality_f1", "location_any_of", "mask_dice"},
                 .columns = {"rouge_l", "presence_accuracy", "abnormality_f1", "location_any_of",
                             "mask_dice"},
                 .kinds = {"region"}},
      .limits = {
          "References were made from reports by language models or rules, and inherit their errors; "
          "fiducial check counts those that can be counted.",
          "What a report does not mention is not known to be absent.",
          "Values of texts compare words. A text that says the opposite with the same words scores well: "
          "read them beside the abnormalities."}};
  out.counts = counted(summary_count(summary, {"counts", "cases"}), "case", "cases") +
               (questions > 0 ? ", " + counted(questions, "question", "questions") : "");
  out.values_note = Html::of_text("A missing answer scores 0. Intervals are 95 %, resampled over patients.");
  out.before_values = {blind_section(summary), asked_section(summary)};
  FIDUCIAL_TRY(out.after_groups.emplace_back(), wrong_answers_section(page));
  FIDUCIAL_TRY(out.after_groups.emplace_back(), structures_section(page));
  out.after_groups.push_back(clinical_section(summary));
  return out;
}

Result<TaskPage> organ_masks_page(const RunPage& page) {
  const Json& summary = page.summary;
  TaskPage out{.lead = structures_lead(summary),
               .verdicts = structures_verdict(summary_count(summary, {"counts", "missing"})),
               .tiles = {"mask_dice", "mask_nsd", "mask_hd95_penalised", "answered"},
               .groups = {.plots = {"mask_dice"},
                          .columns = {"mask_dice", "mask_nsd", "mask_hd95_penalised"},
                          .kinds = {"region"}},
               .limits = {"Reference masks were made by a segmenter and partly corrected: they inherit its "
                          "errors."}};
  const auto dice = reported_value(summary.find("metrics"), "mask_dice");
  out.counts = counted(summary_count(summary, {"counts", "cases"}), "case", "cases") +
               (dice ? ", " + counted(dice->n, "structure", "structures") : "");
  out.values_note = Html::of_text("A missing mask scores 0. Intervals are 95 %, resampled over patients.");
  FIDUCIAL_TRY(out.after_groups.emplace_back(), structures_section(page));
  return out;
}

}  // namespace fiducial
