#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/findings/concept_rules.h"

namespace fiducial {

// A path and all above it, the shortest first: "a", "a/b", "a/b/c".
std::vector<std::string> with_ancestors(const std::string& path);
// The paths that no other one goes on from; sorted.
std::vector<std::string> deepest(std::vector<std::string> paths);
// The deepest place that holds all of some, by one path; "" where there is none.
std::string shared_path(const std::vector<std::string>& paths);
// The last name of a path: "left lung" of "lung/lung/left lung".
std::string_view node_of(std::string_view path);

// When a clause speaks of a path (data/paths.txt).
const ConceptRules& path_rules();
// Every path that reports can be tied to, with all above them; sorted.
const std::vector<std::string>& known_paths();

// The paths that a name of the rules stands for: itself, or one a number ("rib N for rib 1..12").
struct PathPattern {
  std::string name;    // with N where the number stands
  std::string series;  // "rib", "c", "t", "l"; "": no number
  int first = 0;
  int last = 0;

  std::string with(int number) const;
};

// The known paths by number, and what a name of the rules stands for. Immutable.
class PathTable {
 public:
  // Of path_rules() and known_paths().
  static const PathTable& chest_ct();

  const PathPattern& pattern(std::size_t name) const { return patterns_[name]; }
  // Every path that leads to what a name stands for, with a number where it has one.
  const std::vector<std::uint32_t>& paths_to(std::size_t name, int number) const;
  // The names of those that no other one goes on from; sorted.
  std::vector<std::string> deepest_of(std::vector<std::uint32_t> paths) const;

 private:
  explicit PathTable(const std::vector<PathPattern>& patterns);

  const std::vector<PathPattern>& patterns_;                      // by name
  std::vector<std::vector<std::uint32_t>> above_;                 // by path
  std::vector<std::vector<std::vector<std::uint32_t>>> by_name_;  // by name and number
};

}  // namespace fiducial
