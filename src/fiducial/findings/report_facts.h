#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/findings/finding_places.h"
#include "fiducial/findings/measurements.h"
#include "fiducial/findings/polarity_rule.h"

namespace fiducial {

// asked: or said to be beyond judgement, or named only in what is recommended
enum class Certainty { stated, likely, asked };
std::string_view to_string(Certainty certainty);

// How a finding stands to earlier examinations. prior: they are spoken of, and no more.
enum class Temporal { current, prior, fresh, stable };
std::string_view to_string(Temporal temporal);

// One thing a report says: a finding, whether it is there, where, how large. It points at its characters.
struct Fact {
  ConceptId finding = 0;
  bool present = true;  // false: denied, or what it is said of is normal
  Certainty certainty = Certainty::stated;
  bool speaks_of_prior = false;  // of an earlier examination too
  Temporal temporal = Temporal::current;
  std::vector<ConceptId> anatomy;  // said of it in its clause, or what the sentence spoke of before
  std::vector<std::string> paths;  // the same in the anatomy of RadGenome-Chest CT, the deepest ones
  bool left = false;               // both: on both sides
  bool right = false;
  std::vector<Measurement> sizes;        // those nearest to it
  std::vector<Measurement> prior_sizes;  // those of an earlier examination
  TextSpan evidence;                     // the words of the finding
  TextSpan clause;                       // the words around it that belong together
};

// Reads the facts of texts, in order. Keeps memory from one text to the next; one thread at a time.
class FactReader {
 public:
  FactReader();

  // The text has fewer than 2^32 bytes.
  std::vector<Fact> read(std::string_view text);
  const Lexicon& lexicon() const { return lexicon_; }

 private:
  struct Cues {
    ConceptId maybe = 0, attributed = 0, prior = 0, left = 0, right = 0, bilateral = 0, novelty = 0,
              stability = 0;
  };

  void read_clause(std::string_view text, const Clause& clause, std::vector<Fact>& facts) const;
  Temporal temporal_of(const Clause& clause) const;

  const Lexicon& lexicon_;
  Cues cues_;
  FindingPlacer placer_;
  PolarityRule polarity_;
  ClauseReader reader_;
};

}  // namespace fiducial
