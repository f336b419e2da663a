#include "export_outputs.h"

namespace fiducial::cli {

Result<int> say_exported(const ExportOutcome& outcome, const Path& read, bool as_json, Console& console) {
  const bool is_refused = outcome.report && outcome.manifest.as_object() == nullptr;
  if (as_json) {
    console.print(is_refused ? outcome.report->json().pretty() : outcome.manifest.pretty());
  } else if (outcome.report) {
    console.show(lint_table(*outcome.report));
  }
  if (is_refused)
    return invalid_data("the submission has errors; nothing was written").in_file(read.string());
  if (!as_json) console.print(outcome.told + "\n");
  return 0;
}

}  // namespace fiducial::cli
