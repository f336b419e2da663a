// parse_dataset_file on any text; what it accepts has unique names, findings without gaps and sane shapes.
#include <set>

#include "fiducial/datasets/rexgroundingct/dataset_file.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

void require_sane(const GroundedCase& entry) {
  require(!entry.name.empty() && entry.name != "." && entry.name != "..");
  require(entry.name.find_first_of("/\\") == std::string::npos);
  require(entry.name.ends_with(".nii") || entry.name.ends_with(".nii.gz"));
  require(entry.name.starts_with(entry.patient));
  require(entry.lists_findings || entry.findings.empty());
  for (std::size_t i = 0; i < entry.findings.size(); ++i) {
    require(entry.findings[i].index == static_cast<std::int64_t>(i));
  }
  if (entry.extent) require(entry.extent->x > 0 && entry.extent->y > 0 && entry.extent->z > 0);
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const auto parsed = rexgroundingct::parse_dataset_file(as_text(fuzz::view(bytes, size)));
  if (!parsed.ok()) {
    fuzz::require(parsed.error().code() == ErrorCode::invalid_data && !parsed.error().text().empty());
    return 0;
  }
  fuzz::require(!parsed->splits.empty());
  for (const auto& [split, cases] : parsed->splits) {
    std::set<std::string> names;
    for (const GroundedCase& entry : cases) {
      fuzz::require_sane(entry);
      fuzz::require(names.insert(entry.name).second);
    }
  }
  return 0;
}
