#include "fiducial/pages/page_frame.h"

#include "fiducial/base/error.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

std::string_view embedded_page_style();

namespace {

Html contents_of(const std::vector<PageSection>& sections) {
  Html links;
  for (const PageSection& section : sections) {
    if (!section.body.empty()) links += fill("link", {{"id", section.id}, {"title", section.title}});
  }
  return links.empty() ? links : fill("contents", {{"links", links}});
}

}  // namespace

std::string whole_page(std::string_view title, const Html& head, const Html& opening,
                       const std::vector<PageSection>& sections) {
  Html body = contents_of(sections) + opening;
  for (const PageSection& section : sections) {
    if (section.body.empty()) continue;
    body +=
        fill("section",
             {{"id", section.id}, {"title", section.title}, {"note", section.note}, {"body", section.body}});
    body += Html::of_markup("\n");
  }
  return fill("page", {{"title", title},
                       {"style", Html::of_markup(std::string(embedded_page_style()))},
                       {"head", head},
                       {"body", body}})
             .markup() +
         "\n";
}

Html verdict(bool good, std::string_view title, const Html& text) {
  return fill("verdict", {{"mood", good ? "good" : "warn"}, {"title", title}, {"text", text}});
}

Html verdict(bool good, std::string_view title, std::string_view text) {
  return verdict(good, title, Html::of_text(text));
}

Html bold(std::string_view text) { return fill("bold", {{"text", text}}); }

Html card(const Html& body) { return body.empty() ? body : fill("card", {{"body", body}}); }

Html folded(std::string_view title, const Html& body) {
  return body.empty() ? body : fill("folded", {{"title", title}, {"body", body}});
}

std::string excerpt(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = text.rfind(' ', most);
  if (end == std::string::npos || end < most / 2) end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + " …";
}

std::string counted(std::int64_t count, const std::string& one, const std::string& many) {
  return decimal(count) + " " + (count == 1 ? one : many);
}

void HtmlTable::column(Kind kind, const Html& title) {
  kinds_.push_back(kind);
  head_ += fill(kind == Kind::words ? "header_cell" : "number_header_cell", {{"text", title}});
}

void HtmlTable::row(const std::vector<Html>& cells) {
  FIDUCIAL_ASSERT(cells.size() == kinds_.size());
  Html out;
  for (std::size_t i = 0; i < cells.size(); ++i)
    out += fill(kinds_[i] == Kind::words ? "name_cell" : "number_cell", {{"text", cells[i]}});
  rows_ += fill("row", {{"cells", out}}) + Html::of_markup("\n");
}

Html HtmlTable::html() const { return fill("table", {{"head", head_}, {"rows", rows_}}); }

}  // namespace fiducial
