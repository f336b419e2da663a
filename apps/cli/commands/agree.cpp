#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/number_text.h"
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

std::string values_text(const RatingTable& table, const std::vector<AgreementValue>& values) {
  using Align = TextTable::Align;
  TextTable out({Align::left, Align::left, Align::left});
  out.add({"statistic", "value", "95 % interval"});
  for (const AgreementValue& each : values) {
    if (!each.value) {
      out.add({each.title, "undefined: " + each.reason, ""});
      continue;
    }
    out.add({each.title, fixed(*each.value, 6),
             each.interval ? fixed(each.interval->low, 4) + " to " + fixed(each.interval->high, 4) : "none"});
  }
  return decimal(table.ratings.size()) + " items, " + decimal(table.raters.size()) + " raters\n" + out.text();
}

std::string pairs_text(const Json& document) {
  using Align = TextTable::Align;
  TextTable out({Align::left, Align::left, Align::left});
  out.add({"statistic", "value", "95 % interval"});
  for (const char* name : {"agreement", "phi_mcc", "cohens_kappa"}) {
    const Json& entry = *document.find(name);
    const auto value = entry.find("value")->as_number();
    const Json::Array* interval = entry.find("ci95")->as_array();
    out.add({name, value ? fixed(*value, 6) : "undefined",
             interval == nullptr
                 ? "none"
                 : fixed(*(*interval)[0].as_number(), 4) + " to " + fixed(*(*interval)[1].as_number(), 4)});
  }
  return document.find("matched_step_pairs")->compact() + " steps judged by people and by the judge, " +
         document.find("unmatched_rows")->compact() + " of " + document.find("rows")->compact() +
         " rows without a judge's record, " + document.find("unread_labels")->compact() +
         " labels not read\n" + out.text() +
         "confusion (people are the truth): " + document.find("confusion")->compact() + "\n";
}

// People's labels beside a judge's.
Result<int> agree_with_judge(const AgreeOptions& options, Console& console) {
  if (!options.raters.empty()) return bad_usage("--raters and --judge: choose one");
  FIDUCIAL_TRY(const HumanAgreement found,
               human_agreement(options.table, options.judge,
                               options.mode == "official" ? Scorer::official : Scorer::strict));
  const Json document = human_agreement_json(found, options.agreement);
  console.print(options.json ? document.pretty() : pairs_text(document));
  return 0;
}

Result<int> agree(const AgreeOptions& options, Console& console) {
  if (!options.judge.empty()) return agree_with_judge(options, console);
  if (options.mode != "strict") return bad_usage("--mode: only with --judge");
  FIDUCIAL_TRY(const RatingTable table, read_rating_table(options.table, options.raters));
  console.print(options.json ? agreement_json(table, options.agreement).pretty()
                             : values_text(table, agreement_values(table, options.agreement)));
  return 0;
}

}  // namespace

Command agree_command() {
  return {.name = "agree",
          .summary = "Measure how far raters agree: kappa, alpha, ICC with intervals",
          .example = "fiducial agree ratings.csv",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<AgreeOptions>();
            verb.add_option(
                    "TABLE", options->table,
                    "CSV or XLSX (first sheet): one row an item, one column a rater; cells may be blank")
                ->required();
            verb.add_option("--raters", options->raters,
                            "Columns of the raters (default: all but item, id, case ...)")
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
