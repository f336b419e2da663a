#pragma once

#include <array>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/datasets/lint_report.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"
#include "fiducial/text/label_mentions.h"

namespace fiducial::medthinkvqa {

// Options that the history of one row names.
struct RowMentions {
  std::string file;
  std::uint64_t line = 0;
  std::string title;
  std::vector<std::string> letters;  // of the options that were looked for
  std::string key;
  std::vector<LabelMention> mentions;  // labels are indices into letters
};

RowMentions history_mentions(const std::string& file, const RawRow& row, const LabelSynonyms& synonyms);

// Parts of a row's texts that may tell who the patient is, as notes.
LintProblems identifier_problems(const std::string& file, const RawRow& row);

// Sums up what histories name.
class LeakageAudit {
 public:
  void add(RowMentions row, LintProblems& problems);

  Json json() const;
  std::string text() const;  // one line

 private:
  std::int64_t histories_ = 0;
  std::int64_t with_leak_ = 0;
  std::int64_t with_key_ = 0;
  std::array<std::int64_t, 3> levels_{};  // histories by their most open mention that is not negated
  std::vector<RowMentions> rows_;         // with mentions
};

}  // namespace fiducial::medthinkvqa
