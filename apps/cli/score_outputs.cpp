#include "score_outputs.h"

#include <map>
#include <set>

#include "fiducial/base/file.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/terminal/scorecard.h"

#include "failure_budget.h"
#include "shell_word.h"

namespace fiducial::cli {

namespace {

// Of one kind no more are said; an archive can have tens of thousands of files that belong to no case.
constexpr std::int64_t said_of_a_kind = 10;

}  // namespace

void say_remarks(const ScoreRun& run, Console& console) {
  std::set<std::string> cases;
  for (const RunCase& entry : run.cases) cases.insert(entry.name);
  std::map<std::string, std::int64_t> of_kind;
  for (const Remark& each : run.remarks) {
    if (++of_kind[each.code] > said_of_a_kind) continue;
    const bool has_failed = each.kind == Remark::Kind::failure;
    const std::string prefix = has_failed && cases.contains(each.about) ? each.code + ": " : "";
    if (each.kind == Remark::Kind::note) {
      console.note(each.about + ": " + each.text);
    } else {
      console.warn(prefix + each.about + ": " + each.text);
    }
  }
  for (const auto& [code, count] : of_kind) {
    if (count > said_of_a_kind)
      console.warn(decimal(count - said_of_a_kind) + " more remarks \"" + code +
                   "\"; summary.json lists the first hundred in \"remarks\"");
  }
}

std::string card_of(Json summary, const OptionValues& values, std::size_t width) {
  const auto words = values.find("group-by");
  if (words == values.end()) return scorecard(summary, width);
  Json kinds{Json::Array{}};
  for (const std::string& word : words->second) kinds.push(word.substr(0, word.find(':')));
  return scorecard(summary.set("group_by", std::move(kinds)), width);
}

Result<int> status_by_failures(const std::string& max_failures, const ScoreRun& run, Console& console) {
  FIDUCIAL_TRY(const std::int64_t allowed,
               allowed_failures(max_failures, static_cast<std::size_t>(run.attempts)));
  if (run.failures <= allowed) return 0;
  console.warn(decimal(run.failures) + " of " + decimal(run.attempts) + " " + run.attempt_words +
               "; --max-failures allows " + decimal(allowed));
  return exit_status(ErrorCode::too_many_failures);
}

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
