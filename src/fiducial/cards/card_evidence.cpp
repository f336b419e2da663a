#include "fiducial/cards/card_evidence.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/counted.h"
#include "fiducial/datasets/dicom_age.h"
#include "fiducial/metrics/contract.h"

namespace fiducial {

std::string_view embedded_risks();  // data/risks.txt

namespace {

struct RiskRule {
  std::string_view name;
  std::string_view category;
  std::string_view risk;
};

std::vector<RiskRule> risk_rules() {
  std::vector<RiskRule> out;
  std::string_view text = embedded_risks();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t colon = line.find(':');
    const std::size_t slash = line.find(" / ");
    if (line.starts_with('#') || colon == std::string_view::npos || slash == std::string_view::npos) continue;
    out.push_back({trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1, slash - colon - 1)),
                   trimmed(line.substr(slash + 3))});
  }
  return out;
}

// How often each rule was broken, and the first place.
struct BrokenRule {
  Severity severity = Severity::note;
  std::int64_t count = 0;
  const LintProblem* first = nullptr;
};

std::map<std::string, BrokenRule> broken_rules(const LintReport& report) {
  std::map<std::string, BrokenRule> out;
  for (const LintProblem& problem : report.problems.all()) {
    BrokenRule& rule = out[problem.code];
    rule.severity = problem.severity;
    if (rule.first == nullptr) rule.first = &problem;
    rule.count += problem.occurrences - 1;
  }
  for (auto& [code, rule] : out) rule.count += report.problems.count(code);  // also those that were not kept
  return out;
}

// Warnings that answers are wrong, beside all errors.
bool speaks_of_labels(std::string_view code) {
  return code == "yes_and_no" || code == "negation_suspected" || code == "labels_disagree";
}

// A message without the row that it may quote: a card shows no data.
std::string one_line(std::string text) {
  text.resize(std::min(text.find("; first: "), text.size()));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void add_reason(std::string& reasons, const std::string& reason) { append_joined(reasons, reason, "; "); }

std::string broken_rule_sentence(const std::string& code, const BrokenRule& rule) {
  const LintProblem& first = *rule.first;
  const std::string where = first.file + (first.place.empty() || first.file.empty() ? "" : " ") + first.place;
  return code + ": " + counted(rule.count, "place") + (where.empty() ? "" : ", such as " + where) + " (" +
         one_line(first.message) + ").";
}

double median(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// Whole years without decimals, others with one.
std::string years(double age) { return fixed(age, age == std::floor(age) ? 0 : 1); }

std::optional<double> age_of(const std::string& text) {
  if (const auto age = parse_dicom_age(text)) return age;
  const auto number = parse_double(text);
  return number && *number >= 0 && *number <= 150 ? number : std::nullopt;
}

std::vector<std::string> values_of(const VolumeMetadata& metadata, const char* column,
                                   const std::vector<std::string>& volumes) {
  std::vector<std::string> out;
  const auto at = metadata.table().find_column(column);
  if (!at) return out;
  for (const std::string& volume : volumes) {
    const auto row = metadata.find(volume);
    if (const auto value = row ? metadata.value(*row, *at) : std::nullopt) out.push_back(*value);
  }
  return out;
}

std::string sexes_text(const std::vector<std::string>& sexes, CardDraft& draft, CardEvidence& evidence) {
  std::map<std::string, std::int64_t> counts;
  for (const std::string& sex : sexes) ++counts[sex];
  std::string out;
  const auto total = static_cast<double>(sexes.size());
  for (const auto& [sex, count] : counts) {
    out += (out.empty() ? "PatientSex: " : ", ") + sex + " " + grouped_count(count) + " (" +
           percent_text(static_cast<double>(count) / total) + ")";
  }
  constexpr double least_share = 0.3;
  const double men = static_cast<double>(counts["M"]) / total;
  const double women = static_cast<double>(counts["F"]) / total;
  const double fewer = std::min(men, women);
  if (men + women > 0.9 && fewer < least_share) {
    const std::string reason = "one sex has " + percent_text(fewer) + " of the volumes";
    evidence.risks["uneven_groups"] = reason;
    draft.alert("targeted_risks.demographic_analysis", reason);
  }
  return out;
}

std::string ages_text(const std::vector<std::string>& texts) {
  std::vector<double> ages;
  for (const std::string& text : texts) {
    if (const auto age = age_of(text)) ages.push_back(*age);
  }
  if (ages.empty()) return {};
  std::sort(ages.begin(), ages.end());
  return "PatientAge in years: median " + years(median(ages)) + ", from " + years(ages.front()) + " to " +
         years(ages.back()) + " (" + counted(static_cast<std::int64_t>(ages.size()), "volume") + ")";
}

}  // namespace

CardEvidence fill_from_facts(const CardFacts& facts, CardDraft& draft) {
  for (const CardFacts::Field& field : facts.fields) draft.set(field.name, field.value, field.origin);
  for (const CardFacts::Alert& alert : facts.alerts) draft.alert(alert.field, alert.text);
  if (!facts.metrics.empty()) fill_metrics(facts.metrics, draft);
  return {facts.limitations, facts.baselines, facts.volumes, facts.risks};
}

void fill_from_check(const LintReport& report, CardDraft& draft, CardEvidence& evidence) {
  const LintProblems& found = report.problems;
  const std::int64_t errors = found.count(Severity::error);
  const std::int64_t warnings = found.count(Severity::warning);
  std::string text = "fiducial check read " + counted(report.cases(), "case") + ": " +
                     counted(errors, "error") + ", " + counted(warnings, "warning") + ", " +
                     counted(found.count(Severity::note), "note") + ".";
  for (const auto& [code, rule] : broken_rules(report)) {
    if (code == "text_identifier") evidence.risks["identifiers"] = rule.first->message;
    if (rule.severity == Severity::note) continue;
    text += " " + code + ": " + grouped_count(rule.count) + ".";
    evidence.limitations.push_back(broken_rule_sentence(code, rule));
    if (speaks_of_labels(code)) add_reason(evidence.risks["label_errors"], one_line(rule.first->message));
    if (code == "patients_shared") evidence.risks["shared_patients"] = one_line(rule.first->message);
  }
  if (errors + warnings == 0) text += " Every rule of the layout holds.";
  draft.set("methodology.validation", text, "computed by fiducial check (" + report.dataset_file + ")");
  if (errors == 0) return;
  const double share =
      report.cases() == 0 ? 0 : static_cast<double>(errors) / static_cast<double>(report.cases());
  add_reason(evidence.risks["label_errors"],
             counted(errors, "error") + " in " + counted(report.cases(), "case"));
  draft.alert("methodology.validation", "broken rules: " + fixed(share, 4) + " errors a case");
}

void fill_demographics(const VolumeMetadata& metadata, CardDraft& draft, CardEvidence& evidence) {
  std::vector<std::string> parts;
  const std::vector<std::string> sexes = values_of(metadata, "PatientSex", evidence.volumes);
  if (!sexes.empty()) parts.push_back(sexes_text(sexes, draft, evidence));
  parts.push_back(ages_text(values_of(metadata, "PatientAge", evidence.volumes)));
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) append_joined(text, part, "; ");
  }
  if (text.empty()) return;
  const auto known = static_cast<std::int64_t>(sexes.size());
  const auto all = static_cast<std::int64_t>(evidence.volumes.size());
  if (known < all)
    draft.alert("targeted_risks.demographic_analysis",
                "PatientSex is known of " + grouped_count(known) + " of " + counted(all, "volume"));
  draft.set("targeted_risks.demographic_analysis", text, "computed from " + metadata.file_name());
  const std::vector<std::string> places = values_of(metadata, "InstitutionName", evidence.volumes);
  if (!places.empty() && std::set<std::string>(places.begin(), places.end()).size() == 1)
    evidence.risks["single_centre"] = "one institution, of " +
                                      counted(static_cast<std::int64_t>(places.size()), "volume") +
                                      " that name theirs";
}

void fill_metrics(const std::vector<std::string>& ids, CardDraft& draft) {
  Json metrics = Json::Array{};
  std::string calculation;
  std::map<Direction, std::string> directions;
  const std::vector<MetricContract> contracts = all_contracts();
  for (const std::string& id : ids) {
    const auto found = std::find_if(contracts.begin(), contracts.end(),
                                    [&id](const MetricContract& contract) { return contract.id == id; });
    FIDUCIAL_ASSERT(found != contracts.end());
    metrics.push(found->title + " (" + found->id + ")");
    append_joined(calculation, found->id + ": " + one_line(found->definition) + ".", " ");
    std::string& names = directions[found->better];
    append_joined(names, found->id);
  }
  std::string interpretation;
  for (const auto& [direction, names] : directions) {
    if (direction == Direction::none) continue;
    append_joined(
        interpretation,
        std::string(direction == Direction::higher ? "Higher" : "Lower") + " is better: " + names + ".", " ");
  }
  const std::string origin = "computed from the metric contracts of this build";
  draft.set("methodology.methods", Json::array({"Automated metrics"}), origin);
  draft.set("methodology.metrics", std::move(metrics), origin);
  draft.set("methodology.calculation", calculation, origin);
  draft.set("methodology.interpretation", interpretation, origin);
}

void fill_risks(const CardEvidence& evidence, CardDraft& draft) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_category;
  std::string origin;
  for (const RiskRule& rule : risk_rules()) {
    const auto fired = evidence.risks.find(std::string(rule.name));
    if (fired == evidence.risks.end()) continue;
    append_joined(origin, fired->first + " (" + one_line(fired->second) + ")", "; ");
    auto category = std::find_if(by_category.begin(), by_category.end(),
                                 [&rule](const auto& each) { return each.first == rule.category; });
    if (category == by_category.end())
      category = by_category.insert(by_category.end(), {std::string(rule.category), {}});
    std::vector<std::string>& risks = category->second;
    if (std::find(risks.begin(), risks.end(), rule.risk) == risks.end()) risks.emplace_back(rule.risk);
  }
  if (by_category.empty()) return;
  Json categories = Json::Array{};
  Json atlas = Json::Array{};
  for (const auto& [category, risks] : by_category) {
    categories.push(category);
    Json parts = Json::Array{};
    for (const std::string& risk : risks) parts.push(risk);
    atlas.push(Json::object({{"category", category}, {"subcategory", std::move(parts)}}));
  }
  draft.set("targeted_risks.risk_categories", std::move(categories), "rules: " + origin);
  draft.set("targeted_risks.atlas_risks", Json::object({{"risks", std::move(atlas)}}), "rules: " + origin);
}

}  // namespace fiducial
