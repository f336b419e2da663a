#include "fiducial/reproduce/reproduction.h"

#include "fiducial/base/number_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/reproduce/medthinkvqa_tables.h"
#include "fiducial/reproduce/published_values.h"
#include "fiducial/reproduce/system_tables.h"

namespace fiducial {

namespace {

Result<std::vector<ResultTable>> tables_of_models(const std::vector<ScoredSystem>& systems,
                                                  const Path& facts_path) {
  FIDUCIAL_TRY(ModelFactsTable facts, published_model_facts());
  if (!facts_path.empty()) {
    FIDUCIAL_TRY(ModelFactsTable given, read_model_facts(facts_path));
    given.merge(facts);
    facts = std::move(given);
  }
  const std::vector<ModelRun> runs = model_runs(systems);
  if (runs.empty()) {
    return invalid_data("none of the " + decimal(systems.size()) +
                        " score folders is of a model's run; score the folder that 'fiducial run' wrote");
  }
  return medthinkvqa_tables(runs, facts);
}

}  // namespace

const std::vector<Reproduction>& all_reproductions() {
  static const std::vector<Reproduction> all = {
      {.benchmark = "medthinkvqa", .takes_facts = true, .tables = tables_of_models},
      {.benchmark = "rexgroundingct",
       .tables = [](const std::vector<ScoredSystem>& systems, const Path&)
           -> Result<std::vector<ResultTable>> { return rexgroundingct_tables(systems); }},
      {.benchmark = "radgenome",
       .tables = [](const std::vector<ScoredSystem>& systems,
                    const Path&) -> Result<std::vector<ResultTable>> { return radgenome_tables(systems); }},
  };
  return all;
}

Result<std::vector<ResultTable>> reproduced_tables(const std::string& benchmark, const Path& runs,
                                                   const Path& facts) {
  std::vector<std::string> known;
  for (const Reproduction& each : all_reproductions()) {
    known.push_back(each.benchmark);
    if (each.benchmark != benchmark) continue;
    if (!facts.empty() && !each.takes_facts) return bad_usage("--facts: not for " + benchmark);
    FIDUCIAL_TRY(const std::vector<ScoredSystem> systems, find_scored_systems(runs, benchmark));
    return each.tables(systems, facts).in_file(runs.string());
  }
  return no_such_name("benchmark", benchmark, known);
}

}  // namespace fiducial
