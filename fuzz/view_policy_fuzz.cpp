// A view policy of any bytes; one that is read says the same when it is written and read again.
#include "fiducial/views/view_policy.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const Result<ViewPolicy> policy = ViewPolicy::parse(as_text(fuzz::view(bytes, size)), "policy");
  if (!policy.ok()) return 0;
  const Result<ViewPolicy> again = ViewPolicy::parse(policy->json().compact(), "again");
  fuzz::require(again.ok());
  fuzz::require(again->json().compact() == policy->json().compact() && again->sha256() == policy->sha256());
  return 0;
}
