#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/views/view_policy.h"

namespace fiducial {

// What `fiducial view` is told.
struct ViewRequest {
  Path dataset;
  std::string title;  // of a case with images, or a volume's name
  std::string policy = {};
  Path volumes = {};
  Path masks = {};
  std::optional<std::string> split = {};
  std::string region = {};                   // a path of the anatomy
  std::optional<std::int64_t> finding = {};  // whose reference mask is the region
};

inline constexpr const char* view_manifest_file = "manifest.json";

// The pictures of a case as a run would send them, byte for byte, with what the manifest says of them.
struct ViewedCase {
  std::vector<std::pair<std::string, Bytes>> files;
  Json manifest;
};
Result<ViewedCase> view_case(const ViewRequest& request);

}  // namespace fiducial
