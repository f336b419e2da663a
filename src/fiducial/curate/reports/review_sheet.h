#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fiducial/text/sentences.h"

namespace fiducial {

// What a stage made of a report, to be judged: a finding, a denial or a question.
struct SheetItem {
  std::string kind;
  std::string key;                                      // "P1", "Q12"
  std::string detail;                                   // what is judged, in a line
  std::string code, side, place, size;                  // of a finding, as the program holds them
  std::vector<std::pair<std::string, TextSpan>> words;  // column and characters
};

// A report as a sheet shows it.
struct SheetReport {
  std::string id;
  std::vector<std::pair<std::string, std::string>> texts;  // column and text, in their order
  std::vector<SheetItem> items;
};

// What can be wrong with an item of a kind, in the order of its boxes; of a "report" what is counted.
std::vector<std::string> aspects_of(const std::string& kind);

// One page that needs no other file and sends nothing: every report with its items marked where the words
// stand, a box for everything that can be wrong, and a button that saves the ticks as sheet.csv.
std::string review_page(const std::vector<SheetReport>& reports);

}  // namespace fiducial
