#include <memory>
#include <string>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/reports/curated_demo.h"
#include "fiducial/synth/demo_controls.h"
#include "fiducial/synth/demo_tables.h"
#include "fiducial/workflows/synthetic_journal.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct DemoArguments {
  std::string folder;
  DemoOptions options;
  std::string size = "small";
  bool json = false;
};

DemoOptions sized(const DemoArguments& arguments) {
  DemoOptions options = arguments.options;
  options.size.extent = demo_extent(arguments.size).value_or(options.size.extent);
  return options;
}

Result<int> demo(const DemoArguments& arguments, Console& console) {
  FIDUCIAL_TRY(const DemoFacts facts,
               write_curated_demo(arguments.folder, sized(arguments), Executor(0), console));
  const Path root(arguments.folder);
  const Path journal = root / "journals" / "medthinkvqa.jsonl";
  FIDUCIAL_TRY_DONE(write_synthetic_journal(root / "medthinkvqa", journal, console));
  if (arguments.json) {
    console.print(facts.json().pretty());
    return 0;
  }
  console.print((root / "rexgroundingct").string() + "\n");
  for (const std::string& system : facts.systems) {
    console.print((root / "systems/rexgroundingct" / system).string() + "\n");
  }
  console.print((root / "medthinkvqa").string() + "\n");
  for (const std::string& reader : facts.readers) {
    console.print((root / "systems/medthinkvqa" / reader / "predictions.jsonl").string() + "\n");
  }
  console.print((root / "curated/rexgroundingct").string() + "\n" + (root / "curated/radgenome").string() +
                "\n");
  for (const char* system : demo_table_systems) {
    console.print((root / "systems/radgenome" / system).string() + "\n");
  }
  for (const char* system : demo_grounded_systems) {
    console.print((root / "systems/grounded-report" / system).string() + "\n");
  }
  console.print((root / "controls").string() + "\n");
  for (const char* system : demo_control_systems) {
    console.print((root / "systems/controls" / system).string() + "\n");
  }
  console.print(journal.string() + "\n");
  console.note("wrote " + decimal(facts.train + facts.val + facts.test) + " synthetic chest CTs with " +
               decimal(facts.findings) + " findings and " + decimal(facts.entities) + " entities (seed " +
               decimal(facts.seed) + "), " + decimal(facts.systems.size()) +
               " systems, a teaching case of each finding and " + decimal(facts.readers.size()) + " readers");
  return 0;
}

}  // namespace

Command demo_command() {
  return {
      .name = "demo",
      .summary = "Write synthetic corpora: chest CTs with findings and reports, teaching cases, and systems",
      .example = "fiducial demo demo_corpus --seed 7",
      .define = [](Verb verb) -> CommandBody {
        auto arguments = std::make_shared<DemoArguments>();
        verb.add_option("DIR", arguments->folder, "Folder to write")->required();
        verb.add_option("--seed", arguments->options.seed, "Another seed gives other patients")
            ->capture_default_str();
        verb.add_option("--cases", arguments->options.size.test, "Number of test cases")
            ->capture_default_str()
            ->check(Range(1, 10000));
        verb.add_option("--size", arguments->size,
                        "small: volumes of 192x160x104 voxels; full: 512x512x260, as scanners write them")
            ->capture_default_str()
            ->one_of({"small", "full"});
        verb.add_flag("--overwrite", arguments->options.overwrite, "Replace an earlier corpus in DIR");
        verb.add_flag("--json", arguments->json, "Print what was written as JSON");
        return [arguments](Console& console) { return demo(*arguments, console); };
      }};
}

}  // namespace fiducial::cli
