#include <memory>
#include <string>
#include <vector>

#include "fiducial/eval/folder/score_rows.h"
#include "fiducial/terminal/text_table.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct RowsOptions {
  std::string scores;
  RowQuery query;
  std::int64_t worst = 0;
  bool csv = false;
  bool json = false;
};

Result<int> print_rows(const RowsOptions& options, Console& console) {
  RowQuery query = options.query;
  if (options.worst > 0) query.worst = options.worst;
  FIDUCIAL_TRY(const ChosenRows chosen, choose_rows(options.scores, query));
  if (options.json || options.csv) {
    console.print(options.json ? rows_json(chosen).pretty() : rows_csv(chosen));
    return 0;
  }
  TextTable table(std::vector<TextTable::Align>(8, TextTable::Align::left));
  const std::vector<std::vector<std::string>> shown = shown_rows(chosen);
  table.add_header(shown.front());
  for (std::size_t i = 1; i < shown.size(); ++i) table.add(shown[i]);
  console.show(table.text("", console.width()));
  return 0;
}

}  // namespace

Command rows_command() {
  return {.name = "rows",
          .summary = "List the scores of single cases and findings, e.g. the worst",
          .example = "fiducial rows scores/ --worst 20 --where category=2d",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<RowsOptions>();
            verb.add_option("SCORES", options->scores, "Folder that 'fiducial score' wrote")->required();
            verb.add_option("--worst", options->worst, "Print only N rows, the worst first")->positive();
            verb.add_option(
                "--where", options->query.where,
                "COLUMN=VALUE: only rows with this value, e.g. category=2d or status=missing; may be "
                "repeated");
            verb.add_option("--metric", options->query.metric,
                            "Only this metric (default: all; with --worst the first of the run)");
            verb.add_option("--scorer", options->query.scorer, "Rules the scores follow: strict or official")
                ->one_of({"strict", "official"})
                ->capture_default_str();
            const DeclaredOption csv = verb.add_flag("--csv", options->csv, "Print CSV with every column");
            verb.add_flag("--json", options->json, "Print JSON with every column")->excludes(csv);
            return [options](Console& console) { return print_rows(*options, console); };
          }};
}

}  // namespace fiducial::cli
