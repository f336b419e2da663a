#pragma once

#include <string_view>
#include <vector>

#include "fiducial/findings/measurements.h"
#include "fiducial/findings/report_clauses.h"

namespace fiducial {

enum class Certainty { stated, likely, asked };
std::string_view to_string(Certainty certainty);

// One thing a report says: a finding, whether it is there, where, how large. It points at its characters.
struct Fact {
  ConceptId finding = 0;
  bool present = true;  // false: denied, or what it is said of is normal
  Certainty certainty = Certainty::stated;
  bool speaks_of_prior = false;    // of an earlier examination too
  std::vector<ConceptId> anatomy;  // named in its clause, or what the sentence spoke of before
  bool left = false;               // both: on both sides
  bool right = false;
  std::vector<Measurement> sizes;  // those nearest to it
  TextSpan evidence;               // the words of the finding
  TextSpan clause;                 // the words around it that belong together
};

// Reads the facts of texts, in order. Keeps memory from one text to the next; one thread at a time.
class FactReader {
 public:
  explicit FactReader(const Lexicon& lexicon = Lexicon::chest_ct());

  // The text has fewer than 2^32 bytes.
  std::vector<Fact> read(std::string_view text);
  const Lexicon& lexicon() const { return lexicon_; }

 private:
  struct Cues {
    ConceptId maybe = 0, attributed = 0, prior = 0, left = 0, right = 0, bilateral = 0, judgement = 0;
  };

  void read_clause(const Clause& clause, std::vector<Fact>& facts) const;

  const Lexicon& lexicon_;
  Cues cues_;
  ClauseReader reader_;
};

}  // namespace fiducial
