#include "fiducial/findings/measurements.h"

#include <algorithm>
#include <optional>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

struct Unit {
  std::string_view text;
  double mm;
};

constexpr Unit units[] = {{"millimeters", 1}, {"millimetres", 1},  {"millimeter", 1},   {"millimetre", 1},
                          {"mm", 1},          {"centimeters", 10}, {"centimetres", 10}, {"centimeter", 10},
                          {"centimetre", 10}, {"cm", 10}};

class MeasurementReader {
 public:
  explicit MeasurementReader(std::string_view text) : text_(text) {}

  std::vector<Measurement> all() {
    std::vector<Measurement> found;
    while (at_ < text_.size()) {
      if (!is_digit(text_[at_]) || (at_ > 0 && is_letter(text_[at_ - 1]))) {
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

 private:
  struct Factor {
    double value = 0;
    double unit_mm = 0;  // 0: none written
  };

  std::optional<Measurement> read() {
    Measurement found{.span = {at_, at_}};
    std::vector<Factor> factors;
    bool range = false;
    for (bool more = true; more;) {
      const auto factor = read_factor();
      if (!factor) break;
      factors.push_back(*factor);
      found.span.end = at_;
      const char sign = joining_sign();
      more = sign != 0;
      range = range || sign == '-';
    }
    if (factors.empty() || factors.size() > 3 || factors.back().unit_mm == 0) return std::nullopt;
    if (range && factors.size() != 2) return std::nullopt;
    double unit_mm = 0;
    for (std::size_t i = factors.size(); i-- > 0;) {
      if (factors[i].unit_mm != 0) unit_mm = factors[i].unit_mm;
      found.mm[i] = factors[i].value * unit_mm;
    }
    found.range = range;
    found.arity = range ? 1 : static_cast<std::uint8_t>(factors.size());
    return found;
  }

  std::optional<Factor> read_factor() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || is_decimal_sign())) ++at_;
    std::string digits(text_.substr(begin, at_ - begin));
    std::replace(digits.begin(), digits.end(), ',', '.');
    const auto value = parse_double(digits);  // a date has two points and is no number
    if (!value) return std::nullopt;
    Factor factor{.value = *value};
    std::size_t next = at_;
    while (next < text_.size() && text_[next] == ' ') ++next;
    for (const Unit& unit : units) {
      const std::size_t end = next + unit.text.size();
      if (text_.substr(next, unit.text.size()) != unit.text ||
          (end < text_.size() && is_letter(text_[end]) && text_[end] != 'x'))
        continue;
      factor.unit_mm = unit.mm;
      at_ = end;
      break;
    }
    return factor;
  }

  bool is_decimal_sign() const {
    return (text_[at_] == '.' || text_[at_] == ',') && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
  }

  // 'x' or '-' between two numbers, passed; 0 where there is none.
  char joining_sign() {
    std::size_t next = at_;
    while (next < text_.size() && text_[next] == ' ') ++next;
    if (next >= text_.size()) return 0;
    char sign = text_[next];
    std::size_t length = 1;
    if (text_.substr(next).starts_with("\xC3\x97")) {  // the multiplication sign
      sign = 'x';
      length = 2;
    }
    if (sign == 'X' || sign == '*') sign = 'x';
    if (sign != 'x' && sign != '-') return 0;
    next += length;
    while (next < text_.size() && text_[next] == ' ') ++next;
    if (next >= text_.size() || !is_digit(text_[next])) return 0;
    at_ = next;
    return sign;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

double Measurement::largest_mm() const { return *std::max_element(mm.begin(), mm.end()); }

std::vector<Measurement> find_measurements(std::string_view text) { return MeasurementReader(text).all(); }

std::string measurement_text(const Measurement& measurement) {
  std::string out = shortest(measurement.mm[0]);
  const std::size_t numbers = measurement.range ? 2 : measurement.arity;
  for (std::size_t i = 1; i < numbers; ++i) {
    out += (measurement.range ? "-" : " x ") + shortest(measurement.mm[i]);
  }
  return out + " mm";
}

}  // namespace fiducial
