#pragma once

#include <string>
#include <string_view>

#include "fiducial/base/json.h"

namespace fiducial {

// Benchmark cards in the form of the BenchmarkCards collection, as JSON and as Markdown.
//
// A card of our own has two more members: "provenance", which says of every field where it comes from, and
// "alerts", which are shown under the field they are about. Without the first, a card is printed exactly as
// the collection prints it, quirks included: a list of harms as a Python literal, an absent text as "N/A".

// The Markdown of a card. A value of another type than the form has is refused, with its place.
Result<std::string> render_card(const Json& card);

// The card in a Markdown text. What is returned renders to the same lines, blanks at their ends and the line
// ends themselves aside; anything else is refused, with the line. What Markdown does not show is not there:
// is_benchmark, abbreviation, and whether a list was empty or null (it is empty, and a text null).
Result<Json> parse_card(std::string_view markdown);

}  // namespace fiducial
