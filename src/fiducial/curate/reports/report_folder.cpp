#include "fiducial/curate/reports/report_folder.h"

#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/base/system_error.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

std::string_view given(std::string_view text) {
  const std::string lower = ascii_lower(text);
  return lower == "not given." || lower == "not given" ? std::string_view() : text;
}

}  // namespace

bool names_a_file(std::string_view id) {
  constexpr std::size_t longest = 200;
  return !id.empty() && id.size() <= longest && is_letter_or_digit(id.front()) &&
         std::all_of(id.begin(), id.end(),
                     [](char c) { return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-'; });
}

Outcome write_report_file(StageCall& call, const std::string& folder, std::string_view id,
                          const Json& document) {
  const Path parent = call.output().staging() / folder;
  FIDUCIAL_TRY_DONE(make_folders(parent));
  return write_staged_file(parent / (std::string(id) + ".json"), document.pretty());
}

ReportSectionsText sections_of(const ReportRow& row) {
  ReportSectionsText out{.findings = given(row.texts.front().text), .impressions = {}};
  if (row.texts.size() > 1) out.impressions = given(row.texts[1].text);
  return out;
}

}  // namespace fiducial
