#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// Markdown passes HTML on to the page it becomes. In a card that we compute such is text from data, so what
// begins a tag or a comment is written as "&lt;"; "a < b" and links in angle brackets stay. Cards of the
// collection stay as they were published.
std::string without_tags(std::string_view markdown);

// The text again; without_tags loses nothing.
std::string with_tags(std::string_view markdown);

}  // namespace fiducial
