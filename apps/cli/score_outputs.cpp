#include "score_outputs.h"

#include "fiducial/base/file.h"
#include "fiducial/base/plain_text.h"

namespace fiducial::cli {

namespace {

// A word of a command that a shell takes as one.
std::string shell_word(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:@%,=";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

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
