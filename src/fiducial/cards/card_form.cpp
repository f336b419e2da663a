#include "fiducial/cards/card_form.h"

#include <array>

namespace fiducial {

namespace {

using Kind = CardField::Kind;

constexpr std::array<CardField, 7> detail_fields{{{"name", "Name"},
                                                  {"overview", "Overview"},
                                                  {"data_type", "Data Type"},
                                                  {"domains", "Domains", Kind::list},
                                                  {"languages", "Languages", Kind::list},
                                                  {"similar_benchmarks", "Similar Benchmarks", Kind::list},
                                                  {"resources", "Resources", Kind::links}}};
constexpr std::array<CardField, 5> purpose_fields{{{"goal", "Goal"},
                                                   {"audience", "Target Audience", Kind::list},
                                                   {"tasks", "Tasks", Kind::list},
                                                   {"limitations", "Limitations"},
                                                   {"out_of_scope_uses", "Out of Scope Uses", Kind::list}}};
constexpr std::array<CardField, 4> data_fields{
    {{"source", "Source"}, {"size", "Size"}, {"format", "Format"}, {"annotation", "Annotation"}}};
constexpr std::array<CardField, 6> methodology_fields{
    {{"methods", "Methods", Kind::list},
     {"metrics", "Metrics", Kind::list},
     {"calculation", "Calculation"},
     {"interpretation", "Interpretation"},
     {"baseline_results", "Baseline Results", Kind::optional_text},
     {"validation", "Validation"}}};
constexpr std::array<CardField, 4> risk_fields{
    {{"risk_categories", "Risk Categories", Kind::list},
     {"atlas_risks", "Atlas Risks", Kind::risks},
     {"demographic_analysis", "Demographic Analysis", Kind::optional_text},
     {"harm", "Potential Harm", Kind::harm}}};
constexpr std::array<CardField, 4> ethics_fields{
    {{"privacy_and_anonymity", "Privacy And Anonymity"},
     {"data_licensing", "Data Licensing"},
     {"consent_procedures", "Consent Procedures"},
     {"compliance_with_regulations", "Compliance With Regulations"}}};

constexpr std::array<CardSection, 6> all_sections{
    {{"benchmark_details", "\U0001f4ca Benchmark Details", detail_fields},
     {"purpose_and_intended_users", "\U0001f3af Purpose and Intended Users", purpose_fields},
     {"data", "\U0001f4be Data", data_fields},
     {"methodology", "\U0001f52c Methodology", methodology_fields},
     {"targeted_risks", "\u26a0\ufe0f Targeted Risks", risk_fields},
     {"ethical_and_legal_considerations", "\U0001f512 Ethical and Legal Considerations", ethics_fields,
      "Not Applicable"}}};

}  // namespace

std::string child_pointer(std::string pointer, std::string_view key) {
  pointer += '/';
  pointer += key;
  return pointer;
}

std::span<const CardSection> card_sections() { return all_sections; }

}  // namespace fiducial
