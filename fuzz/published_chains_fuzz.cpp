// Chains of any document, and boxes of any text.
#include "fiducial/curate/reports/published_chains.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const std::string_view text = as_text(fuzz::view(bytes, size));
  fuzz::require(boxes_in_text(text).size() * 2 <= text.size());
  const Result<Json> document = parse_json(text);
  if (!document.ok()) return 0;
  for (const PublishedChain& chain : find_published_chains(*document)) {
    // Every chain belongs to a finding of a volume, and says where it stands.
    fuzz::require(!chain.volume.empty() && !chain.finding.empty());
    fuzz::require(chain.pointer.empty() || chain.pointer.front() == '/');
  }
  return 0;
}
