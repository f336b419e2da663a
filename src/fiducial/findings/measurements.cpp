#include "fiducial/findings/measurements.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

struct Unit {
  std::string_view text;
  double mm;
};

constexpr Unit units[] = {{"millimeters", 1},  {"millimetres", 1}, {"millimeter", 1},  {"millimetre", 1},
                          {"milimeters", 1},   {"milimeter", 1},   {"mm", 1},          {"centimeters", 10},
                          {"centimetres", 10}, {"centimeter", 10}, {"centimetre", 10}, {"cm", 10}};

// How two numbers belong together.
enum class NumberJoint { none, product, range, to, conjunction };

struct JointText {
  std::string_view text;
  NumberJoint joint;
};

// Words stand between spaces; signs need none. "and" joins only after "between".
constexpr JointText joints[] = {{"x", NumberJoint::product},
                                {"*", NumberJoint::product},
                                {"\xC3\x97", NumberJoint::product},
                                {"by ", NumberJoint::product},
                                {"-", NumberJoint::range},
                                {"\xE2\x80\x93", NumberJoint::range},
                                {"\xE2\x80\x94", NumberJoint::range},
                                {"\xE2\x88\x92", NumberJoint::range},
                                {"to ", NumberJoint::to},
                                {"and ", NumberJoint::conjunction}};

char small_letter(char c) { return is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c; }

bool begins_without_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(),
                    [](char wanted, char found) { return small_letter(found) == wanted; });
}

// Centimetres written with few decimals do not become millimetres with many.
double rounded_mm(double mm) { return std::round(mm * 1000) / 1000; }

class MeasurementReader {
 public:
  explicit MeasurementReader(std::string_view text) : text_(text) {}

  std::vector<Measurement> all() {
    std::vector<Measurement> found;
    while (at_ < text_.size()) {
      if (!begins_number()) {
        ++at_;
        continue;
      }
      const std::size_t begin = at_;
      if (auto measurement = read()) {
        found.push_back(*measurement);
      } else {
        at_ = std::max(at_, begin + 1);
      }
    }
    return found;
  }

  // Products that were cut off before their unit.
  const std::vector<std::string>& without_unit() const { return without_unit_; }

 private:
  struct Factor {
    double value = 0;
    double unit_mm = 0;  // 0: none written
  };

  bool begins_number() const {
    const char before = at_ > 0 ? text_[at_ - 1] : ' ';
    if (is_letter(before) || is_digit(before)) return false;
    if (is_digit(text_[at_])) return true;
    return text_[at_] == '.' && (is_space(before) || before == '(') && at_ + 1 < text_.size() &&
           is_digit(text_[at_ + 1]);
  }

  std::optional<Measurement> read() {
    Measurement found{.span = {at_, at_}};
    std::vector<Factor> factors;
    bool range = false;
    while (true) {
      const auto factor = read_factor();
      if (!factor) break;
      factors.push_back(*factor);
      found.span.end = at_;
      const NumberJoint joint = pass_joint(found.span.begin, factor->unit_mm != 0);
      if (joint == NumberJoint::none) break;
      range = range || joint != NumberJoint::product;
    }
    at_ = found.span.end == found.span.begin ? at_ : found.span.end;
    if (factors.empty()) return std::nullopt;
    if (factors.back().unit_mm == 0) {
      if (factors.size() > 1 && !range) without_unit_.emplace_back(found.span.of(text_));
      return std::nullopt;
    }
    if (factors.size() > 3 || (range && factors.size() != 2)) return std::nullopt;
    double unit_mm = 0;
    for (std::size_t i = factors.size(); i-- > 0;) {
      if (factors[i].unit_mm != 0) unit_mm = factors[i].unit_mm;
      found.mm[i] = rounded_mm(factors[i].value * unit_mm);
    }
    found.range = range;
    found.arity = range ? 1 : static_cast<std::uint8_t>(factors.size());
    found.is_limit = follows(found.span.begin, {"less than ", "smaller than ", "lower than ", "shorter than ",
                                                "larger than ", "under ", "below ", "not exceeding ",
                                                "not exceed ", "not reaching ", "<", "< "}) &&
                     (!follows(found.span.begin, {"larger than "}) ||
                      follows(found.span.begin, {"no larger than ", "not larger than "}));
    return found;
  }

  std::optional<Factor> read_factor() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || is_decimal_sign())) ++at_;
    std::string digits(text_.substr(begin, at_ - begin));
    std::replace(digits.begin(), digits.end(), ',', '.');
    if (digits.starts_with('.')) digits.insert(0, "0");
    const auto value = parse_double(digits);  // a date has two points and is no number
    if (!value) return std::nullopt;
    Factor factor{.value = *value};
    if (const auto unit = unit_at(before_unit(at_))) {
      factor.unit_mm = unit->mm;
      at_ = before_unit(at_) + unit->text.size();
    }
    return factor;
  }

  // Past what may stand between a number and its unit: "5 mm", "5-mm", "5.mm".
  std::size_t before_unit(std::size_t at) const {
    if (at + 1 < text_.size() && (text_[at] == '-' || text_[at] == '.') && is_letter(text_[at + 1])) {
      return at + 1;
    }
    while (at < text_.size() && text_[at] == ' ') ++at;
    return at;
  }

  // A unit of length; squares and cubes of one are none.
  std::optional<Unit> unit_at(std::size_t at) const {
    for (const Unit& unit : units) {
      if (!begins_without_case(text_.substr(at), unit.text)) continue;
      const std::string_view rest = text_.substr(at + unit.text.size());
      if (rest.starts_with("\xC2\xB2") || rest.starts_with("\xC2\xB3")) return std::nullopt;
      const char next = rest.empty() ? ' ' : rest.front();
      if ((is_letter(next) && small_letter(next) != 'x') || next == '2' || next == '3') return std::nullopt;
      return unit;
    }
    return std::nullopt;
  }

  bool is_decimal_sign() const {
    return (text_[at_] == '.' || text_[at_] == ',') && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
  }

  // What joins the number before to the one after, passed; none where nothing does. "from 5 mm to 8 mm" is a
  // change, "ranging from 5 mm to 8 mm" a range.
  NumberJoint pass_joint(std::size_t first, bool has_unit) {
    std::size_t next = at_;
    while (next < text_.size() && text_[next] == ' ') ++next;
    for (const JointText& each : joints) {
      if (!begins_without_case(text_.substr(next), each.text)) continue;
      std::size_t after = next + each.text.size();
      while (after < text_.size() && text_[after] == ' ') ++after;
      if (after >= text_.size() || !(is_digit(text_[after]) || begins_decimal(after))) continue;
      if (each.joint == NumberJoint::conjunction && !follows(first, {"between "})) continue;
      if (each.joint == NumberJoint::to && has_unit && !follows(first, {"ranging from ", "varying from "}))
        continue;
      at_ = after;
      return each.joint;
    }
    return NumberJoint::none;
  }

  bool begins_decimal(std::size_t at) const {
    return text_[at] == '.' && at + 1 < text_.size() && is_digit(text_[at + 1]);
  }

  bool follows(std::size_t at, std::initializer_list<std::string_view> words) const {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
      return at >= word.size() && begins_without_case(text_.substr(at - word.size()), word);
    });
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> without_unit_;
};

}  // namespace

double Measurement::largest_mm() const { return *std::max_element(mm.begin(), mm.end()); }

std::vector<Measurement> find_measurements(std::string_view text) { return MeasurementReader(text).all(); }

std::vector<std::string> find_sizes_without_unit(std::string_view text) {
  MeasurementReader reader(text);
  (void)reader.all();
  return reader.without_unit();
}

std::string measurement_text(const Measurement& measurement) {
  std::string out = shortest(measurement.mm[0]);
  const std::size_t numbers = measurement.range ? 2 : measurement.arity;
  for (std::size_t i = 1; i < numbers; ++i) {
    out += (measurement.range ? "-" : " x ") + shortest(measurement.mm[i]);
  }
  return out + " mm";
}

}  // namespace fiducial
