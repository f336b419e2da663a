#include "fiducial/table/xml_reader.h"

#include <charconv>

#include "fiducial/base/utf8.h"

namespace fiducial {

namespace {

constexpr std::size_t deepest_xml = 64;
constexpr std::string_view xml_space = " \t\r\n";

bool is_xml_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         c == '_' || c == '-' || c == '.' || c == ':';
}

std::string without_prefix(const std::string& name) { return name.substr(name.find(':') + 1); }

// The character that a reference names; nothing for one that is not known.
std::optional<char32_t> referenced(std::string_view name) {
  if (name == "lt") return U'<';
  if (name == "gt") return U'>';
  if (name == "amp") return U'&';
  if (name == "quot") return U'"';
  if (name == "apos") return U'\'';
  if (!name.starts_with('#')) return std::nullopt;
  name.remove_prefix(1);
  const int base = name.starts_with('x') ? 16 : 10;
  if (base == 16) name.remove_prefix(1);
  std::uint32_t value = 0;
  const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), value, base);
  const bool is_scalar = value > 0 && value < 0x110000 && (value < 0xD800 || value > 0xDFFF);
  if (failure != std::errc() || end != name.data() + name.size() || !is_scalar) return std::nullopt;
  return static_cast<char32_t>(value);
}

}  // namespace

const std::string* XmlEvent::find(std::string_view attribute) const {
  for (const auto& [key, value] : attributes) {
    if (key == attribute) return &value;
  }
  return nullptr;
}

XmlReader::XmlReader(std::string_view document) : all_(document) {
  if (all_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

Error XmlReader::broken(std::string message) const {
  return {ErrorCode::invalid_data, std::move(message), Place{.byte = at_}};
}

void XmlReader::skip_space() { at_ = std::min(all_.find_first_not_of(xml_space, at_), all_.size()); }

Outcome XmlReader::skip_to(std::string_view end) {
  const std::size_t found = all_.find(end, at_);
  if (found == std::string_view::npos) return broken("expected \"" + std::string(end) + "\", found the end");
  at_ = found + end.size();
  return done();
}

Result<XmlEvent> XmlReader::next() {
  if (closes_) {
    closes_ = false;
    XmlEvent out{.kind = XmlEvent::Kind::end, .name = without_prefix(open_.back())};
    open_.pop_back();
    return out;
  }
  while (at_ < all_.size()) {
    if (all_[at_] != '<') return text_event();
    const std::string_view rest = all_.substr(at_);
    if (rest.starts_with("<?")) {
      FIDUCIAL_TRY_DONE(skip_to("?>"));
    } else if (rest.starts_with("<!--")) {
      FIDUCIAL_TRY_DONE(skip_to("-->"));
    } else if (rest.starts_with("<!")) {
      return broken("expected elements, found a declaration");
    } else {
      return rest.starts_with("</") ? end_event() : tag_event();
    }
  }
  if (!open_.empty()) return broken("expected </" + open_.back() + ">, found the end");
  return XmlEvent{};
}

Result<XmlEvent> XmlReader::text_event() {
  const std::string_view raw = all_.substr(at_, all_.find('<', at_) - at_);
  if (open_.empty() && raw.find_first_not_of(xml_space) != std::string_view::npos)
    return broken("expected an element, found text");
  FIDUCIAL_TRY(std::string text, decoded(raw));
  at_ += raw.size();
  return XmlEvent{.kind = XmlEvent::Kind::text, .name = {}, .text = std::move(text), .attributes = {}};
}

Result<std::string> XmlReader::decoded(std::string_view raw) const {
  if (first_invalid_utf8(raw)) return broken("expected UTF-8, found other bytes");
  std::string out;
  while (!raw.empty()) {
    const std::size_t mark = std::min(raw.find('&'), raw.size());
    out.append(raw.substr(0, mark));
    raw.remove_prefix(mark);
    if (raw.empty()) break;
    const std::size_t end = raw.find(';');
    const auto found = end == std::string_view::npos ? std::nullopt : referenced(raw.substr(1, end - 1));
    if (!found) return broken("expected &lt; &gt; &amp; &quot; &apos; or a number, found another reference");
    append_utf8(out, *found);
    raw.remove_prefix(end + 1);
  }
  return out;
}

Result<std::string> XmlReader::name() {
  const std::size_t begin = at_;
  while (at_ < all_.size() && is_xml_name(all_[at_])) ++at_;
  const std::string_view out = all_.substr(begin, at_ - begin);
  if (out.empty() || first_invalid_utf8(out)) return broken("expected a name, found none");
  return std::string(out);
}

Outcome XmlReader::attribute(XmlEvent& event) {
  FIDUCIAL_TRY(std::string key, name());
  skip_space();
  if (at_ >= all_.size() || all_[at_] != '=') return broken("expected = after an attribute's name");
  ++at_;
  skip_space();
  const char quote = at_ < all_.size() ? all_[at_] : '\0';
  if (quote != '"' && quote != '\'') return broken("expected an attribute in quotes");
  const std::size_t end = all_.find(quote, ++at_);
  const std::string_view raw = all_.substr(at_, end - at_);
  if (end == std::string_view::npos || raw.find('<') != std::string_view::npos)
    return broken("expected the end of an attribute, found none");
  FIDUCIAL_TRY(std::string value, decoded(raw));
  at_ = end + 1;
  event.attributes.emplace_back(without_prefix(key), std::move(value));
  return done();
}

Result<XmlEvent> XmlReader::tag_event() {
  ++at_;
  FIDUCIAL_TRY(std::string own, name());
  if (open_.size() == deepest_xml) return broken("expected at most 64 elements in each other, found more");
  XmlEvent out{.kind = XmlEvent::Kind::begin, .name = without_prefix(own)};
  open_.push_back(std::move(own));
  while (true) {
    skip_space();
    const std::string_view rest = all_.substr(at_);
    if (rest.starts_with('>') || rest.starts_with("/>")) {
      closes_ = rest[0] == '/';
      at_ += closes_ ? 2 : 1;
      return out;
    }
    FIDUCIAL_TRY_DONE(attribute(out));
  }
}

Result<XmlEvent> XmlReader::end_event() {
  at_ += 2;
  FIDUCIAL_TRY(const std::string own, name());
  skip_space();
  if (open_.empty() || open_.back() != own || at_ >= all_.size() || all_[at_] != '>')
    return broken("expected the end of the element that was begun last, found </" + own);
  ++at_;
  open_.pop_back();
  return XmlEvent{.kind = XmlEvent::Kind::end, .name = without_prefix(own)};
}

}  // namespace fiducial
