// parse_score_run on any JSON: a part of a run that it takes is written back as the same part, and can be put
// together.
#include "fiducial/eval/run/score_run_json.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const Result<Json> document = parse_json(as_text(fuzz::view(bytes, size)));
  if (!document.ok()) return 0;
  const Json* common = document->find("common");
  const Json* own = document->find("own");
  if (common == nullptr || own == nullptr) return 0;
  const Result<ScoreRun> run = parse_score_run({*common, *own});
  if (!run.ok()) return 0;
  const ScoreRunJson written = to_json(*run);
  const Result<ScoreRun> again = parse_score_run(written);
  fuzz::require(again.ok() && to_json(*again).own.compact() == written.own.compact());
  fuzz::require(merged({*run}).units.size() == run->units.size());
  return 0;
}
