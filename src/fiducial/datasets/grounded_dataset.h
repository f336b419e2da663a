#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/sha256.h"
#include "fiducial/cases/grounded_case.h"
#include "fiducial/datasets/diagnostic_dataset.h"
#include "fiducial/datasets/lint_finding.h"
#include "fiducial/datasets/prediction_files.h"

namespace fiducial {

// A folder of cases whose findings have reference masks. Reading is safe from several threads.
class GroundedDataset {
 public:
  virtual ~GroundedDataset() = default;

  virtual const Path& folder() const = 0;
  virtual const std::string& file_name() const = 0;  // the file that lists the cases, relative to the folder
  virtual const Digest& digest() const = 0;          // of that file's bytes
  virtual std::vector<std::string> split_names() const = 0;
  virtual const std::vector<GroundedCase>* find_split(std::string_view name) const = 0;
  virtual std::string mask_name(const GroundedCase& entry) const = 0;  // relative to the folder
  virtual Result<StoredFile> open_mask(const GroundedCase& entry) const = 0;
  // The volume of a case below a folder of volumes, by the benchmark's path rules.
  virtual std::optional<Path> find_volume(const Path& volumes, const GroundedCase& entry) const = 0;
};

// The wanted split, or by default "test", else "val", else "validation"; an error lists what there is.
Result<std::string> choose_split(const GroundedDataset& dataset, const std::optional<std::string>& wanted);

// A published layout we can open: one file and one line in all_datasets.def.
struct DatasetAdapter {
  std::string id;  // the benchmark's name in summaries
  std::string title;
  std::string layout;  // what the folder must hold, for messages and tables
  bool (*recognises)(const Path& folder);
  // What the folder holds: cases with masks, cases with a question, or tables of questions about volumes
  // (radgenome::TableFolder). The others are unset.
  Result<std::unique_ptr<GroundedDataset>> (*open)(const Path& folder) = nullptr;
  Result<std::unique_ptr<DiagnosticDataset>> (*open_diagnostic)(const Path& folder) = nullptr;
  bool has_tables = false;
  // Holds a folder of this layout, and what is handed in for it, against the benchmark's rules.
  Result<LintReport> (*lint)(const LintRequest& request, const Executor& executor,
                             Progress& progress) = nullptr;  // unset: the layout has no rules yet
};

const std::vector<DatasetAdapter>& all_dataset_adapters();

// The first adapter that recognises the folder; an error says what each of them looks for.
Result<const DatasetAdapter*> find_dataset_adapter(const Path& folder);
// The adapter whose rules a path is held against: that of a folder, or of a single table.
Result<const DatasetAdapter*> find_lint_adapter(const Path& path);

// Opens a folder of cases with masks; refuses one of another kind, with its name.
struct OpenedGroundedDataset {
  const DatasetAdapter* adapter = nullptr;
  std::unique_ptr<GroundedDataset> dataset;
};
Result<OpenedGroundedDataset> open_grounded_dataset(const Path& folder);

}  // namespace fiducial
