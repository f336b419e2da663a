#include <algorithm>
#include <unordered_set>

#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/utf8.h"

namespace fiducial {

namespace {

constexpr int max_depth = 200;
// A value takes some fifty bytes of memory and may take two of text.
constexpr std::int64_t most_values = std::int64_t{1} << 24;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Json> document() {
    if (const auto at = first_invalid_utf8(text_)) {
      at_ = *at;
      return failure("not valid UTF-8");
    }
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    FIDUCIAL_TRY(Json value, any(0));
    skip_space();
    if (at_ < text_.size()) return failure("text after the end of the document");
    return value;
  }

 private:
  Error failure(std::string message) const {
    const auto line = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n') + 1;
    return {ErrorCode::invalid_data, std::move(message),
            Place{.byte = at_, .line = static_cast<std::uint64_t>(line)}};
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  bool take(char expected) {
    if (at_ >= text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }

  Result<Json> any(int depth) {
    if (depth > max_depth) return failure("nested deeper than " + decimal(max_depth) + " levels");
    if (++values_ > most_values)
      return failure("more than " + decimal(most_values) + " values in one document");
    skip_space();
    if (at_ >= text_.size()) return failure("document ends where a value is expected");
    switch (text_[at_]) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"': {
        FIDUCIAL_TRY(std::string value, string());
        return Json(std::move(value));
      }
      case 't':
        return word("true", true);
      case 'f':
        return word("false", false);
      case 'n':
        return word("null", nullptr);
      default:
        return number();
    }
  }

  Result<Json> word(std::string_view spelling, Json value) {
    if (!text_.substr(at_).starts_with(spelling)) return failure("not a JSON value");
    at_ += spelling.size();
    return value;
  }

  Result<Json> object(int depth) {
    ++at_;
    Json::Object members;
    std::unordered_set<std::string> keys;
    skip_space();
    if (take('}')) return Json(std::move(members));
    for (;;) {
      skip_space();
      if (at_ >= text_.size() || text_[at_] != '"') return failure("a key in quotes is expected");
      const std::size_t key_at = at_;
      FIDUCIAL_TRY(std::string key, string());
      if (!keys.insert(key).second) {
        at_ = key_at;
        return failure("key \"" + key + "\" appears twice");
      }
      skip_space();
      if (!take(':')) return failure("':' is expected after a key");
      FIDUCIAL_TRY(Json value, any(depth + 1));
      members.emplace_back(std::move(key), std::move(value));
      skip_space();
      if (take('}')) return Json(std::move(members));
      if (!take(',')) return failure("',' or '}' is expected");
    }
  }

  Result<Json> array(int depth) {
    ++at_;
    Json::Array items;
    skip_space();
    if (take(']')) return Json(std::move(items));
    for (;;) {
      FIDUCIAL_TRY(Json value, any(depth + 1));
      items.push_back(std::move(value));
      skip_space();
      if (take(']')) return Json(std::move(items));
      if (!take(',')) return failure("',' or ']' is expected");
    }
  }

  Result<std::string> string() {
    ++at_;
    std::string out;
    for (;;) {
      if (at_ >= text_.size()) return failure("document ends inside a string");
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return out;
      }
      if (static_cast<unsigned char>(c) < 0x20) return failure("control character inside a string");
      if (c == '\\') {
        FIDUCIAL_TRY_DONE(escape(out));
      } else {
        out += c;
        ++at_;
      }
    }
  }

  Outcome escape(std::string& out) {
    constexpr std::string_view from = "\"\\/bfnrt";
    constexpr std::string_view to = "\"\\/\b\f\n\r\t";
    ++at_;
    if (at_ >= text_.size()) return failure("document ends inside a string");
    const char c = text_[at_];
    if (c == 'u') {
      ++at_;
      return unicode_escape(out);
    }
    const std::size_t index = from.find(c);
    if (index == std::string_view::npos) return failure("unknown escape in a string");
    out += to[index];
    ++at_;
    return done();
  }

  Outcome unicode_escape(std::string& out) {
    FIDUCIAL_TRY(char32_t code, four_hex_digits());
    if (code >= 0xD800 && code < 0xDC00) {
      if (!text_.substr(at_).starts_with("\\u")) return failure("high surrogate without a low one");
      at_ += 2;
      FIDUCIAL_TRY(const char32_t low, four_hex_digits());
      if (low < 0xDC00 || low > 0xDFFF) return failure("high surrogate without a low one");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code < 0xE000) {
      return failure("low surrogate without a high one");
    }
    append_utf8(out, code);
    return done();
  }

  Result<char32_t> four_hex_digits() {
    char32_t value = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      constexpr std::string_view digits = "0123456789abcdefABCDEF";
      const std::size_t digit = at_ < text_.size() ? digits.find(text_[at_]) : std::string_view::npos;
      if (digit == std::string_view::npos) return failure("four hexadecimal digits are expected");
      value = value * 16 + static_cast<char32_t>(digit < 16 ? digit : digit - 6);
    }
    return value;
  }

  std::size_t skip_digits() {
    const std::size_t before = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ - before;
  }

  Result<Json> number() {
    const std::size_t begin = at_;
    bool integral = true;
    take('-');
    const std::size_t first = at_;
    const std::size_t digits = skip_digits();
    if (digits == 0 || (digits > 1 && text_[first] == '0')) {
      at_ = begin;
      return failure("not a JSON value");
    }
    if (take('.')) {
      integral = false;
      if (skip_digits() == 0) return failure("digits are expected after the point");
    }
    if (take('e') || take('E')) {
      integral = false;
      if (!take('+')) take('-');
      if (skip_digits() == 0) return failure("digits are expected in the exponent");
    }
    const std::string_view spelling = text_.substr(begin, at_ - begin);
    // Only a double has a negative zero.
    if (integral && spelling != "-0") {
      if (const auto value = parse_integer(spelling)) return Json(*value);
      if (const auto value = parse_unsigned(spelling)) return Json(*value);
    }
    const auto value = parse_double(spelling);
    if (!value) {
      at_ = begin;
      return failure("number out of range");
    }
    return Json(*value);
  }

  std::string_view text_;
  std::int64_t values_ = 0;
  std::size_t at_ = 0;
};

}  // namespace

Result<Json> parse_json(std::string_view text) { return Parser(text).document(); }

}  // namespace fiducial
