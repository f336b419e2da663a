#include "fiducial/curate/reports/reply_polarity.h"

namespace fiducial {

namespace {

ItemStatus changed_polarity(std::string detail) { return rejected("changed_polarity", std::move(detail)); }

std::string first_name(const ConceptSet& findings, const PolarityRecord& record) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i]) return record.name(i);
  }
  return {};
}

}  // namespace

PolarityRecord ReplyPolarity::read(const ReportSectionsText& texts) {
  return reader_.read(std::string(texts.findings) + ".\n" + std::string(texts.impressions));
}

ItemStatus ReplyPolarity::check_text(std::string_view source, std::string_view text, bool alike) {
  const PolarityRecord said = reader_.read(source);
  const PolarityRecord written = reader_.read(text);
  if (const auto turned = turned_finding(said, written)) {
    return changed_polarity("\"" + std::string(source) + "\": " + *turned +
                            " is stated by one and denied by the other");
  }
  if (!alike || said.denies_any() == written.denies_any()) return {};
  return changed_polarity("\"" + std::string(source) +
                          "\": " + (said.denies_any() ? "a denial was lost" : "a denial was added"));
}

ItemStatus ReplyPolarity::check_finding(const PolarityRecord& source, std::string_view finding,
                                        bool present) {
  const PolarityRecord said = reader_.read(finding);
  const std::string place = "\"" + std::string(finding) + "\": ";
  if (present) {
    if (said.denies_all()) return changed_polarity(place + "is said to be there, and denies it");
    if (source.denies_all()) return changed_polarity(place + "all that its source speaks of is denied there");
    const std::string denied = first_name(said.stated() & source.only_denied(), source);
    return denied.empty() ? ItemStatus{} : changed_polarity(place + denied + " is denied in the report");
  }
  const ConceptSet named = said.stated() | said.denied();
  const std::string stated = first_name(named & source.only_stated(), source);
  return stated.empty() ? ItemStatus{} : changed_polarity(place + stated + " is stated in the report");
}

ItemStatus ReplyPolarity::check_positive(const ReportSectionsText& texts, const Json& positive) {
  const PolarityRecord report = read(texts);
  for (const auto& [key, text] : *positive.as_object()) {
    ItemStatus status = check_finding(report, *text.as_string(), true);
    if (!status.is_failure()) continue;
    status.detail = key + ": " + status.detail;
    return status;
  }
  return {};
}

}  // namespace fiducial
