#include "fiducial/base/json.h"

#include <cmath>
#include <limits>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

class Writer {
 public:
  Writer(std::string& out, bool indented) : out_(out), indented_(indented) {}

  void write(const Json& value) {
    if (const auto* array = value.as_array()) {
      write_array(*array);
    } else if (const auto* object = value.as_object()) {
      write_object(*object);
    } else if (const auto* text = value.as_string()) {
      append_json_text(out_, *text);
    } else {
      write_scalar(value);
    }
  }

 private:
  void write_scalar(const Json& value) {
    if (value.is_null()) {
      out_ += "null";
    } else if (const bool* flag = value.as_bool()) {
      out_ += *flag ? "true" : "false";
    } else if (const std::int64_t* integer = value.as_integer()) {
      out_ += decimal(*integer);
    } else if (const std::uint64_t* large = value.as_large_integer()) {
      out_ += decimal(*large);
    } else {
      const double number = *value.as_number();
      FIDUCIAL_ASSERT(std::isfinite(number));
      const std::string text = shortest(number);
      out_ += text;
      // A whole number stays recognisable as a real one.
      if (text.find_first_of(".e") == std::string::npos) out_ += ".0";
    }
  }

  void write_array(const Json::Array& items) {
    if (items.empty()) {
      out_ += "[]";
      return;
    }
    out_ += '[';
    ++depth_;
    for (std::size_t i = 0; i < items.size(); ++i) {
      separate(i);
      write(items[i]);
    }
    close(']');
  }

  void write_object(const Json::Object& members) {
    if (members.empty()) {
      out_ += "{}";
      return;
    }
    out_ += '{';
    ++depth_;
    for (std::size_t i = 0; i < members.size(); ++i) {
      separate(i);
      append_json_text(out_, members[i].first);
      out_ += indented_ ? ": " : ":";
      write(members[i].second);
    }
    close('}');
  }

  void separate(std::size_t index) {
    if (index > 0) out_ += ',';
    line_break();
  }

  void close(char bracket) {
    --depth_;
    line_break();
    out_ += bracket;
  }

  void line_break() {
    if (!indented_) return;
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  std::string& out_;
  bool indented_;
  std::size_t depth_ = 0;
};

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  out += '"';
  std::size_t plain = 0;  // from here on nothing was appended
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && c != '"' && c != '\\') continue;
    out += text.substr(plain, i - plain);
    plain = i + 1;
    out += '\\';
    if (code >= 0x20) {
      out += c;
    } else if (c == '\n' || c == '\t') {
      out += c == '\n' ? 'n' : 't';
    } else {
      out += "u00";
      out += digits[code >> 4];
      out += digits[code & 15];
    }
  }
  out += text.substr(plain);
  out += '"';
}

Json::Json(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    value_ = value;
  } else {
    value_ = static_cast<std::int64_t>(value);
  }
}

std::optional<double> Json::as_number() const {
  if (const auto* integer = as_integer()) return static_cast<double>(*integer);
  if (const auto* large = as_large_integer()) return static_cast<double>(*large);
  if (const auto* number = std::get_if<double>(&value_)) return *number;
  return std::nullopt;
}

std::string_view Json::kind() const {
  constexpr std::string_view names[] = {"null",   "boolean", "integer", "large integer",
                                        "number", "string",  "array",   "object"};
  return names[value_.index()];
}

const Json* Json::find(std::string_view key) const {
  const Object* object = as_object();
  if (object == nullptr) return nullptr;
  for (const Member& member : *object) {
    if (member.first == key) return &member.second;
  }
  return nullptr;
}

Json& Json::set(std::string key, Json value) {
  if (is_null()) value_ = Object{};
  auto& object = std::get<Object>(value_);
  for (Member& member : object) {
    if (member.first == key) {
      member.second = std::move(value);
      return *this;
    }
  }
  object.emplace_back(std::move(key), std::move(value));
  return *this;
}

Json& Json::push(Json value) {
  if (is_null()) value_ = Array{};
  std::get<Array>(value_).push_back(std::move(value));
  return *this;
}

std::string Json::compact() const {
  std::string out;
  Writer(out, false).write(*this);
  return out;
}

std::string Json::pretty() const {
  std::string out;
  Writer(out, true).write(*this);
  return out + '\n';
}

}  // namespace fiducial
