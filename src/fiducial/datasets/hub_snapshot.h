#pragma once

#include <optional>
#include <span>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// A folder of a Hugging Face cache: .../datasets--ORG--NAME/snapshots/REVISION, whose files are links to
// blobs named by their hashes. It opens like any other folder; what is not downloaded is missing, or a link
// to nothing.
struct HubSnapshot {
  std::string repository;  // ORG/NAME
  std::string revision;
  std::int64_t unfinished = 0;  // downloads that were begun
};

// What the folder's path and its blobs say; nothing where it is no such folder.
std::optional<HubSnapshot> find_hub_snapshot(const Path& folder);

// The command that downloads files of a dataset into its folder.
std::string download_command(const Path& folder, std::span<const std::string> files);

// Refuses a link to nothing and a file that is not there, with the command that gets it.
Outcome require_downloaded(const Path& folder, const std::string& file);

}  // namespace fiducial
