#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/curate/engine/output_files.h"
#include "fiducial/curate/reports/judged_text.h"
#include "fiducial/curate/reports/question_lines.h"
#include "fiducial/curate/reports/report_places.h"

namespace fiducial {

// The questions of a corpus that are answered by yes or no. What every report states and denies is kept in a
// file beside the tables, so that a run that was stopped goes on; when all reports are known, those questions
// are drawn whose answers cannot be guessed (PresencePool).
class PresenceTable {
 public:
  // The memory has a line a report.
  explicit PresenceTable(OutputFile& memory) : memory_(memory) {}

  // What a report says of its places.
  struct Report {
    const std::string& volume;
    const std::vector<GroundedFinding>& findings;
    const ReportPlaces& places;
    const JudgedText& text;
  };
  Outcome add(const Report& report);
  // A report of which nothing is asked.
  Outcome pass(const std::string& volume);
  // Takes up what an earlier run found of the reports before.
  Outcome recall(const Path& memory);

  // Questions that both a finding and a denial answer, left out.
  std::int64_t contradictions() const { return contradictions_; }
  void set_contradictions(std::int64_t count) { contradictions_ = count; }

  std::vector<PresenceQuestion> balanced(PythonRandom& random) const { return pool_.balanced(random); }
  std::vector<PresenceQuestion> silent(PythonRandom& random) const;

  // A question in the table, and in words.
  struct Tables {
    OutputFile& table;
    OutputFile& questions;
    const SourceColumns& columns;
  };
  Outcome write(const PresenceQuestion& question, const char* basis, const Tables& tables,
                PythonRandom& random) const;

  // How well answers can be guessed before and after balancing: "told" says it in a line.
  Json summary(const std::vector<PresenceQuestion>& balanced) const;

 private:
  using PathAnswers = std::vector<std::pair<std::string, bool>>;
  using AskedOnce = std::set<std::pair<std::string, std::string_view>>;

  Outcome recall_findings(const Json& findings);
  void collect(const GroundedFinding& finding, std::string_view name, const PathAnswers& answers,
               const AnswerWords& words);
  std::string told(const std::vector<PresenceQuestion>& balanced) const;
  Outcome remember(std::string_view findings);

  OutputFile& memory_;
  PresencePool pool_;
  std::vector<std::string> volumes_;
  AskedOnce asked_;         // of the report that is read
  std::string remembered_;  // likewise: its findings as JSON
  std::int64_t contradictions_ = 0;
};

}  // namespace fiducial
