#include "fiducial/pages/html.h"

#include <set>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

constexpr const char* hostile_text = "\"><xss onload='x'>{{name}}&";

TEST(Template, escapes_what_goes_into_text_and_attributes) {
  EXPECT_EQ(filled("<p title=\"{{name}}\">{{name}}</p>", {{"name", "<b a=\"1\">'&"}}).markup(),
            "<p title=\"&lt;b a=&quot;1&quot;&gt;&#39;&amp;\">&lt;b a=&quot;1&quot;&gt;&#39;&amp;</p>");
}

TEST(Template, does_not_escape_html_again) {
  const Html bold = filled("<b>{{text}}</b>", {{"text", "a<b"}});
  EXPECT_EQ(filled("<p>{{text}}</p>", {{"text", bold}}).markup(), "<p><b>a&lt;b</b></p>");
}

TEST(Template, does_not_read_places_in_what_is_filled_in) {
  const Html page = filled("{{a}}{{b}}", {{"a", hostile_text}, {"b", "{{a}} {{?a}}"}});
  EXPECT_EQ(page.markup().find("<xss"), std::string::npos);
  EXPECT_TRUE(page.markup().ends_with("{{a}} {{?a}}"));
}

TEST(Template, leaves_out_a_part_whose_place_is_empty) {
  constexpr const char* text = "a{{?b}}[{{b}}{{?c}}, {{c}}{{/c}}]{{/b}}d";
  EXPECT_EQ(filled(text, {{"b", ""}, {"c", "x"}}).markup(), "ad");
  EXPECT_EQ(filled(text, {{"b", "1"}, {"c", ""}}).markup(), "a[1]d");
  EXPECT_EQ(filled(text, {{"b", "1"}, {"c", "2"}}).markup(), "a[1, 2]d");
}

TEST(TemplateDeathTest, a_place_without_a_filling_is_a_mistake) {
  EXPECT_DEATH(filled("{{name}}", {{"other", "x"}}), "");
}

// Where a place of a template stands.
struct TemplatePlace {
  std::string name;
  std::string attribute;  // empty: in text
  bool is_quoted = false;
  std::string element;  // the last that was opened
};

// A small reader of our own templates: enough to tell text from attributes.
std::vector<TemplatePlace> places_of(std::string_view text) {
  std::vector<TemplatePlace> out;
  bool in_tag = false;
  bool in_quotes = false;
  std::string element;
  std::string attribute;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "{{") {
      const std::size_t end = text.find("}}", i);
      const std::string_view name = text.substr(i + 2, end - i - 2);
      if (!name.starts_with('?') && !name.starts_with('/'))
        out.push_back({std::string(name), in_tag ? attribute : "", in_quotes, element});
      i = end + 1;
    } else if (!in_tag && text[i] == '<') {
      in_tag = true;
      const std::size_t end = text.find_first_of(" >{/", i + 1);
      element = std::string(text.substr(i + 1, end - i - 1));
    } else if (in_tag && text[i] == '"') {
      in_quotes = !in_quotes;
      const std::size_t begin = text.find_last_of(" }", i);
      if (in_quotes) attribute = std::string(text.substr(begin + 1, i - begin - 2));
    } else if (in_tag && !in_quotes && text[i] == '>') {
      in_tag = false;
      attribute.clear();
    }
  }
  return out;
}

TEST(Templates, have_places_in_text_and_in_quoted_attributes_only) {
  const std::set<std::string> harmless = {"class", "id", "title", "alt", "aria-label"};
  std::size_t places = 0;
  for (const auto& [name, text] : page_templates()) {
    for (const TemplatePlace& place : places_of(text)) {
      ++places;
      if (place.attribute.empty()) {
        EXPECT_TRUE(place.element != "script" && (place.element != "style" || place.name == "style")) << name;
        continue;
      }
      EXPECT_TRUE(place.is_quoted) << name << " " << place.name;
      const bool is_ours = (place.attribute == "href" && place.name == "id") ||
                           (place.attribute == "src" && place.name == "source");
      EXPECT_TRUE(is_ours || harmless.contains(place.attribute)) << name << " " << place.attribute;
    }
  }
  EXPECT_GT(places, 50U);
}

TEST(Templates, have_names_of_their_own) {
  std::set<std::string_view> names;
  for (const auto& [name, text] : page_templates()) EXPECT_TRUE(names.insert(name).second) << name;
}

}  // namespace
}  // namespace fiducial
