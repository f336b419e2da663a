#include "fiducial/datasets/medthinkvqa/plain_row.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <bitset>

#include "fiducial/base/utf8.h"

namespace fiducial::medthinkvqa {

namespace {

constexpr std::size_t max_members = 1024;
constexpr std::size_t max_names = 64;  // outside of slots; they are compared one by one

// What needs a closer look in a text: quotes, backslashes, control characters and all that is not ASCII.
bool is_plain_byte(char c) { return c != '"' && c != '\\' && static_cast<signed char>(c) >= 0x20; }

const char* find_special_one_by_one(const char* at, const char* end) {
  while (at < end && is_plain_byte(*at)) ++at;
  return at;
}

#ifdef __x86_64__
// Bytes below 0x20 as signed numbers are control characters and what is not ASCII.
__attribute__((target("avx2"))) const char* find_special_avx2(const char* at, const char* end) {
  const __m256i quotes = _mm256_set1_epi8('"');
  const __m256i backslashes = _mm256_set1_epi8('\\');
  const __m256i spaces = _mm256_set1_epi8(0x20);
  for (; end - at >= 32; at += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const __m256i special = _mm256_or_si256(
        _mm256_or_si256(_mm256_cmpeq_epi8(bytes, quotes), _mm256_cmpeq_epi8(bytes, backslashes)),
        _mm256_cmpgt_epi8(spaces, bytes));
    const auto bits = static_cast<unsigned>(_mm256_movemask_epi8(special));
    if (bits != 0) return at + std::countr_zero(bits);
  }
  return find_special_one_by_one(at, end);
}

const char* find_special_sse2(const char* at, const char* end) {
  const __m128i quotes = _mm_set1_epi8('"');
  const __m128i backslashes = _mm_set1_epi8('\\');
  const __m128i spaces = _mm_set1_epi8(0x20);
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i special =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quotes), _mm_cmpeq_epi8(bytes, backslashes)),
                     _mm_cmpgt_epi8(spaces, bytes));
    const auto bits = static_cast<unsigned>(_mm_movemask_epi8(special));
    if (bits != 0) return at + std::countr_zero(bits);
  }
  return find_special_one_by_one(at, end);
}

const auto find_special = __builtin_cpu_supports("avx2") != 0 ? find_special_avx2 : find_special_sse2;
#else
const auto find_special = find_special_one_by_one;
#endif

// A number that no other field of a slot has: the names of the five differ in their lengths.
std::size_t slot_name_index(const SlotField& field, std::string_view name) {
  return static_cast<std::size_t>(field.number) * 16 + name.size() - std::string_view("image_01_").size();
}

std::string_view without_quotes(std::string_view quoted) { return quoted.substr(1, quoted.size() - 2); }

// One line. While its names are those of the line before, which were distinct, nothing is looked up.
class LineParser {
 public:
  LineParser(std::string_view line, PlainRowParser::Order& order)
      : at_(line.data()), end_(line.data() + line.size()), order_(order), expected_(order.members) {
    row_.slots.reserve(8);
  }

  std::optional<RawRow> row() {
    if (!take('{')) return std::nullopt;
    if (!take('}')) {
      do {
        skip_space();
        if (has_known_end()) return std::move(row_);
        if (!member()) return std::nullopt;
        ++members_;
      } while (take(','));
      if (!take('}')) return std::nullopt;
    }
    skip_space();
    if (at_ != end_) return std::nullopt;
    remember_nulls();
    return std::move(row_);
  }

 private:
  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
  }

  bool take(char expected) {
    skip_space();
    if (at_ == end_ || *at_ != expected) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size() || std::string_view(at_, word.size()) != word)
      return false;
    at_ += word.size();
    return true;
  }

  // A name without escapes, in the line itself.
  std::optional<std::string_view> name() {
    if (!take('"')) return std::nullopt;
    const char* begin = at_;
    at_ = find_special(at_, end_);
    if (at_ == end_ || *at_ != '"') return std::nullopt;
    const std::string_view out(begin, static_cast<std::size_t>(at_ - begin));
    ++at_;
    if (!take(':')) return std::nullopt;
    skip_space();
    return out;
  }

  // The rest of the line is null members that were seen before.
  bool has_known_end() const {
    if (!is_expected_ || members_ < order_.first_null) return false;
    const std::size_t index = members_ - order_.first_null;
    if (index >= order_.null_begins.size()) return false;
    const std::string_view known = std::string_view(order_.nulls).substr(order_.null_begins[index]);
    return known == std::string_view(at_, static_cast<std::size_t>(end_ - at_));
  }

  void remember_nulls() {
    if (nulls_.size() <= order_.null_begins.size()) return;
    order_.first_null = members_ - nulls_.size();
    order_.nulls.assign(nulls_.front(), end_);
    order_.null_begins.clear();
    for (const char* begin : nulls_) {
      order_.null_begins.push_back(static_cast<std::size_t>(begin - nulls_.front()));
    }
  }

  bool member() {
    const char* begin = at_;
    if (is_expected_ && is_next_expected()) {
      const RowMember& expected = expected_[members_].member;
      return take(':') && value(expected, begin);
    }
    const auto new_name = name();
    if (!new_name) return false;
    if (is_expected_ && !leave_expected()) return false;
    const RowMember found = row_member(*new_name);
    if (!remember(*new_name, found)) return false;
    if (expected_.size() < max_members) expected_.push_back({"\"" + std::string(*new_name) + "\"", found});
    return value(found, begin);
  }

  bool is_next_expected() {
    if (members_ >= expected_.size()) return false;
    const std::string& wanted = expected_[members_].quoted_name;
    return take_word(wanted);
  }

  // Forgets what was expected from here on, and takes note of the names so far.
  bool leave_expected() {
    is_expected_ = false;
    order_.null_begins.clear();
    expected_.resize(std::min(members_, expected_.size()));
    for (const auto& earlier : expected_) {
      if (!remember(without_quotes(earlier.quoted_name), earlier.member)) return false;
    }
    return true;
  }

  // False for a name that was there before.
  bool remember(std::string_view new_name, const RowMember& member) {
    if (member.kind == RowMember::Kind::slot_text) {
      const std::size_t index = slot_name_index(member.slot, new_name);
      if (slot_names_.test(index)) return false;
      slot_names_.set(index);
      return true;
    }
    if (names_.size() == max_names || std::find(names_.begin(), names_.end(), new_name) != names_.end())
      return false;
    names_.emplace_back(new_name);
    return true;
  }

  // The value of a member that begins where its name does.
  bool value(const RowMember& of, const char* begin) {
    skip_space();
    if (at_ == end_) return false;
    if (*at_ == 'n') {
      nulls_.push_back(begin);
      return take_word("null");
    }
    nulls_.clear();
    switch (of.kind) {
      case RowMember::Kind::slot_text:
        return slot_value(of.slot);
      case RowMember::Kind::text:
        return text((row_.*of.text).emplace());
      case RowMember::Kind::integer:
        return integer((row_.*of.integer).emplace());
      case RowMember::Kind::longitudinal:
        return boolean(row_.is_longitudinal.emplace());
      case RowMember::Kind::options:
        return options(row_.options.emplace());
      case RowMember::Kind::unknown:
        break;
    }
    std::string_view ignored_text;
    std::int64_t ignored_integer = 0;
    bool ignored_flag = false;
    if (*at_ == '"') return text(ignored_text);
    return *at_ == 't' || *at_ == 'f' ? boolean(ignored_flag) : integer(ignored_integer);
  }

  bool slot_value(const SlotField& field) {
    if (end_ - at_ >= 2 && at_[0] == '"' && at_[1] == '"') {
      at_ += 2;
      return true;
    }
    return text(row_.slot(field.number).*field.text);
  }

  bool options(RawRow::Options& out) {
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      const auto letter = name();
      if (!letter || at_ == end_) return false;
      for (const auto& earlier : out) {
        if (earlier.first == *letter) return false;
      }
      if (out.size() == max_names) return false;
      out.emplace_back(*letter, std::string_view());
      if (*at_ == 'n' ? !take_word("null") : !text(out.back().second)) return false;
    } while (take(','));
    return take('}');
  }

  bool boolean(bool& out) {
    out = *at_ == 't';
    return take_word(out ? "true" : "false");
  }

  // Up to 18 digits; other numbers are rare here, and parse_json's.
  bool integer(std::int64_t& out) {
    const bool is_negative = *at_ == '-';
    if (is_negative) ++at_;
    const char* begin = at_;
    std::int64_t value = 0;
    for (; at_ != end_ && *at_ >= '0' && *at_ <= '9'; ++at_) {
      if (at_ - begin == 18) return false;  // one more may not fit
      value = value * 10 + (*at_ - '0');
    }
    const auto digits = at_ - begin;
    if (digits == 0 || (*begin == '0' && (digits > 1 || is_negative))) return false;
    if (at_ != end_ && (*at_ == '.' || *at_ == 'e' || *at_ == 'E')) return false;
    out = is_negative ? -value : value;
    return true;
  }

  // Texts without escapes stay where they are.
  bool text(std::string_view& out) {
    if (*at_ != '"') return false;
    const char* begin = ++at_;
    if (!skip_text()) return false;
    if (*at_ == '"') {
      out = std::string_view(begin, static_cast<std::size_t>(at_ - begin));
      ++at_;
      return true;
    }
    std::string decoded;
    while (true) {
      decoded.append(begin, at_);
      if (*at_++ == '"') break;
      if (!escape(decoded)) return false;
      begin = at_;
      if (!skip_text()) return false;
    }
    out = row_.bytes.own(std::move(decoded));
    return true;
  }

  // On to the next quote or backslash; false where there is none, or something before it is no text.
  bool skip_text() {
    while (true) {
      at_ = find_special(at_, end_);
      if (at_ == end_) return false;
      if (*at_ == '"' || *at_ == '\\') return true;
      const std::size_t length = utf8_length({at_, static_cast<std::size_t>(end_ - at_)});
      if (length < 2) return false;
      at_ += length;
    }
  }

  bool escape(std::string& out) {
    if (at_ == end_) return false;
    constexpr std::string_view from = "\"\\/bfnrt";
    constexpr std::string_view to = "\"\\/\b\f\n\r\t";
    const char c = *at_++;
    if (c != 'u') {
      const std::size_t index = from.find(c);
      if (index == std::string_view::npos) return false;
      out += to[index];
      return true;
    }
    const auto code = four_hex_digits();
    if (!code || (*code >= 0xD800 && *code < 0xE000)) return false;
    append_utf8(out, *code);
    return true;
  }

  std::optional<char32_t> four_hex_digits() {
    if (end_ - at_ < 4) return std::nullopt;
    char32_t value = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = *at_++;
      const char lower = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9') {
        value = value * 16 + static_cast<char32_t>(c - '0');
      } else if (lower >= 'a' && lower <= 'f') {
        value = value * 16 + static_cast<char32_t>(lower - 'a' + 10);
      } else {
        return std::nullopt;
      }
    }
    return value;
  }

  const char* at_;
  const char* end_;
  PlainRowParser::Order& order_;
  std::vector<PlainRowParser::Expected>& expected_;
  std::vector<const char*> nulls_;  // where the null members at the end of the line so far begin
  std::size_t members_ = 0;         // read so far
  bool is_expected_ = true;         // all names so far are those of the line before
  RawRow row_;
  std::bitset<1600> slot_names_;
  std::vector<std::string> names_;
};

}  // namespace

std::optional<RawRow> PlainRowParser::parse(std::string_view line) {
  std::optional<RawRow> out = LineParser(line, order_).row();
  // Half of a line is no order to expect.
  if (!out) order_ = {};
  return out;
}

}  // namespace fiducial::medthinkvqa
