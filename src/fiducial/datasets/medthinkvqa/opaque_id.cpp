#include "fiducial/datasets/medthinkvqa/opaque_id.h"

#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"

namespace fiducial::medthinkvqa {

std::int64_t opaque_case_number(std::int64_t number) {
  constexpr std::uint64_t first = 100'000'000'000;
  constexpr std::uint64_t count = 900'000'000'000;
  const std::string title = "Case number " + decimal(number);
  const Digest digest = sha256(as_bytes(title));
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) value = value << 8U | digest.bytes[i];
  return static_cast<std::int64_t>(first + value % count);
}

DiagnosisCase with_opaque_id(DiagnosisCase item) {
  item.number = opaque_case_number(item.number);
  item.title = "Case number " + decimal(item.number);
  for (CaseImage& image : item.images) {
    image.path = "images/case" + decimal(item.number) + image.path.substr(image.path.rfind('/'));
  }
  return item;
}

}  // namespace fiducial::medthinkvqa
