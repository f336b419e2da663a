#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// Any bytes as text of an HTML document or of a quoted attribute. Markup is escaped, control characters and
// bytes that are no UTF-8 become U+FFFD, and so do marks that turn the direction of the text around them.
std::string html_escaped(std::string_view text);

}  // namespace fiducial
