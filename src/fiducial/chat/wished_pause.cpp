#include "fiducial/chat/wished_pause.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <vector>

#include "fiducial/base/ascii.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

using Milliseconds = std::chrono::milliseconds;

std::optional<Milliseconds> seconds_text(std::string_view text) {
  const auto seconds = parse_double(text);
  constexpr double longest = 86'400;
  if (!seconds || !(*seconds >= 0)) return std::nullopt;
  return Milliseconds(static_cast<std::int64_t>(std::min(*seconds, longest) * 1000));
}

// The words and numbers of a date: "Sun, 06 Nov 1994 08:49:37 GMT" has eight.
std::vector<std::string_view> date_words(std::string_view text) {
  const std::string_view between = !text.empty() && is_digit(text.front()) ? "-T:Z" : " ,:-";
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t begin = text.find_first_not_of(between);
    if (begin == std::string_view::npos) return out;
    text.remove_prefix(begin);
    const std::size_t length = std::min(text.find_first_of(between), text.size());
    out.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
}

// Of a month's first three letters; nothing for any other word.
std::optional<std::int64_t> month_of(std::string_view word) {
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const std::size_t at = word.size() == 3 ? months.find(word) : std::string_view::npos;
  if (at == std::string_view::npos || at % 3 != 0) return std::nullopt;
  return static_cast<std::int64_t>(at / 3 + 1);
}

// Year, month, day, hour, minute, second.
using DateParts = std::array<std::optional<std::int64_t>, 6>;

// Two digits are of the century that is nearest.
std::optional<std::int64_t> year_of(std::string_view digits) {
  const auto year = parse_integer(digits);
  if (digits.size() == 4 || !year) return year;
  return digits.size() == 2 ? std::optional(*year + (*year < 70 ? 2000 : 1900)) : std::nullopt;
}

std::optional<DateParts> date_parts(const std::vector<std::string_view>& words) {
  const auto number = [&words](std::size_t at) {
    return parse_integer(words[at].substr(0, words[at].find('.')));
  };
  if (words.size() == 8 && words[7] == "GMT")  // Sun, 06 Nov 1994 08:49:37 GMT, or Sunday, 06-Nov-94
    return DateParts{year_of(words[3]), month_of(words[2]), number(1), number(4), number(5), number(6)};
  if (words.size() == 7)  // Sun Nov  6 08:49:37 1994
    return DateParts{year_of(words[6]), month_of(words[1]), number(2), number(3), number(4), number(5)};
  if (words.size() == 6)  // 1994-11-06T08:49:37Z
    return DateParts{year_of(words[0]), number(1), number(2), number(3), number(4), number(5)};
  return std::nullopt;
}

Milliseconds until(std::int64_t date, std::int64_t unix_seconds) {
  constexpr std::int64_t a_day = 86'400;
  return Milliseconds(std::clamp<std::int64_t>(date - unix_seconds, 0, a_day) * 1000);
}

// The reset of a rate: how long until then, or when.
std::optional<Milliseconds> reset_pause(const std::string& text, std::int64_t unix_seconds) {
  if (const auto duration = parse_duration(text)) return duration;
  if (const auto date = parse_date(text)) return until(*date, unix_seconds);
  return std::nullopt;
}

std::optional<Milliseconds> rate_pause(const HttpReply& reply, std::int64_t unix_seconds) {
  struct Rate {
    std::string remaining;
    std::string reset;
  };
  std::vector<Rate> rates;
  for (const std::string of : {"requests", "tokens"})
    rates.push_back({"x-ratelimit-remaining-" + of, "x-ratelimit-reset-" + of});
  for (const std::string of : {"requests", "tokens", "input-tokens", "output-tokens"})
    rates.push_back({"anthropic-ratelimit-" + of + "-remaining", "anthropic-ratelimit-" + of + "-reset"});
  for (const Rate& rate : rates) {
    if (reply.header(rate.remaining) != "0") continue;
    if (const auto pause = reset_pause(reply.header(rate.reset), unix_seconds)) return pause;
  }
  return std::nullopt;
}

// {"error": {"details": [{"retryDelay": "35s"}]}}
std::optional<Milliseconds> told_delay(const HttpReply& reply) {
  if (reply.status != 429 && reply.status != 503) return std::nullopt;
  const Result<Json> document = parse_json(reply.body);
  const Json* error = document.ok() ? document->find("error") : nullptr;
  const Json::Array* details = error == nullptr ? nullptr : find_array(*error, "details");
  if (details == nullptr) return std::nullopt;
  for (const Json& detail : *details) {
    if (const auto delay = parse_duration(text_at(detail, "retryDelay"))) return delay;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Milliseconds> parse_duration(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return std::nullopt;
  if (const auto plain = seconds_text(text)) return plain;
  double total_ms = 0;
  while (!text.empty()) {
    std::size_t digits = 0;
    while (digits < text.size() && (is_digit(text[digits]) || text[digits] == '.')) ++digits;
    const auto value = parse_double(text.substr(0, digits));
    text.remove_prefix(digits);
    std::size_t letters = 0;
    while (letters < text.size() && is_letter(text[letters])) ++letters;
    const std::string_view unit = text.substr(0, letters);
    text.remove_prefix(letters);
    const double scale = unit == "ms" ? 1 : unit == "s" ? 1e3 : unit == "m" ? 6e4 : unit == "h" ? 3.6e6 : 0;
    if (!value || scale == 0) return std::nullopt;
    total_ms += *value * scale;
  }
  constexpr double a_day = 8.64e7;
  return Milliseconds(static_cast<std::int64_t>(std::min(total_ms, a_day)));
}

std::optional<std::int64_t> parse_date(std::string_view text) {
  const auto parts = date_parts(date_words(text));
  if (!parts) return std::nullopt;
  constexpr std::array<std::int64_t, 6> least{1970, 1, 1, 0, 0, 0};
  constexpr std::array<std::int64_t, 6> most{2900, 12, 31, 23, 59, 60};
  for (std::size_t i = 0; i < least.size(); ++i) {
    const auto& part = parts->at(i);
    if (!part || *part < least.at(i) || *part > most.at(i)) return std::nullopt;
  }
  std::tm out{};
  out.tm_year = static_cast<int>(*parts->at(0)) - 1900;
  out.tm_mon = static_cast<int>(*parts->at(1)) - 1;
  out.tm_mday = static_cast<int>(*parts->at(2));
  out.tm_hour = static_cast<int>(*parts->at(3));
  out.tm_min = static_cast<int>(*parts->at(4));
  out.tm_sec = static_cast<int>(*parts->at(5));
  return static_cast<std::int64_t>(timegm(&out));
}

std::optional<Milliseconds> wished_pause(const HttpReply& reply, std::int64_t unix_seconds) {
  if (const auto exact = parse_unsigned(reply.header("retry-after-ms")))
    return Milliseconds(std::min<std::uint64_t>(*exact, 86'400'000));
  const std::string after = reply.header("retry-after");
  if (const auto seconds = seconds_text(after)) return seconds;
  if (const auto date = parse_date(after)) return until(*date, unix_seconds);
  if (const auto pause = rate_pause(reply, unix_seconds)) return pause;
  return told_delay(reply);
}

}  // namespace fiducial
