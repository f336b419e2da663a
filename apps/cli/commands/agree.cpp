#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/eval/agreement/human_agreement.h"
#include "fiducial/eval/agreement/rating_table.h"
#include "fiducial/terminal/text_table.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct AgreeOptions {
  std::string table;
  std::vector<std::string> raters;
  AgreementOptions agreement;
  std::string judge;
  std::string mode = "strict";
  bool json = false;
};

std::string interval_text(const std::optional<Interval>& interval) {
  return interval ? fixed(interval->low + 0.0, 4) + " to " + fixed(interval->high + 0.0, 4) : "none";
}

std::string values_text(const RatingTable& table, const std::vector<AgreementValue>& values,
                        std::size_t width) {
  using Align = TextTable::Align;
  TextTable out({Align::left, Align::left, Align::left});
  out.add_header({"statistic", "value", "95 % interval"});
  for (const AgreementValue& each : values) {
    if (!each.value && each.reason.starts_with("of two raters")) continue;  // shown for every two of them
    if (!each.value) {
      out.add({each.title, "undefined: " + each.reason, ""});
      continue;
    }
    out.add({each.title, fixed(*each.value, 6), interval_text(each.interval)});
  }
  std::string head = decimal(table.ratings.size()) + " items, " + decimal(table.raters.size()) +
                     " raters: " + joined(table.raters) + "\n";
  if (const std::int64_t gaps = table.incomplete_items(); gaps > 0)
    head += decimal(gaps) + " items lack a rating: Fleiss' kappa and ICC leave them out\n";
  return head + out.text("", width);
}

// Kappas of every two raters.
std::string pair_table(const std::vector<PairAgreement>& pairs, std::size_t width) {
  using Align = TextTable::Align;
  TextTable out({Align::left, Align::left, Align::left, Align::left});
  out.add_header({"raters", "statistic", "value", "95 % interval"});
  for (const PairAgreement& pair : pairs) {
    for (const AgreementValue& each : pair.values) {
      if (each.name != "po" && !each.name.starts_with("cohen_kappa")) continue;
      if (!each.value && each.reason == "labels are not numbers") continue;
      out.add({pair.first + ", " + pair.second, each.title,
               each.value ? fixed(*each.value, 6) : "undefined: " + each.reason,
               each.value ? interval_text(each.interval) : ""});
    }
  }
  return out.text("", width);
}

std::string pairs_text(const Json& document, std::size_t width) {
  using Align = TextTable::Align;
  TextTable out({Align::left, Align::left, Align::left});
  out.add_header({"statistic", "value", "95 % interval"});
  const std::pair<const char*, const char*> shown[] = {
      {"agreement", "factual: observed agreement"},
      {"phi_mcc", "factual: Matthews correlation"},
      {"cohens_kappa", "factual: Cohen's kappa"},
      {"krippendorff_alpha", "factual: Krippendorff's alpha"},
      {"false_step_sensitivity", "factual: false steps found"},
      {"true_step_specificity", "factual: true steps passed"},
      {"critical_kappa", "critical: Cohen's kappa"},
      {"error_kappa_reasoning", "Reasoning Err: Cohen's kappa"},
      {"error_kappa_image_understanding", "Image Understanding Err: Cohen's kappa"},
      {"error_kappa_clinical_scenario", "Clinical Scenario Err: Cohen's kappa"},
      {"error_kappa_medical_knowledge", "Medical Knowledge Err: Cohen's kappa"}};
  for (const auto& [name, title] : shown) {
    const Json& entry = *document.find(name);
    const auto value = entry.find("value")->as_number();
    const Json::Array* interval = entry.find("ci95")->as_array();
    out.add({title, value ? fixed(*value, 6) : "undefined",
             interval == nullptr
                 ? "none"
                 : fixed(*(*interval)[0].as_number(), 4) + " to " + fixed(*(*interval)[1].as_number(), 4)});
  }
  return document.find("matched_step_pairs")->compact() + " steps judged by people and by the judge, " +
         document.find("unmatched_rows")->compact() + " of " + document.find("rows")->compact() +
         " rows without a judge's record, " + document.find("unread_labels")->compact() +
         " labels not read\n" + out.text("", width) +
         "confusion (people are the truth): " + document.find("confusion")->compact() + "\n";
}

// People's labels beside a judge's.
Result<int> agree_with_judge(const AgreeOptions& options, Console& console) {
  if (!options.raters.empty()) return bad_usage("--raters and --judge: choose one");
  FIDUCIAL_TRY(const HumanAgreement found,
               human_agreement(options.table, options.judge,
                               options.mode == "official" ? Scorer::official : Scorer::strict));
  const Json document = human_agreement_json(found, options.agreement);
  if (options.json) {
    console.print(document.pretty());
  } else {
    console.show(pairs_text(document, console.width()));
  }
  return 0;
}

Result<int> agree(const AgreeOptions& options, Console& console) {
  if (!options.judge.empty()) return agree_with_judge(options, console);
  if (options.mode != "strict") return bad_usage("--mode: only with --judge");
  FIDUCIAL_TRY(const RatingTable table, read_rating_table(options.table, options.raters));
  if (options.json) {
    console.print(agreement_json(table, options.agreement).pretty());
    return 0;
  }
  console.show(values_text(table, agreement_values(table, options.agreement), console.width()));
  if (table.raters.size() > most_paired_raters) {
    console.note("more than " + decimal(most_paired_raters) + " raters: pairs are not listed");
  } else if (table.raters.size() > 2) {
    console.show(pair_table(pair_agreements(table, options.agreement), console.width()));
  }
  return 0;
}

}  // namespace

Command agree_command() {
  return {.name = "agree",
          .summary = "Measure the agreement of raters: kappa, alpha, ICC with intervals",
          .example = "fiducial agree ratings.csv",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<AgreeOptions>();
            verb.add_option(
                    "TABLE", options->table,
                    "CSV or XLSX (first sheet): one row an item, one column a rater; cells may be blank")
                ->required();
            verb.add_option("--raters", options->raters,
                            "Columns of the raters (default: all that do not name the item)")
                ->delimiter(',');
            verb.add_option("--resamples", options->agreement.resamples, "Draws of items for the intervals")
                ->check(Range(1, 1000000))
                ->capture_default_str();
            verb.add_option("--seed", options->agreement.seed, "Seed of the draws")->capture_default_str();
            verb.add_option("--judge", options->judge,
                            "Verdicts on steps (JSONL): TABLE then holds people's labels of the same steps");
            verb.add_option("--mode", options->mode, "strict, or official: labels 1.0 and 0.0 are not read")
                ->one_of({"strict", "official"})
                ->capture_default_str();
            verb.add_flag("--json", options->json, "Print as JSON");
            return [options](Console& console) { return agree(*options, console); };
          }};
}

}  // namespace fiducial::cli
