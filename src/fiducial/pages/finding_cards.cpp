#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/rexgroundingct/ontology.h"
#include "fiducial/drawing/slice_picture_svg.h"
#include "fiducial/pages/sections.h"
#include "fiducial/text/html_text.h"

namespace fiducial {

namespace {

const ReportScore* find_score(const ReportFinding& finding, std::string_view metric, bool official) {
  for (const ReportScore& score : finding.scores) {
    if (score.official == official && score.metric.starts_with(metric)) return &score;
  }
  return nullptr;
}

std::string category_text(const std::string& code) {
  const auto category = rexgroundingct::find_category(code);
  if (category) return std::string(category->title) + " (" + code + ")";
  return code.empty() ? "no category" : "category " + code;
}

std::string chip(const std::string& text) { return "<li>" + html_escaped(text) + "</li>"; }

// "2 of 3 entities found, 1 extra region", by whichever scorer counted them.
std::string entities_chip(const ReportFinding& finding) {
  for (const bool official : {false, true}) {
    const ReportScore* found = find_score(finding, "instance_tp", official);
    const ReportScore* missed = find_score(finding, "instance_fn", official);
    const ReportScore* extra = find_score(finding, "instance_fp", official);
    if (found == nullptr || missed == nullptr || extra == nullptr) continue;
    if (!found->value || !missed->value || !extra->value) continue;
    const auto whole = [](double value) { return fixed(value, 0); };
    return chip(whole(*found->value) + " of " + whole(*found->value + *missed->value) + " entities matched") +
           chip(whole(*extra->value) + (*extra->value == 1 ? " extra region" : " extra regions"));
  }
  return "";
}

std::string score_chips(const ReportFinding& finding) {
  std::string out;
  const ReportScore* hit = find_score(finding, "hit10", false);
  if (hit == nullptr) hit = find_score(finding, "hit10", true);
  if (hit != nullptr && hit->value) out += chip(*hit->value > 0 ? "hit" : "not hit");
  out += entities_chip(finding);
  for (const ReportScore& score : finding.scores) {
    if (score.unit == "mm" && score.value) out += chip(score.title + " " + fixed(*score.value, 1) + " mm");
  }
  out += chip(decimal(finding.reference_voxels) + " reference voxels");
  return "<ul class=\"chips\">" + out + "</ul>\n";
}

std::string finding_card(const ShownFinding& shown, const std::string& id) {
  const ReportFinding& finding = *shown.finding;
  const ReportScore* official = find_score(finding, "dice_rexrank", true);
  std::string out =
      "<article class=\"card finding\">\n<header><div><h3><bdi>" +
      (shown.sentence.empty() ? "Finding " + decimal(finding.index) : html_escaped(shown.sentence)) +
      "</bdi></h3><p class=\"where\">" + html_escaped(category_text(finding.category)) + " &middot; <bdi>" +
      html_escaped(finding.case_name) + "</bdi>, finding " + decimal(finding.index) + "</p></div>\n";
  out += "<div class=\"dice\"><b>" + (finding.dice ? fixed(*finding.dice, 3) : "undefined") +
         "</b><span class=\"note\">Dice";
  if (official != nullptr && official->value && find_score(finding, "dice", false) != nullptr) {
    out += ", official " + fixed(*official->value, 3);
  }
  out += "</span></div></header>\n" + score_chips(finding);
  if (shown.picture) out += slice_panels(*shown.picture, id);
  if (!shown.remark.empty()) out += "<p class=\"note\">" + html_escaped(shown.remark) + "</p>\n";
  return out + "</article>\n";
}

}  // namespace

std::string legend_section() {
  return "<section>\n<h2>Findings to look at</h2>\n<p class=\"note\">Axial slices as on a workstation: the "
         "patient&rsquo;s right is on the left, anterior is up. Of every finding the slice with most of its "
         "reference "
         "is shown, whole and enlarged around it; scores are of the whole volume.</p>\n"
         "<p><span class=\"key\"><span class=\"swatch truth\"></span>reference only: missed</span>"
         "<span class=\"key\"><span class=\"swatch guess\"></span>prediction only: extra</span>"
         "<span class=\"key\"><span class=\"swatch both\"></span>both</span></p>\n</section>\n";
}

std::string findings_section(const std::string& title, const std::string& lead,
                             const std::vector<ShownFinding>& shown) {
  if (shown.empty()) return "";
  std::string slug = title.substr(0, title.find(' '));
  std::string out =
      "<section style=\"margin-top:18px\">\n<h3>" + title + "</h3>\n<p class=\"note\">" + lead + "</p>\n";
  for (std::size_t i = 0; i < shown.size(); ++i) out += finding_card(shown[i], slug + decimal(i));
  return out + "</section>\n";
}

}  // namespace fiducial
