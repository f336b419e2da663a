// Conformance records and files of a published scorer: any bytes name a script, compare, or are refused in
// words.
#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"
#include "fiducial/tasks/finding_masks/conformance_differences.h"
#include "fiducial/tasks/finding_masks/conformance_record.h"

#include "fuzz_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const std::string_view text = as_text(fuzz::view(bytes, size));
  const fuzz::MemoryFile file(text);
  const Result<std::string> script = confirmed_script(file.path());
  fuzz::require(script.ok() ? parse_digest(*script).has_value() : !script.error().text().empty());
  // Two files stand one behind the other, a line each.
  const std::size_t end = std::min(text.find('\n'), text.size());
  const Result<Json> ours = parse_json(text.substr(0, end));
  const Result<Json> theirs = parse_json(text.substr(std::min(end + 1, text.size())));
  if (!ours.ok()) return 0;
  const Result<ScorerComparison> same = compare_scorer_files(*ours, *ours);
  fuzz::require(!same.ok() || same->differences.empty());
  if (!theirs.ok()) return 0;
  const Result<ScorerComparison> found = compare_scorer_files(*ours, *theirs);
  fuzz::require(found.ok() || !found.error().text().empty());
  return 0;
}
