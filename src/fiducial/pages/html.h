#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fiducial {

// A fragment of HTML in which every text from outside is escaped.
class Html {
 public:
  Html() = default;
  // Any bytes as text: safe between tags and in quoted attributes.
  static Html of_text(std::string_view text);
  // Markup that this program wrote itself: a drawing, a style sheet, a number. Never data.
  static Html of_markup(std::string markup) { return Html(std::move(markup)); }

  bool empty() const { return markup_.empty(); }
  const std::string& markup() const { return markup_; }

  Html& operator+=(const Html& more) {
    markup_ += more.markup_;
    return *this;
  }
  friend Html operator+(Html a, const Html& b) {
    a += b;
    return a;
  }

 private:
  explicit Html(std::string markup) : markup_(std::move(markup)) {}

  std::string markup_;
};

// What goes into the place {{name}} of a template. Text is escaped, Html is not escaped again.
struct Filling {
  Filling(std::string_view place, std::string_view text) : name(place), html(Html::of_text(text)) {}
  Filling(std::string_view place, Html fragment) : name(place), html(std::move(fragment)) {}

  std::string_view name;
  Html html;
};

// A template with its places filled. {{name}} is a place; {{?name}} ... {{/name}} stays only where something
// goes into that place. Every place must have a filling.
Html filled(std::string_view text, std::initializer_list<Filling> fillings);

// The same of a template of data/*.html, where "<!-- name -->" on a line of its own begins one.
Html fill(std::string_view name, std::initializer_list<Filling> fillings = {});

// All templates of data/*.html with their names, in their order.
const std::vector<std::pair<std::string_view, std::string_view>>& page_templates();

}  // namespace fiducial
