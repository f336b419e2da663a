#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fiducial {

// Bytes of a reply.
struct ReplySpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// What an answer was taken from: the sentences of the reply that alone give the same letter by the same
// rule, and give it no more when one is cut off their front or their end. Nothing where the reply does not
// give the letter.
std::optional<ReplySpan> taken_span(std::string_view reply, const std::array<std::string, 5>& options,
                                    char letter);

}  // namespace fiducial
