#include <algorithm>
#include <map>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/tasks/diagnosis/answered_split.h"

namespace fiducial {

namespace {

// The labels of a case by kind; a case may have several labels of a kind, or none.
using Labels = std::vector<std::string>;
using LabelsOf = Labels (*)(const DiagnosisCase& entry);

Labels text_or_none(const std::string& text) { return {text.empty() ? "none" : text}; }
Labels yes_or_no(bool value) { return {value ? "yes" : "no"}; }

Labels image_bin(const DiagnosisCase& entry) {
  const std::size_t count = entry.images.size();
  if (count <= 1) return {decimal(count)};
  if (count <= 4) return {"2-4"};
  if (count <= 8) return {"5-8"};
  return {count <= 16 ? "9-16" : "17-49"};
}

std::set<std::string> modalities(const DiagnosisCase& entry) {
  std::set<std::string> out;
  for (const CaseImage& image : entry.images) out.insert(image.modality);
  return out;
}

Labels modality_set(const DiagnosisCase& entry) {
  std::string out;
  for (const std::string& modality : modalities(entry)) out += (out.empty() ? "" : " + ") + modality;
  return text_or_none(out);
}

// Labels of a kind that a case may have several of are told apart in rows.
std::string without_separators(std::string label) {
  for (std::size_t at = label.find(label_separator); at != std::string::npos;
       at = label.find(label_separator)) {
    label[at] = ',';
  }
  return label;
}

Labels sub_modalities(const DiagnosisCase& entry) {
  std::set<std::string> out;
  for (const CaseImage& image : entry.images) {
    if (!image.sub_modality.empty()) out.insert(without_separators(image.sub_modality));
  }
  return {out.begin(), out.end()};
}

// Kinds that are made from the key come last.
constexpr const char* first_kind_of_keys = "key_letter";

constexpr std::pair<const char*, LabelsOf> answer_group_kinds[] = {
    {"icd_chapter", [](const DiagnosisCase& entry) { return text_or_none(entry.icd_chapter); }},
    {"icd_block", [](const DiagnosisCase& entry) { return text_or_none(entry.icd_block); }},
    {"icd_category", [](const DiagnosisCase& entry) { return text_or_none(entry.icd_category); }},
    {"longitudinal", [](const DiagnosisCase& entry) { return yes_or_no(entry.is_longitudinal); }},
    {"timepoints", [](const DiagnosisCase& entry) { return Labels{decimal(entry.timepoints)}; }},
    {"images", image_bin},
    {"modality_set", modality_set},
    {"modalities", [](const DiagnosisCase& entry) { return Labels{decimal(modalities(entry).size())}; }},
    {"sub_modality", sub_modalities},
    {"key_letter", [](const DiagnosisCase& entry) { return Labels{std::string(1, entry.key)}; }},
    {"key_is_longest", [](const DiagnosisCase& entry) { return yes_or_no(entry.key_is_longest()); }},
    {"equal_options", [](const DiagnosisCase& entry) { return yes_or_no(entry.has_equal_options()); }},
};

}  // namespace

std::vector<GroupKind> answer_groups(const std::vector<AnsweredCase>& cases) {
  std::vector<GroupKind> out;
  bool tells_answers = false;
  for (const auto& [kind, labels_of] : answer_group_kinds) {
    tells_answers = tells_answers || kind == std::string_view(first_kind_of_keys);
    std::map<std::string, std::vector<std::uint32_t>> by_label;
    for (std::uint32_t i = 0; i < cases.size(); ++i) {
      for (const std::string& label : labels_of(cases[i].entry)) by_label[label].push_back(i);
    }
    out.push_back({.kind = kind, .groups = {}, .tells_answers = tells_answers});
    for (auto& [label, members] : by_label) out.back().groups.push_back({label, std::move(members)});
  }
  return out;
}

}  // namespace fiducial
