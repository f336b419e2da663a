#include "fiducial/findings/report_polarity.h"

#include <gtest/gtest.h>

#include "fiducial/findings/finding_phrases.h"
#include "fiducial/findings/report_grounding.h"

namespace fiducial {

namespace {

std::string filled_denial(std::string_view words, std::string_view finding) {
  std::string out(words);
  for (std::size_t at = out.find('X'); at != std::string::npos; at = out.find('X', at + finding.size()))
    out.replace(at, 1, finding);
  return out;
}

// Whether every reader of reports takes all that a text finds for absent, or for present.
testing::AssertionResult every_reader_says(const std::string& text, bool present) {
  static FactReader facts;
  static ReportStandardiser standardiser;
  static FindingExtractor extractor;
  static ReportGrounder grounder;
  static PolarityReader polarity;
  bool found = false;
  for (const Fact& fact : facts.read(text)) {
    found = true;
    if (fact.present != present) return testing::AssertionFailure() << "facts of \"" << text << "\"";
  }
  const StandardReport report = standardiser.standardise(text, "");
  for (const FindingPhrase& phrase : extractor.extract(report)) {
    if (phrase.abnormal != present) return testing::AssertionFailure() << "phrases of \"" << text << "\"";
  }
  for (const auto& section : report.sections) {
    for (const StandardSentence& sentence : section) {
      for (const Fact& fact : facts.read(sentence.text)) {
        if (fact.present != present)
          return testing::AssertionFailure() << "standard words \"" << sentence.text << "\"";
      }
    }
  }
  for (const GroundedFinding& finding : grounder.findings(text)) {
    if (finding.present != present) return testing::AssertionFailure() << "questions of \"" << text << "\"";
  }
  const PolarityRecord record = polarity.read(text);
  if ((present ? record.denied() : record.stated()).any())
    return testing::AssertionFailure() << "record of \"" << text << "\"";
  if (!found) return testing::AssertionFailure() << "nothing is found in \"" << text << "\"";
  return testing::AssertionSuccess();
}

constexpr std::string_view tried_findings[] = {"LAP",
                                               "mediastinal LAP",
                                               "PTX",
                                               "PE",
                                               "GGO",
                                               "pleural effusion",
                                               "consolidation",
                                               "cardiomegaly",
                                               "sequela changes",
                                               "atheroma plaques",
                                               "rib fracture"};

bool is_turned(std::string_view source, std::string_view text) {
  PolarityReader reader;
  return turned_finding(reader.read(source), reader.read(text)).has_value();
}

}  // namespace

TEST(Polarity, is_denied_by_every_reader_in_every_layout) {
  for (const std::string_view words : {"No X.",
                                       "NO X.",
                                       "no X",
                                       "No pathological X.",
                                       "No pathological X was detected.",
                                       "There is no X.",
                                       "There is no evidence of X.",
                                       "X: not present.",
                                       "X: NOT PRESENT",
                                       "X: Not detected.",
                                       "X: none.",
                                       "X: no.",
                                       "X: No\nHeart: normal",
                                       "X (-).",
                                       "X: (-)",
                                       "X ........ none",
                                       "X? No.",
                                       "Nil X.",
                                       "X: nil.",
                                       "X: 0",
                                       "X: N",
                                       "X: -",
                                       "X: --",
                                       "X: none identified",
                                       "X: No evidence",
                                       "X: false",
                                       "| X | absent |",
                                       "| X | No |",
                                       "X (none)",
                                       "X [absent]",
                                       "[ ] X",
                                       "\xE2\x98\x90 X",
                                       "\xE2\x9C\x97 X",
                                       "X \xE2\x9C\x97",
                                       "w/o X",
                                       "No: X.",
                                       "Not seen: X.",
                                       "Absent: X",
                                       "Absent:\n- X\n- X\nLungs: normal",
                                       "None of the following: X, X.",
                                       "Pertinent negatives: X, X.",
                                       "The scan does not contain X.",
                                       "We did not find any X.",
                                       "The lungs fail to show X.",
                                       "X has been excluded.",
                                       "X ruled out.",
                                       "X = 0",
                                       "I do not see X.",
                                       "The examination does not demonstrate X.",
                                       "Nothing to suggest X.",
                                       "There was never any X.",
                                       "Zero evidence of X.",
                                       "X is nowhere seen.",
                                       "Findings not accompanied by X.",
                                       "There is a small thymus that does not show X.",
                                       "X - none.",
                                       "X is not seen.",
                                       "X was not detected.",
                                       "X absent.",
                                       "Without X.",
                                       "Negative for X.",
                                       "No X, no abscess.",
                                       "Neither X nor abscess is seen.",
                                       "There is no evidence of abscess or X.",
                                       "X, abscess: none."}) {
    for (const std::string_view finding : tried_findings)
      EXPECT_TRUE(every_reader_says(filled_denial(words, finding), false));
  }
}

TEST(Polarity, is_stated_by_every_reader_in_every_layout) {
  for (const std::string_view words :
       {"X.", "There is X.", "X is seen.", "X: present.", "X: yes.", "X (+).", "Evidence of X.",
        "Positive for X.", "X was detected.", "There is no doubt that X is present.", "No doubt about X.",
        "Without contrast, X is seen."}) {
    for (const std::string_view finding : tried_findings)
      EXPECT_TRUE(every_reader_says(filled_denial(words, finding), true));
  }
}

TEST(Polarity, of_an_answer_after_a_colon_ends_with_it) {
  PolarityReader reader;
  const std::string text = "PTX: none, effusion: present; LAP: not seen\nEmphysema: no";
  const PolarityRecord record = reader.read(text);
  const Lexicon& lexicon = Lexicon::chest_ct();
  EXPECT_TRUE(record.only_denied()[lexicon.required_concept("pneumothorax")]);
  EXPECT_TRUE(record.only_stated()[lexicon.required_concept("effusion")]);
  EXPECT_TRUE(record.only_denied()[lexicon.required_concept("lymph_node")]);
  EXPECT_TRUE(record.only_denied()[lexicon.required_concept("emphysema")]);
}

TEST(Polarity, of_an_answer_ends_with_its_line) {
  PolarityReader reader;
  const Lexicon& lexicon = Lexicon::chest_ct();
  for (const char* text : {"effusion: no\nemphysema: present", "effusion: none\nemphysema: yes",
                           "effusion: not seen\nemphysema"}) {
    const PolarityRecord record = reader.read(text);
    EXPECT_TRUE(record.only_denied()[lexicon.required_concept("effusion")]) << text;
    EXPECT_TRUE(record.only_stated()[lexicon.required_concept("emphysema")]) << text;
  }
  EXPECT_TRUE(every_reader_says("Impression: no\nnodule", false));
}

TEST(Polarity, of_what_a_place_denies_after_a_colon_is_that_of_the_finding_after_it) {
  EXPECT_TRUE(every_reader_says("Lungs: No nodule.", false));
  EXPECT_TRUE(every_reader_says("Pleura: no or little effusion.", false));
}

TEST(Polarity, tells_a_finding_that_a_text_turns) {
  EXPECT_TRUE(is_turned("No LAP was detected.", "Lymphadenopathy was detected."));
  EXPECT_TRUE(is_turned("Emphysema is seen.", "No emphysema is seen."));
  EXPECT_TRUE(is_turned("No lesion was detected.", "A mass is seen."));
  EXPECT_FALSE(is_turned("No LAP was detected.", "Lymphadenopathy is absent."));
  EXPECT_FALSE(is_turned("A nodule, no new nodule.", "A nodule is seen."));
  EXPECT_FALSE(is_turned("Effusion may be present.", "No effusion is seen."));
  EXPECT_FALSE(is_turned("No nodule on the left; a nodule on the right.", "A nodule on the right."));
}

// What each finding of a text is: "-nodule left".
std::vector<std::string> signed_findings(std::string_view text) {
  static FactReader reader;
  std::vector<std::string> out;
  for (const Fact& fact : reader.read(text)) {
    std::string line = (fact.present ? "+" : "-") + Lexicon::chest_ct().concepts()[fact.finding].name;
    if (fact.left) line += " left";
    if (fact.right) line += " right";
    out.push_back(std::move(line));
  }
  return out;
}

TEST(Polarity, ends_a_denial_at_a_comma_that_begins_a_statement) {
  using Findings = std::vector<std::string>;
  EXPECT_EQ(signed_findings("No nodule on the left, a consolidation on the right."),
            (Findings{"-nodule left", "+consolidation right"}));
  EXPECT_EQ(signed_findings("No pleural effusion on the right, a 5 mm nodule in the left upper lobe."),
            (Findings{"-pleural_effusion right", "+nodule left"}));
  EXPECT_EQ(signed_findings("No pneumothorax, minimal pleural effusion on the left."),
            (Findings{"-pneumothorax", "+pleural_effusion left"}));
  EXPECT_EQ(signed_findings("No consolidation in the right lung, consolidation in the left lower lobe."),
            (Findings{"-consolidation right", "+consolidation left"}));
  EXPECT_EQ(signed_findings("No emphysema, a hiatal hernia is present."),
            (Findings{"-emphysema", "+hiatal_hernia"}));
  EXPECT_EQ(signed_findings("Resolution of the pleural effusion."), Findings{"-pleural_effusion"});
  EXPECT_EQ(signed_findings("Partial resolution of the pleural effusion."), Findings{"+pleural_effusion"});
}

TEST(Polarity, goes_on_over_commas_of_a_list) {
  for (const char* text :
       {"No mass, nodule, or infiltration was detected in both lungs.", "Without a mass, a nodule or a cyst.",
        "No pleural effusion, pneumothorax, consolidation.", "No emphysema, a few nodules in both lungs.",
        "No nodule in the right lung, mass in the left lung was detected.",
        "No effusion in the right or left hemithorax, pneumothorax or consolidation.",
        "No nodule on the left, no consolidation on the right."})
    EXPECT_TRUE(every_reader_says(text, false)) << text;
}

TEST(Polarity, reads_texts_without_a_word) {
  PolarityReader reader;
  for (const char* text :
       {"", "\n", "\nNo nodule.", "...", ":", ": no", "(-)", "\n\n:\n-", "?!.;,", "no", "none"}) {
    const PolarityRecord record = reader.read(text);
    EXPECT_TRUE(record.stated().none()) << text;
    EXPECT_FALSE(record.denies_all() && record.clauses().empty()) << text;
  }
}

TEST(Polarity, of_an_entry_of_a_template_is_of_what_it_heads) {
  ReportGrounder grounder;
  const auto told = [&grounder](const char* text) {
    std::string out;
    for (const GroundedFinding& finding : grounder.findings(text)) {
      out += (out.empty() ? "" : ", ") + std::string(finding.present ? "" : "no ") + finding.name;
      for (const std::string& path : finding.paths) out += " @" + std::string(node_of(path));
    }
    return out;
  };
  EXPECT_EQ(told("Heart: enlarged."), "cardiomegaly @heart");
  EXPECT_EQ(told("Pleura: no effusion."), "no pleural effusion @pleura");
  EXPECT_EQ(told("Mediastinum: LAP present."), "lymph node @mediastinum");
  EXPECT_EQ(told("Pleural effusion: small, left."), told("Pleural effusion is small, left."));
  EXPECT_EQ(told("Pleural effusion: none. Heart: enlarged."),
            "no pleural effusion @pleura, cardiomegaly @heart");
  EXPECT_EQ(told("LUNGS: NO NODULE. PLEURA: EFFUSION."), "no nodule @lung, pleural effusion @pleura");
}

TEST(ReportPlaces, are_read_from_abbreviated_lobes) {
  ReportGrounder grounder;
  const auto paths = [&grounder](const char* text) { return grounder.findings(text).at(0).paths; };
  EXPECT_EQ(paths("A nodule in the RUL. The heart is normal."), paths("A nodule in the right upper lobe."));
  EXPECT_EQ(paths("RML nodule."), paths("Right middle lobe nodule."));
  EXPECT_EQ(paths("Nodules in the LUL and LLL."),
            paths("Nodules in the left upper lobe and left lower lobe."));
  EXPECT_NE(paths("A nodule in the LML."), paths("A nodule in the left middle lobe."));
}

}  // namespace fiducial
