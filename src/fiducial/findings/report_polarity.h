#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/findings/polarity_rule.h"

namespace fiducial {

// open: asked, guessed, judged ("not of pathological size"), of an earlier examination, or denied of what is
// new or more alone.
enum class Polarity { stated, denied, open };

// What one clause says of one finding.
struct FindingPolarity {
  ConceptId finding = 0;
  TextSpan evidence;
  Polarity polarity = Polarity::stated;
};

struct ClausePolarity {
  TextSpan span;
  bool denies = false;  // something is absent by it, whether or not the lexicon knows what
  std::vector<FindingPolarity> findings;
};

// What a text states and denies, clause by clause, from its own characters. Names that are none by themselves
// ("density", "enlarged") are left out.
class PolarityRecord {
 public:
  explicit PolarityRecord(const Lexicon& lexicon) : lexicon_(&lexicon) {}

  void add(ClausePolarity clause);

  const std::vector<ClausePolarity>& clauses() const { return clauses_; }
  // Findings, by what is said of them anywhere; a mass is a lesion too.
  const ConceptSet& stated() const { return stated_; }
  const ConceptSet& denied() const { return denied_; }
  const ConceptSet& open() const { return open_; }
  // Findings that are denied, and nowhere stated or left open, in whole or in part; and the other way round.
  ConceptSet only_denied() const { return denied_ & ~stated_ & ~open_; }
  ConceptSet only_stated() const { return stated_ & ~denied_ & ~open_; }
  // Whether every clause that says anything denies it.
  bool denies_all() const;
  bool denies_any() const;
  std::string name(std::size_t finding) const;

 private:
  const Lexicon* lexicon_;
  std::vector<ClausePolarity> clauses_;
  ConceptSet stated_, denied_, open_;
};

// A finding that one text states and the other denies, by name; nothing where they agree.
std::optional<std::string> turned_finding(const PolarityRecord& source, const PolarityRecord& text);

// Reads what texts state and deny. Keeps memory from one text to the next; one thread at a time.
class PolarityReader {
 public:
  explicit PolarityReader(const Lexicon& lexicon = Lexicon::chest_ct());

  // The text has fewer than 2^32 bytes.
  PolarityRecord read(std::string_view text);

 private:
  Polarity polarity_of(const Mention& finding, const Clause& clause) const;

  const Lexicon& lexicon_;
  ConceptSet findings_;
  ConceptSet qualified_;  // guessed, compared with what was before, or judged: more than a plain statement
  ConceptSet others_;     // "no new nodule", "no other nodule": there may be some
  PolarityRule rule_;
  ClauseReader reader_;
};

}  // namespace fiducial
