#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/base/progress.h"
#include "fiducial/datasets/card_facts.h"
#include "fiducial/datasets/dataset_description.h"
#include "fiducial/datasets/diagnosis_dataset.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/datasets/lint_report.h"

namespace fiducial {

namespace radgenome {
class TableFolder;
}

// A published layout and all that can be done with a folder of it: one file and one line in all_datasets.def.
//
// What a layout leaves unset it does not have. Whoever needs a way to read the data (a task, a stage, Python)
// asks for that way alone; nothing asks which layout it is.
struct DatasetAdapter {
  std::string id;  // the benchmark's name in summaries
  std::string title;
  std::string layout;  // what the folder must hold, for messages and tables
  bool (*recognises)(const Path& folder);
  // Whether a single file can be checked without the rest of its folder.
  bool (*recognises_file)(const Path& file) = nullptr;
  // Ids of the scoring tasks that the data can be scored by, the most usual one first.
  std::vector<std::string> tasks;

  // Ways to read the data: cases with masks, cases with a question, tables of questions about volumes.
  Result<std::unique_ptr<GroundedDataset>> (*open_grounded)(const Path& folder) = nullptr;
  Result<std::unique_ptr<DiagnosisDataset>> (*open_questions)(const Path& folder) = nullptr;
  Result<radgenome::TableFolder> (*open_tables)(const Path& folder) = nullptr;

  // Holds a folder of this layout, and what is handed in for it, against the benchmark's rules. Unset:
  // against those of any layout. It is never given an input that is not declared.
  std::vector<LintInput> lint_inputs;
  Result<LintReport> (*lint)(const LintRequest& request, const Executor& executor,
                             Progress& progress) = nullptr;
  // Counts what is in a folder. Unset: what can be counted in any (describe_dataset.h).
  Result<DatasetDescription> (*describe)(const DescribeRequest& request, const Executor& executor,
                                         Progress& progress) = nullptr;
  // Facts for the folder's card. Unset: those that can be had of any (card_facts.h).
  Result<CardFacts> (*card)(const Path& folder) = nullptr;
};

const std::vector<DatasetAdapter>& all_dataset_adapters();

// The first adapter that recognises the folder; an error says what each of them looks for.
Result<const DatasetAdapter*> find_dataset_adapter(const Path& folder);
// The adapter whose rules a path is held against: that of a folder, or of a single file.
Result<const DatasetAdapter*> find_lint_adapter(const Path& path);

// Opens a folder of cases with masks; refuses one of another kind, with its name.
struct OpenedGroundedDataset {
  const DatasetAdapter* adapter = nullptr;
  std::unique_ptr<GroundedDataset> dataset;
};
Result<OpenedGroundedDataset> open_grounded_dataset(const Path& folder);

}  // namespace fiducial
