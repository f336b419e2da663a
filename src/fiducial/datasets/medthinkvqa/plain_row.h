#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/datasets/medthinkvqa/raw_row.h"

namespace fiducial::medthinkvqa {

// Reads lines that are written as releases write theirs: one object of distinct names, whose values are
// texts, small integers, booleans, null, and the options. Texts without escapes are views into the line, and
// names are expected in the order of the line before. One thread at a time.
class PlainRowParser {
 public:
  // The row of a line. Nothing for any line that is not so plain, right or wrong: then parse_json decides,
  // which knows all of JSON and where it is broken. What comes out is what it would give.
  std::optional<RawRow> parse(std::string_view line);

  // A member as the last plain line had it.
  struct Expected {
    std::string quoted_name;
    RowMember member;
  };
  // What the next line is expected to be like.
  struct Order {
    std::vector<Expected> members;
    // The longest end of a line in which all members were null: its first member, its bytes, and where each
    // of its members begins in them. Rows with fewer images than slots end so.
    std::size_t first_null = 0;
    std::string nulls;
    std::vector<std::size_t> null_begins;
  };

 private:
  Order order_;
};

}  // namespace fiducial::medthinkvqa
