// Files of verdicts, component scores, ratings and discussions: any text gives records or an error with a
// place, and what is read keeps its promises.
#include "fiducial/tasks/diagnosis/discussion_ratings.h"
#include "fiducial/tasks/diagnosis/radcliq_components.h"
#include "fiducial/tasks/diagnosis/step_verdicts.h"
#include "fiducial/text/discussion_sections.h"

#include "fuzz_input.h"

namespace {

using namespace fiducial;

void use(const Result<std::vector<Record>>& records, const std::string& text) {
  if (!records.ok()) {
    fuzz::require(records.error().code() == ErrorCode::invalid_data && !records.error().text().empty());
    return;
  }
  const Result<VerdictTable> verdicts = verdict_table(*records, "fuzz");
  if (verdicts.ok()) {
    for (const auto& [number, of_case] : *verdicts) {
      for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
        for (const JudgedStep& step : judged_steps(&of_case, text, scorer)) {
          fuzz::require(step.number >= 1 && step.number <= 1000);
          fuzz::require((step.verdict.status == VerdictStatus::invalid) == !step.verdict.reason.empty());
        }
      }
    }
  }
  if (const auto ratings = ratings_by_case(*records, "fuzz"); ratings.ok()) {
    for (const auto& [number, of_case] : *ratings) {
      for (const CaseRating& rating : of_case) fuzz::require(!rating.total() || *rating.total() >= 0);
    }
  }
  if (const auto components = component_table(*records, "fuzz"); components.ok()) {
    for (const auto& [place, values] : *components) fuzz::require(place.step == 1 || place.step == 2);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(as_text(fuzz::view(bytes, size)));
  use(parse_jsonl_records(text), text);
  use(parse_csv_records(text), text);
  const Discussion discussion = parse_discussion(text);
  for (const DiscussionSection& section : discussion.sections)
    fuzz::require(section.heading < discussion_headings.size());
  return 0;
}
