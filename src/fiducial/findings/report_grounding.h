#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/findings/finding_places.h"
#include "fiducial/findings/measurements.h"
#include "fiducial/findings/polarity_rule.h"

namespace fiducial {

// A finding, whether it is there, and every place it is said of.
struct GroundedFinding {
  std::string name;  // "pleural effusion"
  std::string term;  // with its size and distribution: "patchy ground glass"; "" where none is said
  std::string many;  // and with its number: "multiple subcentimeter nodules"; "" where none is said
  bool present = true;
  bool certain = true;             // false: said to be possible, and no more
  std::vector<std::string> paths;  // the deepest ones: "lung/lung/left lung"; sorted
  std::vector<Measurement> sizes;
  std::string
      size_path;  // where the first of them was measured: what holds all its places; "" where nothing does
  TextSpan evidence;  // the words of the finding; none where a model said so
};

// A path that a sentence speaks of, and how: cleared where it denies something there or calls it normal, open
// where it says anything else.
struct SpokenPath {
  std::string path;
  bool cleared = false;
  bool open = false;
  TextSpan clause;  // that speaks of it
};

// What one reading of a text gives.
struct GroundedText {
  std::vector<GroundedFinding> findings;
  std::vector<SpokenPath> spoken;
};

// Ties what reports say to the anatomy of RadGenome-Chest CT. Keeps memory from one text to the next; one
// thread at a time.
class ReportGrounder {
 public:
  ReportGrounder();

  // What a text states or denies, in its order. Left out: questions, what was there once, what could not be
  // judged, words that are no finding alone, what is denied only as something new, and disorders that are
  // left open.
  std::vector<GroundedFinding> findings(std::string_view text);
  // The deepest paths a sentence speaks of.
  std::vector<std::string> paths(std::string_view sentence);
  // Its findings, and the deepest paths of each of its clauses, both in its order.
  GroundedText ground(std::string_view text);

 private:
  struct Cues {
    ConceptId novelty = 0, others = 0, guess = 0, unsure = 0, not_excluded = 0, deny_before = 0,
              deny_after = 0, judgement = 0, assertion = 0, existence = 0;
  };

  // What a mention is called where it is a finding of its clause; "" where it is none.
  std::string name_of(const Mention& mention, const Clause& clause) const;
  // What the place of a mention makes of it (data/names.txt); "" where that is nothing else.
  std::string name_at(const Mention& mention, const Clause& clause, const FindingPlace& place) const;
  bool depends_on_place(ConceptId finding) const;
  bool is_certain(const Mention& mention, const Clause& clause) const;
  // Where what was measured lies.
  std::string path_of_size(std::string_view text, const Measurement& size, const Clause& clause,
                           const GroundedFinding& measured) const;
  std::optional<std::uint32_t> part_of_largest(std::string_view text, const Clause& clause) const;
  void add_findings(std::string_view text, const Clause& clause, std::vector<GroundedFinding>& found) const;
  void add_spoken(std::string_view text, const Clause& clause, std::vector<SpokenPath>& spoken) const;
  std::optional<std::size_t> owner_of(const Measurement& size, const Clause& clause,
                                      const std::vector<const Mention*>& findings) const;

  const ConceptRules& names_;
  FindingPlacer placer_;
  PolarityRule polarity_;
  Cues cues_;
  ConceptSet anatomy_;
  ConceptSet placed_;  // findings where their clause names a place and nothing that is more of one
  ConceptSet hedges_;  // where they are, nothing is taken for a disorder
  ConceptSet disorders_;
  ConceptSet findings_;
  ConceptId enlargement_;
  ClauseReader reader_;
};

// Templates by family (data/questions.txt).
const std::map<std::string, std::vector<std::string>>& question_templates();
// In words that a question reads well with: "mosaic attenuation" for mosaic, "left rib 4" without an article.
std::string filled_question(std::string_view words, std::string_view finding, std::string_view region);

}  // namespace fiducial
