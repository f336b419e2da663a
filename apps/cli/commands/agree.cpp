#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/rating_table.h"
#include "fiducial/report/text_table.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct AgreeOptions {
  std::string table;
  std::vector<std::string> raters;
  AgreementOptions agreement;
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

Result<int> agree(const AgreeOptions& options, Console& console) {
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
          .define = [](CLI::App& verb) -> CommandBody {
            auto options = std::make_shared<AgreeOptions>();
            verb.add_option("TABLE", options->table,
                            "CSV: one row an item, one column a rater; cells may be blank")
                ->required();
            verb.add_option("--raters", options->raters,
                            "Columns of the raters (default: all but item, id, case ...)")
                ->delimiter(',');
            verb.add_option("--resamples", options->agreement.resamples, "Draws of items for the intervals")
                ->check(CLI::Range(1, 1000000))
                ->capture_default_str();
            verb.add_option("--seed", options->agreement.seed, "Seed of the draws")->capture_default_str();
            verb.add_flag("--json", options->json, "Print as JSON");
            return [options](Console& console) { return agree(*options, console); };
          }};
}

}  // namespace fiducial::cli
