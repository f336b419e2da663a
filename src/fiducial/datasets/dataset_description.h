#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/note.h"

namespace fiducial {

// A figure of a description: unknown, a count, a mean, a share of one, or a range of counts.
struct DescribedMean {
  double value = 0;
};
struct DescribedShare {
  double value = 0;
};
struct DescribedRange {
  std::int64_t least = 0;
  std::int64_t greatest = 0;
};
struct DescribedUnknown {};  // hidden: a blind copy does not say
using DescribedFigure = std::variant<std::monostate, std::int64_t, DescribedMean, DescribedShare,
                                     DescribedRange, DescribedUnknown>;

struct DescribedRow {
  std::string title;
  std::vector<DescribedFigure> figures;  // one a column of the description
  bool is_part = false;                  // of the row above it
};

struct DescribedSection {
  std::string title;  // may be empty
  std::vector<DescribedRow> rows;
};

// Counts under labels, drawn as bars: a group of bars a label, a bar a series.
struct DescribedCount {
  std::int64_t count = 0;
  std::string what;  // "train, 3": said of this bar alone
};

struct DescribedSeries {
  std::string name;
  std::string things;                  // that are counted, "findings"; empty: the name says it
  std::int64_t whole = 0;              // all of them
  std::vector<DescribedCount> counts;  // one a label
};

struct DescribedDistribution {
  std::string name;  // of its drawing, without an ending
  std::string title;
  std::string subtitle;
  std::string value_title;
  std::string label_title;
  bool in_shares = true;          // of the whole of a series; false: as counts
  bool labels_are_names = false;  // such as categories; false: places on a scale
  std::vector<std::string> labels;
  std::vector<DescribedSeries> series;
};

// What a dataset says of itself: a table with a column a split, lines that fit in no table, distributions,
// and all of it as a document with a schema of its own.
struct DatasetDescription {
  std::vector<std::string> columns;
  std::vector<DescribedSection> sections;
  std::vector<std::string> lines;
  std::vector<DescribedDistribution> distributions;
  Notes notes;
  Json json;
};

// What to describe.
struct DescribeRequest {
  Path dataset;
  bool masks = false;           // count in the masks, not in the file that lists the cases
  std::optional<Path> volumes;  // CTs: findings are measured in masks and volumes
};

}  // namespace fiducial
