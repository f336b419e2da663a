#include <algorithm>
#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/curate/engine/stage_call.h"

namespace fiducial {

namespace {

// What a leakage file says about an item; of several rows the worst.
enum class Leak { none, unknown, found };

Leak leak_of(const Json& row, const std::string& when) {
  const std::optional<bool> has_leak = flag_at(row, "has_leak");
  if (!has_leak) return Leak::unknown;
  if (!*has_leak) return Leak::none;
  return when == "key" && flag_at(row, "includes_correct_answer") != true ? Leak::none : Leak::found;
}

Outcome run_remove(StageCall& call) {
  FIDUCIAL_TRY(const std::vector<Item> rows, call.read_items("LEAKS", call.text("LEAKS")));
  std::map<std::string, Leak> by_id;
  for (const Item& row : rows) {
    Leak& leak = by_id[row.id()];
    leak = std::max(leak, leak_of(row.value, call.text("when")));
  }
  return change_items(call, "CASES", [&](Item& item) -> Result<ItemStatus> {
    const auto found = by_id.find(item.id());
    if (found == by_id.end()) return ItemStatus{.code = "not_judged"};
    if (found->second == Leak::found) return ItemStatus{.status = "removed", .code = "leak"};
    // Who could not be judged is not clean; the published script takes failures for clean.
    if (found->second == Leak::unknown && call.strict())
      return rejected("judge_failed", "the leakage file does not say whether the history leaks");
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
