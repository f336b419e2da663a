#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fiducial {

// A field of a benchmark card: its key in JSON and its label in Markdown.
struct CardField {
  enum class Kind {
    text,           // "N/A" where it is missing
    optional_text,  // left out where it is null
    list,           // left out where it is empty
    links,          // a list of addresses
    risks,          // categories of the risk atlas with what falls under them
    harm,           // an optional text, or a list
  };

  std::string_view key;
  std::string_view label;
  Kind kind = Kind::text;
};

struct CardSection {
  std::string_view key;
  std::string_view heading;  // with its sign
  std::span<const CardField> fields;
  std::string_view absent = "N/A";  // how "N/A" is printed
};

// The six sections of the BenchmarkCards form, in order.
std::span<const CardSection> card_sections();

// The place of a member below a place (RFC 6901).
std::string child_pointer(std::string pointer, std::string_view key);

// What our own cards add to each section: where its fields come from.
inline constexpr std::string_view provenance_label = "Provenance";
inline constexpr std::string_view alert_mark = "> \u26a0\ufe0f ";

}  // namespace fiducial
