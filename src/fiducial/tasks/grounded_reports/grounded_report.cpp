#include "fiducial/tasks/grounded_reports/grounded_report.h"

#include <algorithm>
#include <tuple>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/findings/sentence_regions.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_report_bytes = std::size_t{16} << 20;

Result<GroundedSentence> sentence_of(const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY_DONE(expect_object(value, pointer));
  GroundedSentence out;
  FIDUCIAL_TRY(const Json* text, required_field(value, "text", pointer));
  FIDUCIAL_TRY(out.text, expect_string(*text, pointer + "/text"));
  if (const Json* channel = value.find("channel"); channel != nullptr && !channel->is_null()) {
    FIDUCIAL_TRY(const std::int64_t number, expect_integer(*channel, pointer + "/channel"));
    if (number < 0) return at_pointer(pointer + "/channel", "expected 0 or more, found " + decimal(number));
    out.channel = number;
  }
  const Json* regions = value.find("regions");
  if (regions == nullptr || regions->is_null()) return out;
  FIDUCIAL_TRY(const Json::Array* list, expect_array(*regions, pointer + "/regions"));
  for (std::size_t i = 0; i < list->size(); ++i) {
    FIDUCIAL_TRY(out.regions.emplace_back(), expect_string((*list)[i], pointer + "/regions/" + decimal(i)));
  }
  return out;
}

Outcome add_report(std::string_view line, GroundedReports& out) {
  FIDUCIAL_TRY(const Json value, parse_json(line));
  FIDUCIAL_TRY_DONE(expect_object(value, ""));
  FIDUCIAL_TRY(const Json* name, required_field(value, "case", ""));
  FIDUCIAL_TRY(std::string case_name, expect_string(*name, "/case"));
  if (case_name.empty()) return at_pointer("/case", "expected the name of a case, found an empty text");
  if (!case_name.ends_with(".nii.gz")) case_name += ".nii.gz";
  FIDUCIAL_TRY(const Json* list, required_field(value, "sentences", ""));
  FIDUCIAL_TRY(const Json::Array* sentences, expect_array(*list, "/sentences"));
  std::vector<GroundedSentence> report;
  for (std::size_t i = 0; i < sentences->size(); ++i) {
    FIDUCIAL_TRY(report.emplace_back(), sentence_of((*sentences)[i], "/sentences/" + decimal(i)));
  }
  if (out.by_case.emplace(case_name, std::move(report)).second) return done();
  return at_pointer("/case", "expected a case once, found " + case_name + " again");
}

bool names_side(const std::vector<std::string>& paths, const std::string& side) {
  return std::any_of(paths.begin(), paths.end(), [&side](const std::string& path) {
    return (" " + path + " ").find(" " + side + " ") != std::string::npos ||
           path.find("/" + side + " ") != std::string::npos;
  });
}

std::string region_head(const std::string& path) { return path.substr(0, path.find('/')); }

}  // namespace

Result<GroundedReports> read_grounded_reports(StoredFile file) {
  HashingStream stored(std::move(file.bytes));
  LineReader lines(stored, longest_report_bytes);
  GroundedReports out;
  while (true) {
    FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next().in_file(grounded_reports_file));
    if (!line) break;
    if (line->find_first_not_of(" \t") == std::string_view::npos) continue;
    Outcome added = add_report(*line, out);
    if (added.ok()) continue;
    Place place = added.error().place();
    place.path = grounded_reports_file;
    place.line = lines.number();
    return Error(ErrorCode::invalid_data, added.error().message(), std::move(place));
  }
  FIDUCIAL_TRY(out.digest, stored.finish());
  return out;
}

bool ReportFact::fits(const ReportFact& other) const {
  const bool names_none = (!left && !right) || (!other.left && !other.right);
  return finding == other.finding && (names_none || (left && other.left) || (right && other.right));
}

bool ReportFact::shares_region(const ReportFact& other) const {
  return std::any_of(regions.begin(), regions.end(),
                     [&other](const std::string& region) { return other.regions.contains(region); });
}

std::vector<std::string> FactFinder::places_of(const GroundedSentence& sentence,
                                               const GroundedFinding& finding) {
  if (sentence.regions.empty()) return finding.paths;
  std::vector<std::string> out;
  const std::vector<std::string>& known = chest_region_rules().names();
  for (const std::string& region : sentence.regions) {
    if (region.find('/') != std::string::npos ||
        std::find(known.begin(), known.end(), region) != known.end()) {
      out.push_back(region);
      continue;
    }
    for (std::string& path : grounder_.paths(region)) out.push_back(std::move(path));
  }
  return out;
}

std::vector<ReportFact> FactFinder::facts(const std::vector<GroundedSentence>& sentences) {
  std::vector<ReportFact> out;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    std::set<std::tuple<std::string, bool, bool>> said;
    for (const GroundedFinding& finding : grounder_.findings(sentences[i].text)) {
      if (!finding.present) continue;
      ReportFact fact{.finding = finding.name,
                      .left = names_side(finding.paths, "left"),
                      .right = names_side(finding.paths, "right"),
                      .sentence = i};
      if (!said.emplace(fact.finding, fact.left, fact.right).second) continue;
      fact.places = places_of(sentences[i], finding);
      for (const std::string& place : fact.places) fact.regions.insert(region_head(place));
      out.push_back(std::move(fact));
    }
  }
  return out;
}

std::vector<FactMatch> match_facts(const std::vector<ReportFact>& reference,
                                   const std::vector<ReportFact>& prediction,
                                   const std::vector<std::vector<double>>& dice) {
  std::vector<FactMatch> pairs;
  for (std::size_t r = 0; r < reference.size(); ++r) {
    for (std::size_t p = 0; p < prediction.size(); ++p) {
      if (!reference[r].fits(prediction[p])) continue;
      pairs.push_back({r, p, dice.empty() ? 0 : dice[reference[r].sentence][prediction[p].sentence],
                       reference[r].shares_region(prediction[p])});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const FactMatch& a, const FactMatch& b) {
    return a.dice != b.dice ? a.dice > b.dice : a.shares_region && !b.shares_region;
  });
  std::vector<bool> used_reference(reference.size());
  std::vector<bool> used_prediction(prediction.size());
  std::vector<FactMatch> out;
  for (const FactMatch& pair : pairs) {
    if (used_reference[pair.reference] || used_prediction[pair.prediction]) continue;
    used_reference[pair.reference] = used_prediction[pair.prediction] = true;
    out.push_back(pair);
  }
  return out;
}

}  // namespace fiducial
