#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/findings/concept_rules.h"
#include "fiducial/findings/measurements.h"

namespace fiducial {

// A finding, whether it is there, and every place it is said of.
struct GroundedFinding {
  std::string name;  // "pleural effusion"
  bool present = true;
  std::vector<std::string> paths;  // the deepest ones: "lung/lung/left lung"; sorted
  std::vector<Measurement> sizes;
};

// A path and all above it, the shortest first: "a", "a/b", "a/b/c".
std::vector<std::string> with_ancestors(const std::string& path);
// The paths that no other one goes on from; sorted.
std::vector<std::string> deepest(std::vector<std::string> paths);
// The last name of a path: "left lung" of "lung/lung/left lung".
std::string_view node_of(std::string_view path);

// When a clause speaks of a path (data/paths.txt).
const ConceptRules& path_rules();
// Every path that reports can be tied to, with all above them; sorted.
const std::vector<std::string>& known_paths();

// Ties what reports say to the anatomy of RadGenome-Chest CT. Keeps memory from one text to the next; one
// thread at a time.
class ReportGrounder {
 public:
  ReportGrounder();

  // What a text states or denies, in its order. Questions, words that are no finding alone, and disorders
  // that a text leaves open are left out.
  std::vector<GroundedFinding> findings(std::string_view text);
  // The deepest paths a sentence speaks of.
  std::vector<std::string> paths(std::string_view sentence);

 private:
  // Parts of a clause: those before its first finding, and from a finding to the next.
  struct Stretch {
    std::uint32_t preface_end = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    bool holds(std::uint32_t part) const { return part < preface_end || (part >= begin && part < end); }
  };

  bool is_finding(const Mention& mention) const;
  Stretch stretch_of(const Mention& finding, const Clause& clause) const;
  std::vector<std::string> clause_paths(const Clause& clause, const Stretch& stretch) const;
  void add_findings(std::string_view text, const Clause& clause, std::vector<GroundedFinding>& found) const;

  const ConceptRules& rules_;
  ConceptSet placing_;  // anatomy and sides
  ConceptSet sides_;
  ConceptSet vague_;
  ConceptSet hedges_;  // where they are, nothing is taken for a disorder
  ConceptSet disorders_;
  ConceptId judgement_;
  ClauseReader reader_;
};

// Templates by family (data/questions.txt).
const std::map<std::string, std::vector<std::string>>& question_templates();
std::string filled_question(std::string_view words, std::string_view finding, std::string_view region);

}  // namespace fiducial
