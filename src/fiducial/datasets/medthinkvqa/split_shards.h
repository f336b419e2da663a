#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"

namespace fiducial::medthinkvqa {

// The files of a split that is cut into several, or lies deeper in a folder.
struct SplitShards {
  std::string name;                // what stands for all of them: "data/test-*-of-00002.parquet"
  std::vector<std::string> files;  // relative to the folder, in their order
  std::string problem;             // a shard that is not there
};

// Looks for SPLIT-00000-of-00003.parquet (also with a hash behind, .jsonl or .arrow) in the folder, in data/
// and in default/; for data/SPLIT.parquet; for 0000.parquet in default/SPLIT/; and for the
// data-00000-of-00001.arrow that save_to_disk writes, in SPLIT/ or, with a state.json that names the split,
// in the folder itself. Tables count only where they have the columns of cases.
std::optional<SplitShards> find_split_shards(const Path& folder, const std::string& split);

}  // namespace fiducial::medthinkvqa
