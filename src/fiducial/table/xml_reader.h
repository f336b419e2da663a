#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/base/result.h"

namespace fiducial {

// What comes next in a document. Names are without their prefixes.
struct XmlEvent {
  enum class Kind { begin, end, text };
  Kind kind = Kind::text;
  std::string name;                                             // of begin and end
  std::string text;                                             // may come in several pieces
  std::vector<std::pair<std::string, std::string>> attributes;  // of begin

  const std::string* find(std::string_view attribute) const;
};

// Reads a document with expat and hands on one event after another, until the end or the first error that
// the caller returns. Comments and processing instructions are skipped; an empty element is a begin and an
// end.
//
// Refused, with the byte: document types, and so entities of one's own; what is not well-formed; nesting
// beyond 64; documents of 2 GiB and more; text that is not UTF-8, whatever the document declares.
Outcome read_xml(std::string_view document, const std::function<Outcome(const XmlEvent&)>& take);

}  // namespace fiducial
