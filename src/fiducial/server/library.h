#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/server/case_source.h"
#include "fiducial/server/document_store.h"
#include "fiducial/server/found_paths.h"
#include "fiducial/server/mask_set.h"
#include "fiducial/server/row_keeper.h"
#include "fiducial/server/study_notes.h"
#include "fiducial/server/volume_store.h"
#include "fiducial/table/table.h"

namespace fiducial {

// A case and where it is kept.
struct CasePlace {
  const CaseSource* source = nullptr;
  std::size_t at = 0;
  std::size_t number = 0;  // among all cases of the dataset

  const CaseEntry& entry() const { return source->entries()[at]; }
};

// A dataset once it is opened.
struct OpenedDataset {
  std::vector<std::unique_ptr<CaseSource>> sources;
  std::vector<CasePlace> cases;                        // of all sources, in their order
  std::unordered_map<std::string, std::size_t> by_id;  // into cases
  std::unordered_map<std::string, std::vector<std::size_t>> by_name;

  const CasePlace* find(const std::string& id) const;
  // The case that rows of a split name so.
  const CasePlace* find_named(const std::string& name, const std::string& split) const;
};

// A dataset that is served. It is opened when it is first asked for, and again when its files have changed.
class ServedDataset {
 public:
  ServedDataset(std::string id, FoundPaths::Dataset found, std::string shown_path);

  const std::string& id() const { return id_; }
  const Path& folder() const { return found_.folder; }
  const std::string& shown_path() const { return shown_path_; }
  const DatasetAdapter& adapter() const { return *found_.adapter; }
  std::vector<std::string> kinds() const;

  Result<std::shared_ptr<const OpenedDataset>> open() const;
  // Tells one state of the dataset's files from another: of those in its folder, and of all below it.
  std::string state() const;
  std::string state_below() const;

 private:
  std::string id_;
  FoundPaths::Dataset found_;
  std::string shown_path_;
  mutable std::mutex mutex_;
  mutable std::string opened_state_;
  mutable std::shared_ptr<const OpenedDataset> opened_;
};

// A folder of scores that is served, or one of a model's run that has none yet.
class ServedRun {
 public:
  enum class Kind { scores, asked };
  // The keeper outlives the run.
  ServedRun(std::string id, Path folder, std::string shown_path, Kind kind, RowKeeper& keeper);

  Kind kind() const { return kind_; }

  const std::string& id() const { return id_; }
  const Path& folder() const { return folder_; }
  const std::string& shown_path() const { return shown_path_; }

  struct Content {
    Json plan;  // of a model's run: as far as its manifest tells what a plan would
    Json summary;
    Json manifest;                      // of a model's run
    std::shared_ptr<const Table> rows;  // nothing where the run is private
    std::optional<Error> rows_problem;
    std::unordered_map<std::string, std::vector<std::size_t>> rows_of_case;
    std::uint64_t row_bytes = 0;  // about
  };
  // Read when it is first asked for, and again when its files have changed. The head is all but the rows,
  // which are let go of where many runs hold some.
  Result<std::shared_ptr<const Content>> head() const;
  Result<std::shared_ptr<const Content>> open() const;
  void forget_rows() const;
  // Tells one state of the run's files from another.
  std::string state() const;

 private:
  Result<std::shared_ptr<const Content>> current_head() const;  // the mutex is held
  Result<std::shared_ptr<const Content>> current_content() const;
  void read_rows(Content& out) const;
  Outcome read_scores(Content& out) const;
  Outcome read_manifest(Content& out) const;
  Result<Json> read_document(const char* name) const;

  std::string id_;
  Path folder_;
  std::string shown_path_;
  Kind kind_;
  RowKeeper& keeper_;
  mutable std::mutex mutex_;
  mutable std::string state_;
  mutable std::shared_ptr<const Content> head_;
  mutable std::shared_ptr<const Content> content_;
};

struct LibraryOptions {
  std::vector<Path> paths;
  std::vector<Path> volumes;       // folders of CTs, besides those of the datasets
  std::vector<Path> organs;        // folders and archives of organ masks, besides those of the datasets
  std::uint64_t memory_bytes = 0;  // of decoded volumes; 0: an eighth of the machine's
};

// All that is served. Safe from any thread.
class Library {
 public:
  static Result<std::unique_ptr<Library>> open(const LibraryOptions& options);

  // In the order in which they were found. What was found once stays valid, and says what is wrong once it
  // has gone.
  std::vector<const ServedDataset*> datasets() const;
  std::vector<const ServedRun*> runs() const;
  std::vector<FoundPaths::Problem> problems() const;
  const ServedDataset* find_dataset(std::string_view id) const;
  const ServedRun* find_run(std::string_view id) const;

  // Looks for folders that have appeared below the paths, unless that was done a moment ago.
  void look_again();

  // The dataset that a run scored predictions for, by the hash of its file; nullptr where none that is served
  // is it. why says which of them it is nearly.
  const ServedDataset* dataset_of(const ServedRun& run) const;
  std::vector<const ServedRun*> runs_of(const ServedDataset& dataset) const;
  RunMaterial material_of(const Json& plan) const;

  // The CT of a case, where there is one: in the folders given, in its dataset, or in another dataset of the
  // same scans.
  std::optional<Path> find_volume(const ServedDataset& dataset, const CasePlace& place) const;
  VolumeStore& volumes() { return volumes_; }
  DocumentStore& documents() { return documents_; }
  const StudyNotes& notes() const { return notes_; }

  // Cheap: why organs of a case cannot be had, as far as can be told without reading them.
  Outcome check_organs(const ServedDataset& dataset, const CasePlace& place) const;

  // Masks of a case: "reference", "organs", "run:ID".
  Result<std::shared_ptr<const MaskSet>> masks(const ServedDataset& dataset, const CasePlace& place,
                                               const std::string& set);

 private:
  explicit Library(LibraryOptions options);

  LibraryOptions options_;
  RowKeeper keeper_;
  mutable std::mutex catalogue_mutex_;  // of the four that follow
  FoundPaths found_;
  std::vector<std::unique_ptr<ServedDataset>> datasets_;  // only grow
  std::vector<std::unique_ptr<ServedRun>> runs_;
  std::chrono::steady_clock::time_point next_look_;
  VolumeStore volumes_;
  MaskStore masks_;
  DocumentStore documents_;
  StudyNotes notes_;
  mutable std::mutex digests_mutex_;
  mutable std::unordered_map<std::string, std::string> digests_;  // by file_key
  std::string digest_of(const Path& path) const;
  std::vector<Path> organ_folders(const ServedDataset& dataset) const;
  std::vector<Path> folders_of_others(const ServedDataset& dataset, const char* name) const;
  std::string organ_state(const ServedDataset& dataset, const CasePlace& place) const;
  Result<MaskSet> organ_masks(const ServedDataset& dataset, const CasePlace& place) const;
  Result<Path> find_handed_in(const std::string& name, const std::string& sha256) const;
  std::vector<Path> predictions() const;
  void take_predictions_off(FoundPaths& found) const;
  void add(FoundPaths found);
  void add_datasets(const std::vector<FoundPaths::Dataset>& found);
  void add_runs(const std::vector<Path>& folders, ServedRun::Kind kind);
};

}  // namespace fiducial
