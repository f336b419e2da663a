#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/base/result.h"

namespace fiducial {

// What comes next in a document. Names are without their prefixes.
struct XmlEvent {
  enum class Kind { begin, end, text, finish };
  Kind kind = Kind::finish;
  std::string name;  // of begin and end
  std::string text;
  std::vector<std::pair<std::string, std::string>> attributes;  // of begin

  const std::string* find(std::string_view attribute) const;
};

// Reads XML as office programs write it, one event after another, in memory that grows with one of them.
//
// Refused, with the byte: document types and entities of one's own, tags that do not pair, nesting beyond 64,
// text that is not UTF-8. Comments and processing instructions are skipped; an empty element is a begin and
// an end.
class XmlReader {
 public:
  explicit XmlReader(std::string_view document);  // which must outlive the reader

  Result<XmlEvent> next();

 private:
  Result<XmlEvent> text_event();
  Result<XmlEvent> tag_event();
  Result<XmlEvent> end_event();
  Result<std::string> name();
  Result<std::string> decoded(std::string_view raw) const;
  Outcome attribute(XmlEvent& event);
  Outcome skip_to(std::string_view end);
  void skip_space();
  Error broken(std::string message) const;

  std::string_view all_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  bool closes_ = false;  // the element that was begun last is empty
};

}  // namespace fiducial
