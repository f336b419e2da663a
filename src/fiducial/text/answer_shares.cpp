#include "fiducial/text/answer_shares.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/text/answer_pieces.h"
#include "fiducial/text/reply_characters.h"

namespace fiducial {

namespace {

// The shares of the options, those without one below any number.
using Shares = std::array<std::optional<double>, answer_letters.size()>;

std::optional<ExtractedAnswer> largest(const Shares& shares, AnswerRule rule) {
  constexpr std::size_t fewest = 2;
  std::size_t given = 0;
  std::size_t best = 0;
  bool is_tie = false;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!shares[i]) continue;
    if (given++ == 0 || *shares[i] > *shares[best]) {
      best = i;
      is_tie = false;
    } else if (*shares[i] == *shares[best]) {
      is_tie = true;
    }
  }
  if (given < fewest) return std::nullopt;
  if (is_tie) return ExtractedAnswer{std::nullopt, AnswerRule::ambiguous};
  return ExtractedAnswer{answer_letters[best], rule};
}

std::string_view stripped(std::string_view text, std::string_view marks) {
  const std::size_t begin = text.find_first_not_of(marks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(marks) + 1 - begin);
}

// "60% A" as "A 60%".
std::string letter_first(std::string_view part) {
  const bool is_turned = part.find('%') != std::string_view::npos && is_digit(part.front()) &&
                         is_letter(part.back()) && !is_letter(part[part.size() - 2]);
  return is_turned ? part.back() + std::string(part.substr(0, part.size() - 1)) : std::string(part);
}

// "A: 10 %", "(B) - 0.8", "C (60%)".
bool take_share(std::string_view written, Shares& shares) {
  const std::string turned = letter_first(stripped(written, " \t()[].-"));
  const std::string_view part = turned;
  if (part.empty()) return false;
  const std::size_t option = answer_letters.find(option_letter(part[0]));
  if (option == std::string_view::npos || part.size() == 1 || is_letter(part[1])) return false;
  const std::string_view number = stripped(part.substr(1), " \t()[]:-=~%");
  const std::optional<double> share = parse_double(number);
  if (!share || !std::isfinite(*share) || shares[option]) return false;
  shares[option] = share;
  return true;
}

}  // namespace

std::optional<ExtractedAnswer> answer_by_shares(std::string_view reply) {
  constexpr std::size_t longest = 400;
  if (reply.size() > longest) return std::nullopt;
  const std::string text = plain_characters(reply);
  Shares shares;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of("\n,;|"), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (stripped(part, " \t").empty()) continue;
    if (!take_share(part, shares)) return std::nullopt;
  }
  return largest(shares, AnswerRule::statement);
}

std::optional<ExtractedAnswer> answer_by_shares(const Json& value) {
  const auto* members = value.as_object();
  if (members == nullptr) return std::nullopt;
  Shares shares;
  for (const auto& [key, member] : *members) {
    const std::size_t option =
        key.size() == 1 ? answer_letters.find(option_letter(key[0])) : std::string::npos;
    const std::optional<double> share = member.as_number();
    if (option == std::string::npos || !share) return std::nullopt;
    shares[option] = share;
  }
  return largest(shares, AnswerRule::json);
}

}  // namespace fiducial
