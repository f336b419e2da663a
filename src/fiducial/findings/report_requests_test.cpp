#include "fiducial/findings/report_requests.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fiducial/findings/report_facts.h"
#include "fiducial/findings/report_labels.h"
#include "fiducial/findings/report_polarity.h"

namespace fiducial {
namespace {

constexpr std::string_view requests[] = {"To exclude X.",
                                         "CT to rule out X.",
                                         "CT was performed to exclude X.",
                                         "Please exclude X.",
                                         "Rule out X.",
                                         "R/O X.",
                                         "Query X.",
                                         "Evaluate for X.",
                                         "Assessment for X.",
                                         "Referred for exclusion of X.",
                                         "Clinical question: X?",
                                         "Clinical question: X",
                                         "Indication: cough, X.",
                                         "Reason for exam: X.",
                                         "?X",
                                         "X not assessed.",
                                         "X N/A.",
                                         "X: n/a",
                                         "X: not applicable."};

std::string filled(std::string_view words, std::string_view finding) {
  std::string out(words);
  return out.replace(out.find('X'), 1, finding);
}

TEST(ReportRequests, state_and_deny_nothing) {
  PolarityReader polarity;
  FactReader facts;
  for (const std::string_view finding :
       {"pleural effusion", "consolidation", "pneumothorax", "lymphadenopathy"}) {
    for (const std::string_view request : requests) {
      const std::string text = filled(request, finding);
      const PolarityRecord record = polarity.read(text);
      EXPECT_TRUE(record.stated().none() && record.denied().none()) << text;
      for (const Fact& fact : facts.read(text)) EXPECT_EQ(fact.certainty, Certainty::asked) << text;
    }
  }
}

TEST(ReportRequests, give_no_label) {
  ReportLabeller labeller;
  for (const std::string_view request : requests) {
    // The published labels take a suspicion for a finding, and what was not assessed, too.
    if (request.ends_with("?") || request.ends_with("assessed.")) continue;
    const std::string text = filled(request, "pleural effusion");
    const std::vector<bool>& labels = labeller.labels(text);
    EXPECT_EQ(std::count(labels.begin(), labels.end(), true), 0) << text;
  }
}

TEST(ReportRequests, leave_what_is_found_beside_them) {
  PolarityReader polarity;
  const Lexicon& lexicon = Lexicon::chest_ct();
  for (const char* text :
       {"Pleural effusion on the right, to exclude pneumothorax a film is advised.",
        "Indication: trauma. There is a pleural effusion.", "Indication: trauma\nPleural effusion is seen.",
        "Rule out pneumothorax. Pleural effusion is observed.", "Pleural effusion. Drain: N/A."}) {
    const PolarityRecord record = polarity.read(text);
    EXPECT_TRUE(record.stated()[lexicon.required_concept("pleural_effusion")]) << text;
    EXPECT_FALSE(record.stated()[lexicon.required_concept("pneumothorax")]) << text;
  }
}

}  // namespace
}  // namespace fiducial
