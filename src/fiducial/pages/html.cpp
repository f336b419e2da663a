#include "fiducial/pages/html.h"

#include <algorithm>

#include "fiducial/base/error.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/text/html_text.h"

namespace fiducial {

std::string_view embedded_page_frame();
std::string_view embedded_page_values();
std::string_view embedded_page_findings();
std::string_view embedded_page_diagnosis();
std::string_view embedded_page_tables();
std::string_view embedded_page_comparison();

namespace {

constexpr std::string_view name_begins = "<!-- ";
constexpr std::string_view name_ends = " -->\n";

// Where the next template of a file begins.
std::size_t find_name(std::string_view text, std::size_t from) {
  while (true) {
    const std::size_t at = text.find(name_begins, from);
    if (at == std::string_view::npos || at == 0 || text[at - 1] == '\n') return at;
    from = at + 1;
  }
}

void append_templates(std::vector<std::pair<std::string_view, std::string_view>>& out,
                      std::string_view text) {
  for (std::size_t at = find_name(text, 0); at != std::string_view::npos;) {
    const std::size_t name = at + name_begins.size();
    const std::size_t end = text.find(name_ends, name);
    FIDUCIAL_ASSERT(end != std::string_view::npos);
    const std::size_t body = end + name_ends.size();
    at = find_name(text, body);
    out.emplace_back(text.substr(name, end - name), trimmed(text.substr(body, at - body)));
  }
}

const Html& filling_of(std::string_view name, std::initializer_list<Filling> fillings) {
  const auto* const found = std::find_if(fillings.begin(), fillings.end(),
                                         [name](const Filling& filling) { return filling.name == name; });
  FIDUCIAL_ASSERT(found != fillings.end());
  return found->html;
}

}  // namespace

Html Html::of_text(std::string_view text) { return Html(html_escaped(text)); }

const std::vector<std::pair<std::string_view, std::string_view>>& page_templates() {
  static const auto all = [] {
    std::vector<std::pair<std::string_view, std::string_view>> out;
    for (const std::string_view file :
         {embedded_page_frame(), embedded_page_values(), embedded_page_findings(), embedded_page_diagnosis(),
          embedded_page_tables(), embedded_page_comparison()})
      append_templates(out, file);
    return out;
  }();
  return all;
}

Html filled(std::string_view text, std::initializer_list<Filling> fillings) {
  Html out;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find("{{"), text.size());
    out += Html::of_markup(std::string(text.substr(0, open)));
    if (open == text.size()) break;
    const std::size_t close = text.find("}}", open);
    FIDUCIAL_ASSERT(close != std::string_view::npos);
    const std::string_view name = text.substr(open + 2, close - open - 2);
    text.remove_prefix(close + 2);
    if (!name.starts_with('?')) {
      out += filling_of(name, fillings);
      continue;
    }
    const std::string end = "{{/" + std::string(name.substr(1)) + "}}";
    const std::size_t length = text.find(end);
    FIDUCIAL_ASSERT(length != std::string_view::npos);
    if (!filling_of(name.substr(1), fillings).empty()) out += filled(text.substr(0, length), fillings);
    text.remove_prefix(length + end.size());
  }
  return out;
}

Html fill(std::string_view name, std::initializer_list<Filling> fillings) {
  for (const auto& [known, text] : page_templates()) {
    if (known == name) return filled(text, fillings);
  }
  FIDUCIAL_ASSERT(false);
  return {};
}

}  // namespace fiducial
