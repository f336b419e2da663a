#pragma once

#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/curate/reports/earlier_outputs.h"
#include "fiducial/findings/finding_phrases.h"

namespace fiducial {

// What a finding is called in the files of its report: "S3", and "P1" or "N2".
struct DocumentKeys {
  std::string key;
  std::string place;
};
class DocumentNumbers {
 public:
  DocumentKeys next(const FindingPhrase& phrase);

 private:
  std::size_t all_ = 0;
  std::size_t positive_ = 0;
  std::size_t negative_ = 0;
};

// The files of a report's findings, as the published pipeline writes them.
struct FindingDocuments {
  Json extracted = Json::Object{};   // {"S1": [phrase, sources, abnormal, prior]}
  Json labelled = Json::Object{};    // the same by "S1,P1" and "S2,N1"
  Json positive = Json::Object{};    // {"P1": phrase}
  Json categories = Json::Object{};  // {"P1": code or "abstain"}
};
FindingDocuments documents_of(const std::vector<FindingPhrase>& phrases);

// The code that a rule of category_rules() gives, or "abstain".
std::string category_code(const FindingPhrase& phrase);

// Reads what standardise wrote: a report in standard words; or says what is wrong with it.
struct ReadStandardReport {
  StandardReport report;
  ItemStatus status;
};
ReadStandardReport standard_report_of(const Json& document);

// Codes phrases that stand alone, as categories does with those of earlier stages.
class PhraseCoder {
 public:
  FindingPhrase coded(const std::string& text);

 private:
  FindingExtractor extractor_;
};

}  // namespace fiducial
