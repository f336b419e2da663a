#include <map>

#include "fiducial/curate/item_fields.h"
#include "fiducial/curate/stage_call.h"

namespace fiducial {

namespace {

// A row of a leakage file that speaks for the removal of its item.
bool speaks_for_removal(const Json& row, const std::string& when) {
  const auto flag = [&row](const char* name) {
    const Json* found = row.find(name);
    return found != nullptr && found->as_bool() != nullptr && *found->as_bool();
  };
  return when == "key" ? flag("has_leak") && flag("includes_correct_answer") : flag("has_leak");
}

Outcome run_remove(StageCall& call) {
  FIDUCIAL_TRY(const std::vector<Item> rows, call.read_items("LEAKS", call.text("LEAKS")));
  std::map<std::string, bool> by_id;
  for (const Item& row : rows) {
    bool& removed = by_id[row.id()];
    removed = removed || speaks_for_removal(row.value, call.text("when"));
  }
  return change_items(call, "CASES", [&by_id](Item& item) -> Result<ItemStatus> {
    const auto found = by_id.find(item.id());
    if (found == by_id.end()) return ItemStatus{.code = "not_judged"};
    if (found->second) return ItemStatus{.status = "removed", .code = "leak"};
    return ItemStatus{};
  });
}

}  // namespace

Stage remove_stage() {
  return {.name = "remove",
          .summary = "Remove the cases that a leakage file names",
          .example = "fiducial curate remove cases.json leaks.jsonl -o clean.json",
          .inputs = {{.name = "CASES", .help = "Cases (JSON, JSONL)", .required = true},
                     {.name = "LEAKS", .help = "What fiducial curate leakage wrote", .required = true}},
          .options = {{.name = "when",
                       .help = "Remove where any option leaks, or only where the key does",
                       .fallback = "any",
                       .choices = {"any", "key"}}},
          .run = run_remove};
}

}  // namespace fiducial
