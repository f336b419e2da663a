#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

// What a question is about, and its answer.
struct AskedQuestion {
  const char* family = "";
  std::string_view finding;  // "" where none is named
  std::string_view path;     // likewise
  std::string_view answer;
  const char* basis = "";
  std::vector<std::uint32_t> accepted;  // of locations: every path that is right (PathNumbers)
};

// Its line of questions.jsonl.
std::string question_line(std::string_view volume, std::string_view words, const AskedQuestion& asked);

}  // namespace fiducial
