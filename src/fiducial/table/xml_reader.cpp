#include "fiducial/table/xml_reader.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>

#include <expat.h>

namespace fiducial {

namespace {

constexpr int deepest_xml = 64;

struct XmlParserDeleter {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};
using XmlParser = std::unique_ptr<std::remove_pointer_t<XML_Parser>, XmlParserDeleter>;

// Before the first token there is no place yet.
Place place_of(XML_Parser parser) {
  const auto byte = std::max<XML_Index>(XML_GetCurrentByteIndex(parser), 0);
  return {.path = {}, .byte = static_cast<std::uint64_t>(byte), .line = {}, .pointer = {}};
}

std::string without_prefix(std::string_view name) { return std::string(name.substr(name.find(':') + 1)); }

// What expat calls back. After the first failure nothing more is handed on.
class XmlHandlers {
 public:
  XmlHandlers(XML_Parser parser, const std::function<Outcome(const XmlEvent&)>& take)
      : parser_(parser), take_(take) {
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, begin_element, end_element);
    XML_SetCharacterDataHandler(parser, text);
    XML_SetStartDoctypeDeclHandler(parser, document_type);
  }

  const std::optional<Error>& failure() const { return failure_; }

 private:
  static void begin_element(void* self, const XML_Char* name, const XML_Char** attributes) {
    auto& reader = *static_cast<XmlHandlers*>(self);
    if (++reader.depth_ > deepest_xml)
      return reader.refuse("expected at most 64 elements in each other, found more");
    XmlEvent event{.kind = XmlEvent::Kind::begin, .name = without_prefix(name), .text = {}, .attributes = {}};
    for (; attributes[0] != nullptr; attributes += 2)
      event.attributes.emplace_back(without_prefix(attributes[0]), attributes[1]);
    reader.hand_on(event);
  }

  static void end_element(void* self, const XML_Char* name) {
    auto& reader = *static_cast<XmlHandlers*>(self);
    --reader.depth_;
    reader.hand_on({.kind = XmlEvent::Kind::end, .name = without_prefix(name), .text = {}, .attributes = {}});
  }

  static void text(void* self, const XML_Char* characters, int count) {
    static_cast<XmlHandlers*>(self)->hand_on(
        {.kind = XmlEvent::Kind::text,
         .name = {},
         .text = std::string(characters, static_cast<std::size_t>(count)),
         .attributes = {}});
  }

  // Entities are declared in there: they can grow without bounds, and name files.
  static void document_type(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    static_cast<XmlHandlers*>(self)->refuse("expected elements, found a document type");
  }

  void refuse(std::string message) {
    stop(Error(ErrorCode::invalid_data, std::move(message), place_of(parser_)));
  }

  void hand_on(const XmlEvent& event) {
    if (failure_) return;
    Outcome taken = take_(event);
    if (!taken.ok()) stop(std::move(taken).error());
  }

  void stop(Error failure) {
    if (failure_) return;
    failure_ = std::move(failure);
    XML_StopParser(parser_, XML_FALSE);
  }

  XML_Parser parser_;
  const std::function<Outcome(const XmlEvent&)>& take_;
  int depth_ = 0;
  std::optional<Error> failure_;
};

}  // namespace

const std::string* XmlEvent::find(std::string_view attribute) const {
  for (const auto& [key, value] : attributes) {
    if (key == attribute) return &value;
  }
  return nullptr;
}

Outcome read_xml(std::string_view document, const std::function<Outcome(const XmlEvent&)>& take) {
  if (document.size() > std::size_t{std::numeric_limits<int>::max()})
    return invalid_data("expected XML of less than 2 GiB, found more");
  const XmlParser parser(XML_ParserCreate("UTF-8"));
  FIDUCIAL_ASSERT(parser != nullptr);
  const XmlHandlers handlers(parser.get(), take);
  // In one piece: expat would look at a long text again with every piece.
  const auto status = XML_Parse(parser.get(), document.data(), static_cast<int>(document.size()), XML_TRUE);
  if (handlers.failure()) return *handlers.failure();
  if (status == XML_STATUS_OK) return done();
  return Error(
      ErrorCode::invalid_data,
      std::string("expected well-formed XML, found: ") + XML_ErrorString(XML_GetErrorCode(parser.get())),
      place_of(parser.get()));
}

}  // namespace fiducial
