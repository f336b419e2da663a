#include "fiducial/pages/finding_page.h"

#include <iterator>

#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/sections.h"
#include "fiducial/pages/style.h"
#include "fiducial/text/html_text.h"

namespace fiducial {

namespace {

constexpr std::size_t worst_shown = 6;
constexpr std::size_t best_shown = 3;

std::string findings_part(const ReportInput& input, const PictureSource& source, const Executor& executor) {
  if (input.is_private) return "";
  const Extremes extremes = extremes_of(input.findings, worst_shown, best_shown);
  std::vector<const ReportFinding*> chosen = extremes.worst;
  chosen.insert(chosen.end(), extremes.best.begin(), extremes.best.end());
  if (chosen.empty()) return "";
  std::vector<ShownFinding> shown = shown_findings(chosen, source, executor);
  const auto middle = shown.begin() + static_cast<std::ptrdiff_t>(extremes.worst.size());
  const std::vector<ShownFinding> best(std::make_move_iterator(middle), std::make_move_iterator(shown.end()));
  shown.erase(middle, shown.end());
  return legend_section() +
         findings_section("Weakest findings", "The lowest Dice among predictions that could be read.",
                          shown) +
         findings_section("Strongest findings", "The highest Dice, by the same rule.", best);
}

}  // namespace

std::string page_of(const Json& summary, const std::string& sections) {
  const std::string title =
      html_escaped(summary_text(summary, {"system"}) + " on " + summary_text(summary, {"benchmark"}));
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
      "style-src 'unsafe-inline'\">\n";
  out += "<title>" + title + "</title>\n<style>" + std::string(report_style) +
         "</style>\n</head>\n<body>\n<main>\n";
  return out + sections + "</main>\n</body>\n</html>\n";
}

std::string report_page(const ReportInput& input, const PictureSource& source, const Executor& executor) {
  std::string out =
      head_section(input) + verdict_section(input) + headline_section(input) + scorers_section(input);
  out += groups_section(input) + findings_part(input, source, executor);
  out += remarks_section(input) + reproduce_section(input);
  return page_of(input.summary, out);
}

}  // namespace fiducial
