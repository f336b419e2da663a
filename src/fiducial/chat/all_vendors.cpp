#include <algorithm>

#include "fiducial/base/suggestion.h"
#include "fiducial/chat/vendor.h"

namespace fiducial {

#define FIDUCIAL_VENDOR(name) Vendor name##_vendor();
#include "fiducial/chat/all_vendors.def"
#undef FIDUCIAL_VENDOR

const std::vector<Vendor>& all_vendors() {
  static const std::vector<Vendor> vendors = {
#define FIDUCIAL_VENDOR(name) name##_vendor(),
#include "fiducial/chat/all_vendors.def"
#undef FIDUCIAL_VENDOR
  };
  return vendors;
}

Result<const Vendor*> find_vendor(std::string_view id) {
  const auto& all = all_vendors();
  const auto found = std::find_if(all.begin(), all.end(), [id](const Vendor& each) { return each.id == id; });
  if (found != all.end()) return &*found;
  std::vector<std::string> known;
  known.reserve(all.size());
  for (const Vendor& each : all) known.push_back(each.id);
  return no_such_name("vendor", id, known);
}

}  // namespace fiducial
