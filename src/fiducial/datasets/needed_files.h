#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/file_listing.h"

namespace fiducial {

// A file that a dataset needs and does not have.
struct NeededFile {
  std::string source;                  // "ct-rate", or the benchmark whose release holds it
  std::string path;                    // inside that release, as a downloader takes it
  std::optional<std::uint64_t> bytes;  // from a Git LFS pointer in the file's place, or from a listing
  std::uint64_t bytes_there = 0;       // of a file that is not as long as it is listed
};

// Whose files are looked for.
struct NeedRequest {
  Path dataset;
  std::optional<std::string> split;  // default: all of them
  std::optional<Path> volumes;       // where CTs are looked for (default: volumes/ of the dataset's folder)
  // A score folder, or predictions: only files of its cases, and CTs only where scores were made with them.
  std::optional<Path> run;
  FileListing sizes;  // of the files, as their hosts list them
};

struct NeededFiles {
  std::vector<NeededFile> missing;  // by source and path, each once
  std::int64_t there = 0;           // files that need not be fetched

  std::uint64_t known_bytes() const;   // of those missing whose size is known
  std::int64_t unknown_sizes() const;  // how many others there are
  std::uint64_t bytes_there() const;   // of those missing, in part
  Json json() const;                   // schema fiducial.needs/1
};

// The files of a dataset that are not there yet: CTs by CT-RATE's paths, reference masks, images of
// questions.
Result<NeededFiles> needed_files(const NeedRequest& request);

// Where CT-RATE keeps a volume, "dataset/train_fixed/train_12/train_12_a/train_12_a_1.nii.gz"; nothing where
// the name is not one of its volumes.
std::optional<std::string> ctrate_path(const std::string& volume);

}  // namespace fiducial
