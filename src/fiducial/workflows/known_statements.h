#pragma once

#include <string>
#include <vector>

namespace fiducial {

// What a judge is shown under one number.
struct JudgedStatement {
  enum class Kind { own, canary, injection };
  Kind kind = Kind::own;
  std::string text;
  std::size_t place = 0;  // from 0, of what is judged
};

// The texts with two statements among them that are known to be false; one of them asks to be given the flag.
// Where they stand follows from the texts, so that every judge is shown the same.
std::vector<JudgedStatement> with_known_false(const std::vector<std::string>& texts, const std::string& flag);

// SHA-256 of the statements that are known to be false.
std::string known_false_sha256();

}  // namespace fiducial
