#include "fiducial/text/identifier_hints.h"

#include <algorithm>
#include <array>
#include <optional>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

// A piece between white space, without the punctuation around it.
struct Piece {
  std::string_view text;
  std::string lower;
  std::size_t begin = 0;  // in characters
  std::size_t end = 0;
};

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<Piece> pieces_of(std::string_view text) {
  constexpr std::string_view around = ".,;:!?()[]{}\"'#";
  std::vector<Piece> out;
  std::size_t counted = 0;  // bytes
  std::size_t place = 0;    // characters before them
  for (std::string_view word : white_space_words(text)) {
    const std::size_t first = std::min(word.find_first_not_of(around), word.size());
    word.remove_prefix(first);
    word = word.substr(0, word.find_last_not_of(around) + 1);
    if (word.empty()) continue;
    const auto at = static_cast<std::size_t>(word.data() - text.data());
    place += character_count(text.substr(counted, at - counted));
    counted = at;
    out.push_back({word, ascii_lower(word), place, place + character_count(word)});
  }
  return out;
}

std::optional<std::int64_t> number_between(std::string_view text, std::int64_t least, std::int64_t most) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  const auto value = parse_integer(text);
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

bool is_year(std::string_view text) { return text.size() == 4 && number_between(text, 1900, 2099); }

// 12/03/2014, 2014-03-12, 12.3.14: three numbers that can be a day, a month and a year.
bool is_numeric_date(std::string_view text) {
  const std::size_t first = text.find_first_of("/.-");
  if (first == std::string_view::npos) return false;
  const std::size_t second = text.find(text[first], first + 1);
  if (second == std::string_view::npos) return false;
  const std::string_view a = text.substr(0, first);
  const std::string_view b = text.substr(first + 1, second - first - 1);
  const std::string_view c = text.substr(second + 1);
  if (is_year(a)) return number_between(b, 1, 12) && number_between(c, 1, 31);
  const bool is_short_year = c.size() == 2 && number_between(c, 0, 99);
  return number_between(a, 1, 31) && number_between(b, 1, 31) && (is_year(c) || is_short_year);
}

bool is_month(const std::string& lower) {
  constexpr std::array<std::string_view, 12> months = {"january",   "february", "march",    "april",
                                                       "may",       "june",     "july",     "august",
                                                       "september", "october",  "november", "december"};
  return std::any_of(months.begin(), months.end(), [&lower](std::string_view month) {
    return lower == month || (lower.size() == 3 && month.starts_with(lower)) || lower == "sept";
  });
}

// "12" or "12th".
bool is_day(const std::string& lower) {
  const std::size_t digits = std::min(lower.find_first_not_of("0123456789"), lower.size());
  const std::string_view rest = std::string_view(lower).substr(digits);
  return number_between(std::string_view(lower).substr(0, digits), 1, 31) &&
         (rest.empty() || rest == "st" || rest == "nd" || rest == "rd" || rest == "th");
}

// "MR", "MS" and "DR" in capitals are a kind of examination, an illness and another examination.
bool is_form_of_address(const Piece& piece) {
  if (piece.text.size() == 2 && is_capital(piece.text[0]) && is_capital(piece.text[1])) return false;
  constexpr std::array<std::string_view, 8> forms = {"mr", "mrs",  "ms",        "miss",
                                                     "dr", "prof", "professor", "name"};
  return std::find(forms.begin(), forms.end(), piece.lower) != forms.end();
}

bool is_name(const Piece& piece) {
  return piece.text.size() >= 2 && is_capital(piece.text[0]) && !is_digit(piece.text[1]);
}

bool is_number_word(const std::string& lower) {
  constexpr std::array<std::string_view, 10> words = {"mrn", "id",  "accession", "nhs",   "ssn",
                                                      "dob", "pid", "record",    "chart", "number"};
  return std::find(words.begin(), words.end(), lower) != words.end();
}

bool has_digits(std::string_view text, std::ptrdiff_t least) {
  return std::count_if(text.begin(), text.end(), is_digit) >= least &&
         text.find_first_not_of("0123456789-/.ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
}

bool is_address(std::string_view text) {
  const std::size_t at = text.find('@');
  return at != 0 && at != std::string_view::npos && text.find('.', at) != std::string_view::npos;
}

// "555-123-4567".
bool is_dashed_telephone(std::string_view text) {
  if (text.size() != 12 || text[3] != '-' || text[7] != '-') return false;
  return std::count_if(text.begin(), text.end(), is_digit) == 10;
}

class HintSearch {
 public:
  explicit HintSearch(std::string_view text) : pieces_(pieces_of(text)) {}

  std::vector<IdentifierHint> hints() {
    for (std::size_t i = 0; i < pieces_.size();) i += std::max<std::size_t>(1, look_at(i));
    return std::move(found_);
  }

 private:
  const Piece* piece(std::size_t i) const { return i < pieces_.size() ? &pieces_[i] : nullptr; }

  // How many pieces belong to what begins here; none where nothing does.
  std::size_t look_at(std::size_t i) {
    const Piece& here = pieces_[i];
    if (is_numeric_date(here.text)) return add(IdentifierKind::date, i, 1);
    if (const std::size_t count = written_date(i)) return add(IdentifierKind::date, i, count);
    if (is_address(here.text)) return add(IdentifierKind::contact, i, 1);
    if (const std::size_t count = telephone(i)) return add(IdentifierKind::contact, i, count);
    const Piece* next = piece(i + 1);
    if (next == nullptr) return 0;
    if (is_form_of_address(here) && is_name(*next)) {
      const Piece* second = piece(i + 2);
      const bool has_two = second != nullptr && is_name(*second) && second->begin == next->end + 1;
      return add(IdentifierKind::name, i, has_two ? 3 : 2);
    }
    if (is_number_word(here.lower) && has_digits(next->text, 4) && !is_year(next->text)) {
      return add(IdentifierKind::number, i, 2);
    }
    return 0;
  }

  // "12 March 2014", "March 12, 2014", "March 2014".
  std::size_t written_date(std::size_t i) const {
    const Piece* a = piece(i);
    const Piece* b = piece(i + 1);
    const Piece* c = piece(i + 2);
    if (b == nullptr) return 0;
    if (is_month(a->lower)) {
      if (is_year(b->text)) return 2;
      if (is_day(b->lower) && is_capital(a->text[0])) return c != nullptr && is_year(c->text) ? 3 : 2;
      return 0;
    }
    if (!is_day(a->lower) || !is_month(b->lower) || !is_capital(b->text[0])) return 0;
    return c != nullptr && is_year(c->text) ? 3 : 2;
  }

  // "+49 30 1234567": a plus and nine or more digits; "tel. 030 1234567", "555-123-4567".
  std::size_t telephone(std::size_t i) const {
    const Piece& here = pieces_[i];
    if (is_dashed_telephone(here.text)) return 1;
    if (here.text[0] == '+') return digits_from(i, 9);
    const bool is_named = here.lower == "tel" || here.lower == "phone" || here.lower == "telephone" ||
                          here.lower == "mobile" || here.lower == "fax";
    const std::size_t count = is_named && piece(i + 1) != nullptr ? digits_from(i + 1, 6) : 0;
    return count == 0 ? 0 : count + 1;
  }

  // How many pieces from here on hold at least so many digits, and nothing but what telephone numbers have.
  std::size_t digits_from(std::size_t i, std::ptrdiff_t least) const {
    std::ptrdiff_t digits = 0;
    for (std::size_t count = 0; piece(i + count) != nullptr; ++count) {
      std::string_view text = pieces_[i + count].text;
      if (count == 0 && text.starts_with('+')) text.remove_prefix(1);
      if (text.find_first_not_of("0123456789-()/") != std::string_view::npos) break;
      digits += std::count_if(text.begin(), text.end(), is_digit);
      if (digits >= least) return count + 1;
    }
    return 0;
  }

  std::size_t add(IdentifierKind kind, std::size_t first, std::size_t count) {
    const Piece& from = pieces_[first];
    const Piece& to = pieces_[first + count - 1];
    found_.push_back(
        {kind, from.begin, to.end, std::string(from.text.data(), to.text.data() + to.text.size())});
    return count;
  }

  std::vector<Piece> pieces_;
  std::vector<IdentifierHint> found_;
};

}  // namespace

std::string_view to_string(IdentifierKind kind) {
  constexpr std::string_view names[] = {"date", "name", "number", "contact"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<IdentifierHint> identifier_hints(std::string_view text) { return HintSearch(text).hints(); }

}  // namespace fiducial
