#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"
#include "fiducial/eval/run/score_mode.h"
#include "fiducial/eval/run/statistic.h"
#include "fiducial/eval/run/unit_values.h"
#include "fiducial/geometry/affine.h"
#include "fiducial/metrics/contract.h"
#include "fiducial/table/table.h"

namespace fiducial {

// A case with its patient; cases of one patient are not independent.
struct RunCase {
  std::string name;
  std::string patient;
  std::int64_t position = 0;  // among all cases of the split: the order of every output
  std::string evidence;       // what Task::conclude needs to know of it, as compact JSON
};

// Adds one thing to what is known of a case.
void add_evidence(RunCase& entry, const char* key, Json value);

// What scores are counted by: a finding of a case, the questions of a case about one region, or all of it.
struct RunUnit {
  std::uint32_t at = 0;      // its place among the run's cases
  std::uint32_t number = 0;  // within the case, as rows show it
};

// Why a row has no score of its own.
struct RowMark {
  std::string status;  // "undefined", "missing" or "failed"; "scored" is the first mark of every run
  std::string reason;
  friend bool operator==(const RowMark&, const RowMark&) = default;
};

// The scores of one metric by one scorer, unit by unit.
struct ScoreColumn {
  const MetricContract* contract = nullptr;
  std::string id;  // the contract's, with the parameters that are not the usual ones
  Scorer scorer = Scorer::strict;
  SharedValues sums;
  SharedValues weights;       // 0: the unit has no score
  SharedValues asked;         // how much of each unit should have a score
  SharedValues failed;        // of that: without a usable prediction
  SharedValues marks;         // places among the run's marks; none: all are scored
  SharedValues best_sums;     // what the reference gives as its own prediction; none: the best there is
  SharedValues best_weights;  // beside them
  SharedValues floor_sums;    // what a baseline gives, where one was given
  SharedValues floor_weights;
  SharedValues excused;       // 1: no score for the reason that the measure names; none: no such unit
  bool counts_asked = false;  // n counts what was asked, and not the weights
  bool has_rows = true;
  bool has_every_row = false;  // also those of weight 0, where the run leaves such out

  PooledColumn pooled() const { return {sums.get(), weights.get()}; }
  PooledColumn best() const { return {best_sums.get(), best_weights.get()}; }
  PooledColumn floor() const { return {floor_sums.get(), floor_weights.get()}; }
};

// One aggregate of a run: columns and how they become a number.
struct Measure {
  std::string slot;        // "dice_per_case"
  std::size_t column = 0;  // of the run's columns: whose contract it shows
  Statistic statistic;
  std::vector<std::size_t> counts;  // columns of true positives, false positives and false negatives
  std::string absence;              // why there is no value where nothing was counted
  std::string excuse;               // said instead where a unit is excused
  bool is_share_of_cases = false;   // every case is 0 or 1: its interval is Wilson's
  bool has_groups = true;
  std::string counted = "cases";  // what n counts, unless the statistic says it: "findings", "questions"
  std::shared_ptr<const std::vector<BleuCounts>> corpus;  // of corpus_bleu, beside the units
};

// Units that share a property.
struct LabelledUnits {
  std::string label;
  std::vector<std::uint32_t> members;  // ascending
  double order = 0;                    // among the labels of its kind; equal ones are sorted by label
};
struct GroupKind {
  std::string kind;  // "category"
  std::vector<LabelledUnits> groups;
  bool tells_answers = false;  // labels follow from the answers themselves: never told in private
};
// The kind that means over categories are taken over.
inline constexpr std::string_view category_kind = "category";

// Labels of a unit that has several of a kind stand between these in rows.
inline constexpr std::string_view label_separator = "; ";

// Something that is told of every unit in rows, beside its scores.
struct RowFact {
  std::string name;
  std::array<Column::Strings, 2> by_scorer;
};

// How the reason begins where the published scorer would have given nothing; the case follows.
inline constexpr std::string_view official_stops_at = "the published scorer stops at ";

// A part of the summary that no measure holds.
struct Block {
  std::string name;
  Json value;
  std::int64_t fewest_patients = 0;  // behind any single value of it
};

// What is odd about a case or a file.
struct Remark {
  std::string about;
  std::string code;
  std::string text;
  // A failure has no usable prediction and counts against the system; nothing is wrong where there is a note.
  enum class Kind { oddity, note, failure };
  Kind kind = Kind::oddity;
};

// A file that went in.
struct HashedFile {
  std::string name;
  Digest digest;
  std::int64_t position = -1;  // of the case it is about; below 0: of none
};
// The hash of a list of files: of a line with name and hash for each.
Digest digest_of(const std::vector<HashedFile>& files);

// A further file that was given by an option.
struct InputFile {
  std::string role;  // the option: "verdicts", "wordnet", "metadata"
  std::string name;  // that a user gave it; may be empty
  std::string file;
  Digest digest;
};

// The files of one case.
struct CaseFiles {
  std::string name;
  std::string reference;  // relative to the dataset, or "masks" for a hash of several
  std::optional<Digest> reference_digest;
  std::optional<Digest> prediction_digest;
  std::optional<Digest> ignored_digest;
  std::optional<Vec3> spacing_mm;
};

// A file of the output that tells about single cases.
struct CaseDetail {
  std::string name;
  std::variant<std::string, Table> content;
};

// Values of a task's options, by name; a flag has one, "true".
using OptionValues = std::map<std::string, std::vector<std::string>>;

// Everything a finished run of any task knows. What is computed, written, withheld, verified, compared and
// shown is made from this record alone.
struct ScoreRun {
  // What was asked.
  std::string benchmark;
  std::string task;
  std::string split;
  std::string system;
  ScoreMode mode = ScoreMode::strict;
  std::uint64_t seed = 0;
  int resamples = 1000;
  OptionValues options;                  // those that decide numbers, resolved
  std::vector<std::string> given_paths;  // options that named files or folders
  Json rules;                            // what the task made of them, as the plan records it; an object

  // What went in.
  HashedFile dataset;
  std::optional<HashedFile> predictions;
  std::vector<HashedFile> dataset_files;
  std::vector<HashedFile> prediction_files;
  std::vector<InputFile> inputs;
  std::vector<CaseFiles> files;

  // What was scored.
  std::vector<RunCase> cases;
  std::vector<RunUnit> units;                         // by case, then number
  std::vector<std::string> categories;                // beside the units; empty: they have none
  std::vector<RowMark> marks{RowMark{"scored", ""}};  // see ScoreColumn
  std::vector<ScoreColumn> columns;
  std::vector<Measure> measures;
  std::vector<GroupKind> groups;
  Json group_columns;  // columns of the metadata among them; null: none
  std::vector<RowFact> facts;
  bool is_sparse = false;        // rows of weight 0 are left out, and slots of groups that count nothing
  std::string official_stopped;  // why the published scorer would have given nothing; may name a case
  std::string official_note;     // "unconfirmed", where official rules were applied
  bool resamples_cases = false;  // and not patients, which are not known
  std::optional<int> min_group;  // set where values of fewer patients are withheld, with all that is private

  // What else is told. All but the remarks is filled by Task::conclude.
  Json counts;
  Json baselines;    // null: none
  Json orientation;  // null: nothing is turned
  std::vector<Block> blocks;
  std::vector<Remark> remarks;
  std::vector<CaseDetail> details;
  std::int64_t failures = 0;  // of attempts: missing or unusable
  std::int64_t attempts = 0;  // cases, or questions
  std::string attempt_words = "predictions missing or failed";
  Json common;   // what Task::conclude needs to know beside the cases; equal in all shards
  Json tallies;  // whole numbers that shards add up; objects of numbers or of such objects

  Scorer primary() const { return mode == ScoreMode::official ? Scorer::official : Scorer::strict; }
  bool wants(Scorer scorer) const;
  std::vector<Scorer> scorers() const;

  // The place of a mark, which is added where it is new.
  std::uint8_t mark(const RowMark& wanted);
  // Adds a column and returns its place. Values that an earlier column has already are shared with it.
  std::size_t add(ScoreColumn column);
  // The number of every unit's case, patient and category.
  PooledUnits pooled_units() const;
};

// Remarks in the order of their cases, then by what they are about: the same however a run was split.
void sort_remarks(ScoreRun& run);

// Drops a slot, with its column where no other slot is made of it.
void remove_slot(ScoreRun& run, std::string_view slot);

// Dataset and predictions of a run that read many files, as the hash of all of them.
void digest_inputs(ScoreRun& run);

}  // namespace fiducial
