#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/sha256.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"

namespace fiducial::medthinkvqa {

// What a published row says apart from its labels, as hashes: enough to prove that a submission has left it
// alone, and to name what it has changed.
//
// correct_answer and correct_answer_text take no part, so that a blind submission, one with labels and one
// with other labels have the same hash. Absent, null and "" are one value, and the order of fields and
// options is none.
struct PublishedRow {
  struct Field {
    std::string name;
    Digest digest;  // of its value

    friend bool operator==(const Field&, const Field&) = default;
  };

  std::uint64_t line = 0;
  std::int64_t images = 0;    // filled slots
  std::vector<Field> fields;  // those with a value, by name
  Digest digest;              // of all names and values

  // The title is the only field with a value.
  bool is_bare() const;
};

// By case number.
using PublishedRows = std::map<std::int64_t, PublishedRow>;

PublishedRow published_row(const RawRow& row);

// How the fields of a row differ from the published ones: "CLINICAL_HISTORY changed, discussion missing", the
// first few of them. Empty where they do not.
std::string field_differences(const PublishedRow& published, const PublishedRow& submitted);

}  // namespace fiducial::medthinkvqa
