#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"

namespace fiducial {

enum class Direction { higher, lower, none };
std::string_view to_string(Direction direction);

// Whose rules a metric follows: ours, or those of the benchmark's published scorer.
enum class Scorer { strict, official };
std::string_view to_string(Scorer scorer);

// What a metric gives when masks are empty or absent, in words; missing_value is acted on.
struct EmptyRule {
  std::string both;
  std::string reference;
  std::string prediction;
  std::string missing;
  std::optional<double> missing_value;  // unset: as with an empty prediction
};

// What is promised about a metric. Tables, documents and headers are made from this record.
struct MetricContract {
  std::string id;   // carries the variant; never reused for another definition
  int version = 1;  // raised whenever any output number can change
  std::string title;
  Scorer scorer = Scorer::strict;
  std::string input = "masks";  // what it compares: "masks", "texts", "answers", ...
  std::string group;            // "dice", "hit", "instances", ...: what --metrics selects by
  Direction better = Direction::higher;
  std::string range;
  std::string unit = "1";
  EmptyRule empty;
  std::string definition;
  std::string parameters;
  std::string valid_for;
  std::string citation;
  bool less_is_never_better = false;
  bool needs_spacing = false;  // undefined without the CT's spacing, whatever the masks are
  bool has_ceiling = false;    // the reference itself, as a prediction, may not get the best value
  bool has_tolerance = false;  // depends on the tolerance in mm
  // Depends on which unmatched components are ignored; undefined where the reference may lack entities.
  bool counts_false_positives = false;
};

// The same for a number in which predictions without a reference count against the system.
inline MetricContract counting_false_positives(MetricContract out) {
  out.counts_false_positives = true;
  return out;
}

// The contract of every metric of this build: of masks, of texts, of answers to questions, of tables,
// then of control prompts.
std::vector<MetricContract> all_contracts();

// A contract as a document.
Json contract_json(const MetricContract& contract);

}  // namespace fiducial
