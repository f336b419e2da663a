// The query of a request to the API, and the cursor in it: what is accepted has the declared parameters only,
// in their declared form, and a cursor comes back the same when it is written again.
#include "fiducial/http/router.h"
#include "fiducial/server/api_parameters.h"
#include "fiducial/server/call.h"
#include "fiducial/server/cursor.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const std::string_view text = as_text(fuzz::view(bytes, size));
  constexpr std::string_view declared = "q split group run metric sort order after limit where* l w side";
  if (const auto query = Query::parse(text, declared); query.ok()) {
    fuzz::require(query->all("limit").size() <= 1 && query->all("after").size() <= 1);
    const std::int64_t limit = query->integer("limit", 1);
    fuzz::require(limit >= 1 && limit <= 1000);
    fuzz::require(query->number("w", 1) > 0);
    if (const auto after = query->find("after")) static_cast<void>(parse_cursor(*after));
  }
  if (const auto cursor = parse_cursor(text); cursor.ok()) {
    const std::string again = cursor_text(*cursor);
    const auto same = parse_cursor(again);
    fuzz::require(same.ok() && cursor_text(*same) == again && same->item == cursor->item);
  }
  return 0;
}
