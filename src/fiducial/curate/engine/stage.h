#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"

namespace fiducial {

class StageCall;

// strict is the rule we would defend; official does what the published script does, quirks included.
enum class CurationMode { strict, official };
std::string_view to_string(CurationMode mode);

// Something a stage is told, beside what every stage is told.
struct StageOption {
  enum class Kind { text, texts, integer, flag };

  std::string name;  // "remove-when"; of an input "CASES"
  std::string help;
  Kind kind = Kind::text;
  bool required = false;
  std::string fallback;              // taken where none is given
  std::vector<std::string> choices;  // empty: anything
  bool is_path = false;              // a file or folder; inputs always are
};

// A step of building a benchmark: one file in curate/cases or curate/reports, one line in all_stages.def.
struct Stage {
  std::string name;     // as typed: fiducial curate NAME
  std::string summary;  // one line
  std::string example;
  std::vector<StageOption> inputs;  // files, in the order they are typed
  std::vector<StageOption> options;
  bool draws = false;                          // takes a seed, which strict mode insists on
  std::optional<std::uint64_t> official_seed;  // of the published script; nothing: it draws one
  std::optional<std::uint64_t> default_seed;   // taken in strict mode where none is given
  bool asks = false;                           // takes replies of a model
  bool writes_folder = false;                  // the output is always a folder
  bool writes_file = false;                    // the output is always one file, whatever its ending
  bool resumes = false;                        // goes on where an earlier run of the same was killed
  bool by_rows = false;  // and what it knows of earlier rows is a sum: parts of the rows can be put together
  bool tells_output = false;  // what it writes holds the name of its output
  Outcome (*run)(StageCall& call) = nullptr;
};

// What a stage is asked to do.
struct StageRequest {
  CurationMode mode = CurationMode::strict;
  std::optional<std::uint64_t> seed;
  std::map<std::string, std::vector<std::string>> values;  // of inputs and options; a flag has one, "true"
  // Of these what the manifest tells in their place: paths as they were typed, where they are read elsewhere.
  std::map<std::string, std::vector<std::string>> typed;
  Path output;
  bool overwrite = false;
  std::optional<Path> replay;  // replies of a model, see docs/formats/replies.md
  // Failures among the first bytes of the replies are those of an earlier command: they are asked for again.
  std::uint64_t forgiven_bytes = 0;
  std::string model;  // that the replies are of

  // Of rows first .. last - 1 alone, whose output stays unfinished; see stage_parts.h.
  struct Part {
    std::int64_t first = 0;
    std::int64_t last = 0;
  };
  std::optional<Part> part;
};

// What came of it.
struct StageOutcome {
  Json manifest;                    // schema fiducial.curation/1
  std::int64_t items = 0;           // that were looked at
  std::int64_t failures = 0;        // of these: rejected, error or invalid
  std::int64_t unanswered = 0;      // requests without a reply: nothing but these was written
  std::int64_t unused_replies = 0;  // that answer nothing that was asked
  Path requests;                    // where they are
  std::int64_t resumed = 0;         // items that an earlier run had finished
  std::string main_file;            // OutputFiles::main_file()
};

// Runs a stage. The output appears all at once, and only where every request had a reply. The same inputs,
// parameters and seed give the same bytes.
//
// An output with the ending of a file (.json, .jsonl, .csv, .txt) is one file, with OUT.status.jsonl and
// OUT.manifest.json beside it; any other is a folder that holds the data, status.jsonl and manifest.json.
// Some stages write one or the other whatever the ending.
Result<StageOutcome> run_stage(const Stage& stage, const StageRequest& request, Progress& progress);

}  // namespace fiducial
