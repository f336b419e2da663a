#pragma once

#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/reproduce/result_table.h"
#include "fiducial/reproduce/scored_systems.h"

namespace fiducial {

// The tables of a benchmark's paper: one line in all_reproductions().
struct Reproduction {
  std::string benchmark;     // "medthinkvqa"
  bool takes_facts = false;  // of models, see read_model_facts
  // `facts` may be empty.
  Result<std::vector<ResultTable>> (*tables)(const std::vector<ScoredSystem>& systems, const Path& facts);
};

const std::vector<Reproduction>& all_reproductions();

// The tables made from the score folders of a benchmark below a folder.
Result<std::vector<ResultTable>> reproduced_tables(const std::string& benchmark, const Path& runs,
                                                   const Path& facts);

}  // namespace fiducial
