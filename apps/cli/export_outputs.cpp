#include "export_outputs.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial::cli {

Result<int> say_packed(const PackedSubmission& packed, const SubmissionRequest& request, bool as_json,
                       Console& console) {
  if (!packed.manifest) {
    if (as_json) {
      console.print(packed.report.json().pretty());
    } else {
      console.show(lint_table(packed.report));
    }
    return invalid_data("the submission has errors; nothing was written")
        .in_file(request.predictions.string());
  }
  if (as_json) {
    console.print(packed.manifest->pretty());
    return 0;
  }
  const Json& archive = *packed.manifest->find("archive");
  console.show(lint_table(packed.report));
  console.print(request.output.string() + ": " + decimal(packed.report.submission->files.size()) +
                " files, " + decimal(integer_at(archive, "bytes")) + " bytes, sha256 " +
                text_at(archive, "sha256") + "\n");
  return 0;
}

}  // namespace fiducial::cli
