#pragma once

#include <string>

#include "fiducial/datasets/lint_report.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"

namespace fiducial::medthinkvqa {

namespace lint_rules {
#define FIDUCIAL_LINT_RULE(code, severity, promise) \
  inline constexpr LintRule code{#code, Severity::severity, promise};
#include "fiducial/datasets/medthinkvqa/lint_rules.def"
#undef FIDUCIAL_LINT_RULE
}  // namespace lint_rules

// "line " in JSONL files, "row " in Parquet files.
std::string row_word(const std::string& file);

// Where a row stands: "line 12", and for a field of it "line 12, /image_01_path".
LintPlace line_place(const std::string& file, std::uint64_t line, std::string_view field = "");
LintPlace row_place(const std::string& file, const RawRow& row, std::string_view field = "");

// A text as messages show it.
std::string in_quotes(std::string_view text);

// "image_01_path".
std::string slot_field(int number, std::string_view field);

// Every rule that a row breaks by itself (S01 to S09, S11, S12, and the form of S10). Opens no image.
LintProblems lint_row(const std::string& file, const RawRow& row);

// The filled slots of a row whose paths keep rule S06, so that they are safe to open below the folder.
std::vector<const RawSlot*> sound_slots(const RawRow& row);

}  // namespace fiducial::medthinkvqa
