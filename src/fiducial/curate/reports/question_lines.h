#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/findings/standard_report.h"

namespace fiducial {

// What a question is about, and its answer.
struct AskedQuestion {
  const char* family = "";
  std::string_view finding;  // "" where none is named
  std::string_view term;  // what it is called with its number, size and distribution; "": the finding itself
  std::string_view path;  // likewise
  std::string_view answer;
  const char* basis = "";
  std::vector<std::uint32_t> accepted;  // of locations: every path that is right (PathNumbers)
  std::vector<SourceSpan> sources;      // the words of the report that the answer is from
};

// The columns that the sentences of findings and impressions stand in.
struct SourceColumns {
  std::string findings;
  std::string impressions;
};

// Its line of questions.jsonl: up to its words, and from them on.
std::string question_head(std::string_view volume, std::string_view family, std::string_view words);
std::string question_tail(const AskedQuestion& asked, const SourceColumns& columns);

}  // namespace fiducial
