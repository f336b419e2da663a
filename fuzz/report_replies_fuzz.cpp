// What a model says of a report: any JSON of the form asked for is held against the report and taken or
// refused with a code.
#include "fiducial/chat/reply_schema.h"
#include "fiducial/curate/reports/finding_replies.h"
#include "fiducial/curate/reports/report_replies.h"

#include "fuzz_input.h"

namespace {

using namespace fiducial;

constexpr ReportSectionsText report{
    .findings = "A 12 mm nodule is in the left upper lobe. No pleural effusion. Heart size is normal.",
    .impressions = "Nodule in the left upper lobe."};

void require_told(const ItemStatus& status) { fuzz::require(!status.is_failure() || !status.code.empty()); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const StandardReport standard =
      ReportStandardiser().standardise(report.findings, report.impressions);
  static const std::vector<FindingPhrase> phrases = FindingExtractor().extract(standard);
  const Result<Json> reply = parse_json(as_text(fuzz::view(bytes, size)));
  if (!reply.ok()) return 0;
  require_told(check_standard_reply(*reply, report));
  require_told(check_category_reply(*reply, Json::object({{"P1", "nodule"}})));
  static const ModelRequest grounding = grounding_request(report);
  static const ModelRequest finding = finding_request(standard);
  if (!form_problem(*reply, grounding.schema)) require_told(check_grounding(*reply, report, {}));
  if (form_problem(*reply, finding.schema)) return 0;
  const ItemStatus findings = check_findings(*reply, standard, phrases);
  require_told(findings);
  if (!findings.is_failure()) (void)agree_on_sentences(phrases_of(*reply), phrases);
  return 0;
}
