#include "fiducial/workflows/shown_case.h"

#include <algorithm>

#include "fiducial/text/unicode.h"

namespace fiducial {

Expert::Expert(const DiagnosisCase& entry, CueSource hints, CueSource summary) {
  std::string given;
  if (hints == CueSource::expert) {
    cues_.hints.emplace();
    for (const CaseImage& image : entry.images) {
      cues_.hints->push_back(image.caption);
      given += image.caption + "\n";
    }
  }
  if (summary == CueSource::expert) {
    cues_.summary = entry.findings;
    given += entry.findings;
  }
  names_key_ = entry.has_key() && lower_cased(given).find(lower_cased(entry.key_text())) != std::string::npos;
}

}  // namespace fiducial
