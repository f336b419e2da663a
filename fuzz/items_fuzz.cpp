// Items to curate, recorded replies and what a judge names: any text gives items or an error with a place.
#include <set>

#include "fiducial/curate/cases/leakage_reply.h"
#include "fiducial/curate/engine/item_file.h"
#include "fiducial/curate/engine/replies.h"

#include "fuzz_files.h"

namespace {

using namespace fiducial;

void read_items(const Path& path, const ItemRules& rules) {
  Result<ItemReader> items = ItemReader::open(path, rules);
  std::int64_t next = 0;
  while (items.ok()) {
    const Result<std::optional<Item>> item = items->next();
    if (!item.ok() || !*item) break;
    fuzz::require((*item)->index >= next && !(*item)->id().empty());
    next = (*item)->index + 1;
    const std::vector<LetteredOption> options = judged_options((*item)->value);
    const std::vector<std::string> leaked = leaked_letters((*item)->value.find("leaked"), options);
    fuzz::require(std::set<std::string>(leaked.begin(), leaked.end()).size() == leaked.size());
    (void)key_letter((*item)->id(), options);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const fuzz::MemoryFile file(as_text(fuzz::view(bytes, size)));
  read_items(file.path(), {});
  read_items(file.path(), {.skips_bad_lines = true, .breaks_at_separators = true});
  Result<ReplayFile> replies = ReplayFile::read(file.path());
  if (!replies.ok()) {
    fuzz::require(!replies.error().text().empty());
    return 0;
  }
  (void)replies->reply_to({.prompt = "fuzz/1"}, "0").ok();
  fuzz::require(replies->count() >= 0);
  return 0;
}
