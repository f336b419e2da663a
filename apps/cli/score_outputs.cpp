#include "score_outputs.h"

#include "fiducial/base/file.h"
#include "fiducial/base/plain_text.h"

#include "shell_word.h"

namespace fiducial::cli {

void say_score_outputs(const std::string& folder, Console& console) {
  std::string written;
  for (const char* file : {"summary.json", "rows.parquet", "plan.json", "rexrank.json"}) {
    if (is_file(Path(folder) / file)) append_joined(written, file);
  }
  console.note("wrote " + folder + ": " + written);
  if (is_file(Path(folder) / "report.html")) console.note("open  " + (Path(folder) / "report.html").string());
  if (is_file(Path(folder) / "rows.parquet"))
    console.note("next  fiducial rows " + shell_word(folder) + " --worst 10");
}

}  // namespace fiducial::cli
