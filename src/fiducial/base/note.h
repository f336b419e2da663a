#pragma once

#include <string>
#include <vector>

namespace fiducial {

// Something a user should know about a value that is otherwise usable, with a stable code.
struct Note {
  std::string code;
  std::string text;

  friend bool operator==(const Note&, const Note&) = default;
};

using Notes = std::vector<Note>;

}  // namespace fiducial
