#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/pages/html.h"

namespace fiducial {

// A part of a page with a heading of its own, which the list of contents names.
struct PageSection {
  std::string id;  // what links lead to; ours, unique in a page
  std::string title;
  Html note;  // a line below the title; may be empty
  Html body;  // a section without one is left out
};

// A whole document that needs nothing beside it: the head, a list of contents, what stands before the first
// section, and the sections.
std::string whole_page(std::string_view title, const Html& head, const Html& opening,
                       const std::vector<PageSection>& sections);

// A box that says at a glance whether something is as it should be.
Html verdict(bool good, std::string_view title, const Html& text);
Html verdict(bool good, std::string_view title, std::string_view text);

Html bold(std::string_view text);
Html card(const Html& body);
// What is shown when it is asked for, and in print.
Html folded(std::string_view title, const Html& body);

// A text that fits beside a plot or in a card: cut at a word, with "…" for the rest.
std::string excerpt(const std::string& text, std::size_t most);

// "1 case", "6 cases".
std::string counted(std::int64_t count, const std::string& one, const std::string& many);

// A table, row by row. On a narrow screen it scrolls by itself, never the page.
class HtmlTable {
 public:
  enum class Kind { words, numbers };

  void column(Kind kind, std::string_view title) { column(kind, Html::of_text(title)); }
  void column(Kind kind, const Html& title);
  // As many cells as columns.
  void row(const std::vector<Html>& cells);
  bool empty() const { return rows_.empty(); }
  Html html() const;

 private:
  std::vector<Kind> kinds_;
  Html head_;
  Html rows_;
};

}  // namespace fiducial
