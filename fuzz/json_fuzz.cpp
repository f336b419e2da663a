// parse_json on any text; what it accepts, both ways of writing it must give back.
#include <algorithm>

#include "fiducial/base/json.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

bool equal(const Json& a, const Json& b);

bool equal_members(const Json::Object& a, const Json::Object& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Json::Member& x, const Json::Member& y) {
    return x.first == y.first && equal(x.second, y.second);
  });
}

// A double that is a whole number is written, and read back, as an integer.
bool equal(const Json& a, const Json& b) {
  if (a.as_number()) return a.as_number() == b.as_number();
  if (a.kind() != b.kind()) return false;
  if (a.as_string() != nullptr) return *a.as_string() == *b.as_string();
  if (a.as_bool() != nullptr) return *a.as_bool() == *b.as_bool();
  if (a.as_object() != nullptr) return equal_members(*a.as_object(), *b.as_object());
  if (a.as_array() == nullptr) return true;
  return std::equal(a.as_array()->begin(), a.as_array()->end(), b.as_array()->begin(), b.as_array()->end(),
                    equal);
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const Result<Json> parsed = parse_json(as_text(fuzz::view(bytes, size)));
  if (!parsed.ok()) return 0;
  for (const std::string& text : {parsed->pretty(), parsed->compact()}) {
    const Result<Json> again = parse_json(text);
    fuzz::require(again.ok() && fuzz::equal(*parsed, *again));
    fuzz::require(again->pretty() == parsed->pretty());
  }
  return 0;
}
