#include "fiducial/text/unicode.h"

#include <algorithm>
#include <iterator>

#include "fiducial/base/plain_text.h"
#include "fiducial/base/utf8.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

// Code points that change case by moving a fixed distance.
struct CaseRun {
  char32_t first;
  char32_t last;
  char32_t step;
  int distance;
};
struct CaseText {
  char32_t point;
  std::string_view text;
};
struct CodeRange {
  char32_t first;
  char32_t last;
};

constexpr CaseRun lower_runs[] = {
#define FIDUCIAL_LOWER_RUN(first, last, step, distance) {first, last, step, distance},
#include "fiducial/text/unicode.def"
#undef FIDUCIAL_LOWER_RUN
};
constexpr CaseText lower_texts[] = {
#define FIDUCIAL_LOWER_TEXT(point, text) {point, text},
#include "fiducial/text/unicode.def"
#undef FIDUCIAL_LOWER_TEXT
};
constexpr CaseRun fold_runs[] = {
#define FIDUCIAL_FOLD_RUN(first, last, step, distance) {first, last, step, distance},
#include "fiducial/text/unicode.def"
#undef FIDUCIAL_FOLD_RUN
};
constexpr CaseText fold_texts[] = {
#define FIDUCIAL_FOLD_TEXT(point, text) {point, text},
#include "fiducial/text/unicode.def"
#undef FIDUCIAL_FOLD_TEXT
};
constexpr CodeRange word_ranges[] = {
#define FIDUCIAL_WORD_RANGE(first, last) {first, last},
#include "fiducial/text/unicode.def"
#undef FIDUCIAL_WORD_RANGE
};

// The last run that does not begin after the point, if the point is in it.
template <typename Run, std::size_t count>
const Run* run_of(const Run (&runs)[count], char32_t point) {
  const Run* after = std::upper_bound(std::begin(runs), std::end(runs), point,
                                      [](char32_t value, const Run& run) { return value < run.first; });
  if (after == std::begin(runs) || std::prev(after)->last < point) return nullptr;
  return std::prev(after);
}

template <std::size_t runs, std::size_t texts>
void append_changed(std::string& out, char32_t point, const CaseRun (&by_distance)[runs],
                    const CaseText (&by_text)[texts]) {
  for (const CaseText& each : by_text) {
    if (each.point == point) return static_cast<void>(out.append(each.text));
  }
  const CaseRun* run = run_of(by_distance, point);
  const bool moves = run != nullptr && (point - run->first) % run->step == 0;
  append_utf8(out, moves ? static_cast<char32_t>(static_cast<int>(point) + run->distance) : point);
}

template <typename Append>
std::string changed(std::string_view text, Append append) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const FirstCodePoint point = first_code_point(text.substr(at));
    if (byte < 0x80 || point.bytes > 1) {
      append(out, point.value, at, point.bytes);
    } else {
      out += text[at];
    }
    at += point.bytes;
  }
  return out;
}

}  // namespace

FirstCodePoint first_code_point(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
  if (length == 1 || text.size() < length) return {lead, 1};
  char32_t value = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {lead, 1};
    value = value << 6U | (byte(i) & 0x3FU);
  }
  return {value, length};
}

bool is_white_space(char32_t point) {
  return (point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x20) || point == 0x85 ||
         point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
         point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

bool is_word_character(char32_t point) { return run_of(word_ranges, point) != nullptr; }

std::string lower_cased(std::string_view text) {
  constexpr char32_t capital_sigma = 0x3A3;
  constexpr char32_t final_sigma = 0x3C2;
  bool after_letter = false;
  return changed(text, [&](std::string& out, char32_t point, std::size_t at, std::size_t bytes) {
    const std::string_view rest = text.substr(at + bytes);
    const bool ends = rest.empty() || !is_word_character(first_code_point(rest).value);
    if (point == capital_sigma && after_letter && ends) {
      append_utf8(out, final_sigma);
    } else {
      append_changed(out, point, lower_runs, lower_texts);
    }
    after_letter = is_word_character(point);
  });
}

std::string case_folded(std::string_view text) {
  return changed(text, [](std::string& out, char32_t point, std::size_t, std::size_t) {
    append_changed(out, point, fold_runs, fold_texts);
  });
}

std::string_view white_space_trimmed(std::string_view text) {
  while (!text.empty()) {
    const FirstCodePoint first = first_code_point(text);
    if (!is_white_space(first.value) || (first.bytes == 1 && first.value >= 0x80)) break;
    text.remove_prefix(first.bytes);
  }
  while (!text.empty()) {
    std::size_t last = text.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xC0U) == 0x80U) --last;
    const FirstCodePoint point = first_code_point(text.substr(last));
    const bool is_whole = point.bytes == text.size() - last && (point.bytes > 1 || point.value < 0x80);
    if (!is_whole || !is_white_space(point.value)) break;
    text.remove_suffix(point.bytes);
  }
  return text;
}

std::string white_space_collapsed(std::string_view text) { return joined(white_space_words(text), " "); }

}  // namespace fiducial
