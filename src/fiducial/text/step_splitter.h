#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

// What becomes of a piece that is nothing but a bullet.
enum class BulletOnly {
  drop,       // it is no step
  keep_empty  // it is an empty step, as in the published splitter
};

// The most steps an explanation has; what follows is left out.
inline constexpr std::size_t max_steps = 15;

// An explanation cut into steps by its punctuation, as the published splitter does when no model cuts it:
// after . ! ? before white space, at ; before white space, and at line ends. White space inside a step is
// collapsed; spaces, hyphens and bullets at its ends go. Abbreviations are cut too.
std::vector<std::string> split_steps(std::string_view explanation, BulletOnly bullets = BulletOnly::drop);

}  // namespace fiducial
