#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fiducial/findings/report_grounding.h"
#include "fiducial/text/vocabulary.h"

namespace fiducial {

// The paths that reports can be tied to (known_paths) by number, in their order.
class PathNumbers {
 public:
  static const PathNumbers& known();

  std::uint32_t of(std::string_view path) const;  // of a path that is known
  const std::string& name(std::uint32_t path) const { return known_paths()[path]; }
  std::size_t size() const { return lineages_.size(); }
  // Itself and all above it, the shortest first.
  const std::vector<std::uint32_t>& lineage(std::uint32_t path) const { return lineages_[path]; }

 private:
  PathNumbers();

  std::unordered_map<std::string_view, std::uint32_t, TextHash, std::equal_to<>> numbers_;
  std::vector<std::vector<std::uint32_t>> lineages_;
};

// What one report says of a path: findings in the order they are stated, and those it denies.
struct PlaceFindings {
  std::vector<std::string_view> stated;
  std::vector<std::string_view> terms;  // what each of them is called with its number, size and distribution
  std::vector<std::string_view> denied;
  std::vector<TextSpan> stated_words;   // the first of each finding
  std::vector<TextSpan> cleared_words;  // clauses, of the place or a part of it; the first hundred
  bool cleared = false;                 // something is denied there, or it is called normal
  bool open = false;                    // it is spoken of in words that may be a finding

  // Whether nothing is found there, in so many words.
  bool is_clear() const { return stated.empty() && cleared && !open; }
  bool states(std::string_view finding) const;
  bool denies(std::string_view finding) const;
};

// What one report says, path by path. Holds views of the findings it was given; keeps its memory from one
// report to the next.
class ReportPlaces {
 public:
  ReportPlaces() : places_(PathNumbers::known().size()), is_visited_(places_.size()) {}

  void clear();
  // A path that is spoken of, and all above it.
  void visit(const SpokenPath& spoken);
  // A finding at its paths; what is stated holds of all above them too.
  void place(const GroundedFinding& finding);

  const PlaceFindings& at(std::string_view path) const { return places_[PathNumbers::known().of(path)]; }
  const PlaceFindings& at(std::uint32_t path) const { return places_[path]; }
  // The paths of which something can be told, sorted: where a finding is stated or none is there, and all
  // above them.
  std::vector<std::uint32_t> told_paths() const;

 private:
  void visit_one(std::uint32_t path);

  std::vector<PlaceFindings> places_;  // by path
  std::vector<bool> is_visited_;       // by path
  std::vector<std::uint32_t> visited_;
};

}  // namespace fiducial
