#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// Markdown passes HTML on to the page it becomes. In a card that is text from data, so what begins a tag or a
// comment is written as "&lt;"; "a < b" and links in angle brackets stay.
std::string without_tags(std::string_view markdown);

// The text again; without_tags loses nothing.
std::string with_tags(std::string_view markdown);

}  // namespace fiducial
