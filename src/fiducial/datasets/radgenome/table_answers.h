#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/text_store.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/datasets/radgenome/split.h"

namespace fiducial {

// An answer as it is compared: without the task's tag ("<Presence> Yes."), white space around it, final
// periods and case.
std::string plain_answer(std::string_view answer);

// The members of a plain list, each once, sorted; none for "no findings".
std::vector<std::string> plain_list(const std::string& answer);

// Yes, No, or neither.
std::optional<bool> yes_or_no(const std::string& plain);

// The answers of a system to the rows of a table.
struct TableAnswers {
  std::string file;
  Digest digest;
  std::vector<TextStore::Id> of_row;  // beside the table's rows; none where there is no answer
  std::int64_t unknown = 0;           // rows that ask what the table does not
  std::int64_t empty = 0;             // rows that answer nothing
  std::string first_unknown;
  TextStore texts;  // as written

  std::int64_t missing() const;
};

// What a row asks, for a message: "valid_1_a_1.nii.gz, lung/lung, nodule".
std::string asked_text(const radgenome::TableRow& row);

// The name of the file in a folder or archive of predictions that answers a table; "" where there is none.
// Two such files are refused.
Result<std::string> find_answer_file(const PredictionFiles& files, const radgenome::TableLayout& layout);

// Reads a file of answers: CSV, plain or gzip, with the columns that the table asks by and "Answer", or as
// the original scripts write them, with one column "Output...". Rows are matched by what they ask, one to one
// and in their order; where a table asks the same several times, a single answer is the answer to all.
// Location is asked by Volumename and Abnormality, and where the file has it by Anatomy. Volumes may be named
// without .nii.gz. An empty cell is no answer. More answers than questions are refused with their line.
Result<TableAnswers> read_answers(const PredictionFiles& files, const std::string& name,
                                  const radgenome::Split& split, radgenome::TableKind kind);

}  // namespace fiducial
