// A recorded transform of any bytes; one that is read says the same when it is written and read again, and
// leads back.
#include "fiducial/image/transform_record.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const Result<TransformRecord> record = parse_transform_record(as_text(fuzz::view(bytes, size)));
  if (!record.ok()) return 0;
  fuzz::require(inverse(record->place.affine).has_value() && record->to.extent == record->place.extent);
  const Result<TransformRecord> again = parse_transform_record(record->json().compact());
  fuzz::require(again.ok());
  fuzz::require(again->json().compact() == record->json().compact());
  return 0;
}
