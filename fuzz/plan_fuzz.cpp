// Plans of score folders: any JSON is verified against, or refused in words. The task behind it gives an
// empty run.
#include "fiducial/eval/folder/verification.h"
#include "fiducial/eval/task/task_call.h"

#include "fuzz_files.h"

namespace {

using namespace fiducial;

Result<ScoreRun> scored_nothing(TaskCall& call) {
  ScoreRun run = call.new_run("fuzz", call.text("split"));
  run.cases.push_back({"a", "a", 0, ""});
  run.units.push_back({0, 0});
  run.categories.emplace_back();
  return run;
}

Task fuzzed_task() {
  using Kind = TaskOption::Kind;
  return {.id = "fuzz",
          .title = "fuzz",
          .predictions = "fuzz",
          .options = {{.name = "volumes", .help = "", .kind = Kind::path},
                      {.name = "tolerance-mm", .help = "", .kind = Kind::number, .fallback = "1"}},
          .metrics = {"all"},
          .has_official = true,
          .score = scored_nothing,
          .conclude = [](ScoreRun&) { return done(); },
          .options_of_first_plans = [](const Json&) { return OptionValues(); }};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const Task task = fuzzed_task();
  static const Executor executor(1);
  static SilentProgress silent;
  fuzz::put(fuzz::folder() / "plan.json", as_text(fuzz::view(bytes, size)));
  const TaskRequest request{.dataset = fuzz::folder(), .predictions = fuzz::folder()};
  const Result<Verification> verified = verify_scores(fuzz::folder(), task, request, executor, silent);
  if (!verified.ok()) fuzz::require(!verified.error().text().empty());
  return 0;
}
