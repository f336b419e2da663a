#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/reproduce/published_values.h"
#include "fiducial/reproduce/reproduction.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct ReproduceOptions {
  std::string benchmark;
  std::string runs;
  std::string facts;
  std::string output;
  bool no_published = false;
  bool json = false;
};

Result<std::vector<ResultTable>> tables_of(const ReproduceOptions& options) {
  FIDUCIAL_TRY(std::vector<ResultTable> tables,
               reproduced_tables(options.benchmark, options.runs, options.facts));
  if (!options.no_published) FIDUCIAL_TRY_DONE(add_published_values(options.benchmark, tables));
  return tables;
}

// A file of values for each table, and a drawing where it has one.
Outcome write_tables(const std::vector<ResultTable>& tables, const Path& folder) {
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  if (trouble) return Error(ErrorCode::io, trouble.message(), Place{.path = folder.string()});
  for (const ResultTable& table : tables) {
    FIDUCIAL_TRY_DONE(write_file(folder / (table.id + ".csv"), result_csv(table)));
    const std::string svg = result_svg(table);
    if (!svg.empty()) FIDUCIAL_TRY_DONE(write_file(folder / (table.id + ".svg"), svg));
  }
  return done();
}

Result<int> reproduce(const ReproduceOptions& options, Console& console) {
  FIDUCIAL_TRY(const std::vector<ResultTable> tables, tables_of(options));
  if (!options.output.empty()) FIDUCIAL_TRY_DONE(write_tables(tables, options.output));
  if (options.json) {
    console.print(result_json(options.benchmark, tables).pretty());
    return 0;
  }
  std::int64_t empty = 0;
  for (const ResultTable& table : tables) {
    console.print(result_text(table) + "\n");
    empty += table.empty_cells();
  }
  console.print(decimal(tables.size()) + " tables, " + decimal(empty) + " empty cells\n");
  if (!options.output.empty()) console.print("values and drawings: " + options.output + "\n");
  return 0;
}

}  // namespace

Command reproduce_command() {
  return {
      .name = "reproduce",
      .summary = "Print the tables of a benchmark's paper from score folders",
      .example = "fiducial reproduce medthinkvqa --runs scores -o tables",
      .define = [](const Verb& verb) -> CommandBody {
        auto options = std::make_shared<ReproduceOptions>();
        std::vector<std::string> benchmarks;
        for (const Reproduction& each : all_reproductions()) benchmarks.push_back(each.benchmark);
        verb.add_option("BENCHMARK", options->benchmark, joined(benchmarks))->required()->one_of(benchmarks);
        verb.add_option("--runs", options->runs, "Folder with score folders, at any depth")->required();
        verb.add_option("--facts", options->facts,
                        "Facts of models (CSV: model, name, family, billions, active, weights)");
        verb.add_option("-o,--output", options->output, "Folder for the values (CSV) and drawings (SVG)");
        verb.add_flag("--no-published", options->no_published,
                      "Leave out what papers and leaderboards state");
        verb.add_flag("--json", options->json, "Print the tables as JSON");
        return [options](Console& console) { return reproduce(*options, console); };
      }};
}

}  // namespace fiducial::cli
