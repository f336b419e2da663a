#pragma once

#include <cstdint>
#include <functional>
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

// What a run was made from, as its plan tells.
struct RunMaterial {
  const Json* plan = nullptr;
  std::vector<Path> candidates;  // folders and files among which its predictions are
  // The served file of that name with those very bytes.
  std::function<Result<Path>(const std::string& name, const std::string& sha256)> find_file;
};

// A run that scored the split of a case, and what its rows say of the case as a whole.
struct RunAbout {
  std::string id;
  std::string system;
  RunMaterial material;
  Json letter;  // that an answer was taken for, and by which rule; null where rows do not tell
  Json rule;
  std::optional<double> value;  // of the run's first metric
  std::string status;
};

// What the members of a case are made with.
struct CaseAsked {
  std::string address;  // of the case in the API
  std::vector<RunAbout> runs;
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

  // What a case holds and what runs said about it, as members of the API's Case.
  virtual Result<Json> members(std::size_t at, const CaseAsked& asked) const = 0;

  // The name of the CT of a case; empty where cases have none.
  virtual std::string volume_name(std::size_t /*at*/) const { return ""; }
  virtual std::optional<Path> find_volume(std::size_t /*at*/, const Path& /*volumes*/) const {
    return std::nullopt;
  }

  virtual bool has_reference_masks() const { return false; }
  virtual Result<MaskSet> reference_masks(std::size_t at) const;
  // Cheap: why there are none of a case, as far as can be told without reading them.
  virtual Outcome check_reference(std::size_t /*at*/) const { return done(); }
  // The file of these masks, whose changes are seen; empty where there is none.
  virtual Path reference_file(std::size_t /*at*/) const { return {}; }
  virtual Result<MaskSet> predicted_masks(std::size_t at, const RunMaterial& run) const;
  // Cheap: why a run's masks of a case cannot be had, as far as can be told without reading them.
  virtual Outcome check_predicted(std::size_t at, const RunMaterial& run) const;
  // Of a run whose masks are not those of the reference's findings: what it says of each, as {id, text}.
  virtual Json own_names(std::size_t /*at*/, const RunMaterial& /*run*/) const { return Json::Array{}; }

  // Pictures are numbered from 1.
  virtual std::size_t pictures(std::size_t /*at*/) const { return 0; }
  virtual Result<ServedPicture> picture(std::size_t at, std::size_t number) const;
};

// A way to read a dataset: a file, and a line in all_case_sources.def.
struct CaseSourceKind {
  std::string_view kind;  // "grounded"
  bool (*reads)(const DatasetAdapter& adapter);
  Result<std::unique_ptr<CaseSource>> (*open)(const DatasetAdapter& adapter, const Path& folder);
};
const std::vector<CaseSourceKind>& all_case_sources();

}  // namespace fiducial
