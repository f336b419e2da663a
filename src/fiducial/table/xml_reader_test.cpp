#include "fiducial/table/xml_reader.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Outcome skimmed(std::string_view document) {
  return read_xml(document, [](const XmlEvent&) { return done(); });
}

std::string text_in(std::string_view document) {
  std::string out;
  const Outcome read = read_xml(document, [&](const XmlEvent& event) -> Outcome {
    out += event.text;
    return done();
  });
  return read.ok() ? out : read.error().text();
}

TEST(XmlReader, hands_on_elements_with_their_texts) {
  std::string seen;
  const Outcome read = read_xml(
      "\xEF\xBB\xBF<?xml version='1.0'?><!-- no --><x:a r:b='1' c = \"&#x41;&#66;\">t<d/>&lt;</x:a>\n",
      [&](const XmlEvent& event) -> Outcome {
        seen += event.kind == XmlEvent::Kind::begin ? "+" + event.name
                : event.kind == XmlEvent::Kind::end ? "-" + event.name
                                                    : event.text;
        for (const auto& [key, value] : event.attributes) seen += "," + key + "=" + value;
        return done();
      });
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(seen, "+a,b=1,c=ABt+d-d<-a");
}

TEST(XmlReader, reads_what_is_marked_as_plain_text) { EXPECT_EQ(text_in("<a><![CDATA[<b>&]]></a>"), "<b>&"); }

TEST(XmlReader, refuses_document_types_before_their_entities_grow) {
  const std::string laughs =
      "<!DOCTYPE a [<!ENTITY b 'ha'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>"
      "<!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;'>]><a>&d;</a>";
  for (const std::string& document :
       {laughs, std::string("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hostname'>]><a>&b;</a>"),
        std::string("<!DOCTYPE a SYSTEM 'http://localhost/a.dtd'><a/>"), std::string("<!DOCTYPE a><a/>")}) {
    const Outcome read = skimmed(document);
    ASSERT_FALSE(read.ok()) << document;
    EXPECT_NE(read.error().text().find("found a document type"), std::string::npos) << read.error().text();
  }
}

TEST(XmlReader, refuses_broken_documents_with_their_place) {
  for (const char* document : {"", "<a>&b;</a>", "<a></b>", "<a", "<a>", "</a>", "text", "<a b=1/>",
                               "<a b='1' b='2'/>", "<a/><b/>", "<a>&#xD800;</a>", "<a>\xFF</a>",
                               "<?xml version='1.0' encoding='ISO-8859-1'?><a>\xE4</a>", "<!-- "}) {
    const Outcome read = skimmed(document);
    ASSERT_FALSE(read.ok()) << document;
    EXPECT_TRUE(read.error().place().byte.has_value()) << document;
  }
}

TEST(XmlReader, refuses_nesting_beyond_its_limit) {
  std::string open;
  std::string closed;
  for (int i = 0; i < 64; ++i) open += "<a>", closed += "</a>";
  EXPECT_TRUE(skimmed(open + closed).ok());
  EXPECT_FALSE(skimmed(open + "<a/>" + closed).ok());
}

TEST(XmlReader, stops_at_the_first_failure_of_its_caller) {
  int taken = 0;
  const Outcome read = read_xml("<a><b/><c/></a>", [&](const XmlEvent& event) -> Outcome {
    ++taken;
    return event.name == "b" ? Outcome(invalid_data("enough")) : done();
  });
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().text().find("enough"), std::string::npos);
  EXPECT_EQ(taken, 2);
}

}  // namespace
}  // namespace fiducial
