#pragma once

#include <set>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/curate/reports/report_rows.h"
#include "fiducial/findings/report_facts.h"
#include "fiducial/findings/report_grounding.h"

namespace fiducial {

// A finding that a report says is absent, as a prompt may ask for it.
struct ReportDenial {
  std::string finding;             // "pleural effusion"
  std::string prompt;              // "Pleural effusion"
  std::vector<std::string> paths;  // where it is denied
  Json source;                     // report, column, sentence, characters and words

  // Whether all of these places lie where it is denied.
  bool covers(const std::vector<std::string>& places) const;
};

// A finding that a text states, or leaves open, with its places and sides.
struct SpokenFinding {
  std::string family;
  std::vector<std::string> paths;
  bool left = false;  // neither: no side is named
  bool right = false;

  // Whether both may be said of one thing: of one family, in places of which one holds the other, on sides
  // that do not exclude each other.
  bool may_be(const SpokenFinding& other) const;
};

// What a report says that control prompts are made of.
struct ReportStatements {
  std::vector<ReportDenial> denials;  // in the order of the report, a finding once
  std::vector<SpokenFinding> spoken;
  std::set<std::string> denied_families;  // of which anything is denied, with reserve or without

  bool speaks_of(const std::string& family) const;
};

// Reads denials that hold without reserve: of the whole finding, here and now, of a family of findings of
// which the report states nothing and leaves nothing open. Keeps memory; one thread at a time.
class DenialReader {
 public:
  ReportStatements read(const ReportRow& row);
  // What a text states, or leaves open.
  std::vector<SpokenFinding> spoken(std::string_view text);

 private:
  void read_text(const ReportRow& row, const ReportText& text, ReportStatements& out);

  ReportGrounder grounder_;
  FactReader facts_;
};

}  // namespace fiducial
