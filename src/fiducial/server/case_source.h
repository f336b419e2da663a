#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/server/mask_set.h"

namespace fiducial {

// A case as lists show it.
struct CaseEntry {
  std::string id;    // unique in its dataset
  std::string name;  // by which rows of scores name it
  std::string split;
  std::string title;
  std::string patient;
  std::vector<std::pair<std::string, std::int64_t>> counts;              // findings, images, ...
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // kind and labels
  std::string text;  // that a search looks through besides id and title
};

// What a run gave for the cases of a dataset: folders and files that hold what it was made from.
struct RunMaterial {
  std::string run;  // its id
  std::string split;
  std::vector<Path> candidates;  // folders and files among which its predictions are
  const Json* plan = nullptr;
};

// Bytes of a picture.
struct ServedPicture {
  std::string type;
  std::string bytes;
};

// The cases of a dataset as one way of reading it gives them. What a source does not have it leaves as it is
// here. Safe from any thread once it is opened.
class CaseSource {
 public:
  virtual ~CaseSource() = default;

  virtual std::string_view kind() const = 0;
  virtual const std::vector<CaseEntry>& entries() const = 0;

  // What a case holds, as members of the API's Case.
  virtual Result<Json> members(std::size_t at) const = 0;
  // What a run said about a case, as members of an answer; null where it said nothing.
  virtual Result<Json> answer(std::size_t /*at*/, const RunMaterial& /*run*/) const { return Json(); }

  // The name of the CT of a case; empty where cases have none.
  virtual std::string volume_name(std::size_t /*at*/) const { return ""; }
  virtual std::optional<Path> find_volume(std::size_t /*at*/, const Path& /*volumes*/) const {
    return std::nullopt;
  }

  virtual bool has_reference_masks() const { return false; }
  virtual Result<MaskSet> reference_masks(std::size_t at) const;
  virtual Result<MaskSet> predicted_masks(std::size_t at, const RunMaterial& run) const;

  virtual Result<ServedPicture> picture(std::size_t at, std::size_t slot) const;
};

// A way to read a dataset: a file, and a line in all_case_sources.def.
struct CaseSourceKind {
  std::string_view kind;  // "grounded"
  bool (*reads)(const DatasetAdapter& adapter);
  Result<std::unique_ptr<CaseSource>> (*open)(const DatasetAdapter& adapter, const Path& folder);
};
const std::vector<CaseSourceKind>& all_case_sources();

}  // namespace fiducial
