#include "fiducial/cases/inference_view.h"

#include <algorithm>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

std::string path_name(std::size_t number) {
  return (number < 10 ? "image_0" : "image_") + decimal(number) + "_path";
}

bool is_path_name(std::string_view name) {
  constexpr std::string_view form = "image_00_path";
  if (name.size() != form.size()) return false;
  return std::equal(name.begin(), name.end(), form.begin(),
                    [](char c, char wanted) { return wanted == '0' ? c >= '0' && c <= '9' : c == wanted; });
}

bool are_letters_and_texts(const Json& options) {
  if (options.as_object() == nullptr) return false;
  return std::all_of(options.as_object()->begin(), options.as_object()->end(),
                     [](const Json::Member& option) {
                       return option.first.size() == 1 &&
                              DiagnosisCase::letters.find(option.first[0]) != std::string_view::npos &&
                              option.second.as_string() != nullptr;
                     });
}

}  // namespace

InferenceView InferenceView::of(const DiagnosisCase& entry) {
  InferenceView out{.history = entry.history, .options = entry.options};
  for (const CaseImage& image : entry.images) out.image_paths.push_back(image.path);
  return out;
}

Json InferenceView::json() const {
  Json by_letter = Json::object({});
  for (std::size_t i = 0; i < options.size(); ++i) {
    by_letter.set(std::string(1, DiagnosisCase::letters[i]), options[i]);
  }
  Json out = Json::object({{"CLINICAL_HISTORY", history}, {"options", std::move(by_letter)}});
  for (std::size_t i = 0; i < image_paths.size(); ++i) out.set(path_name(i + 1), image_paths[i]);
  return out;
}

std::vector<std::string> fields_outside_view(const Json::Object& record) {
  std::vector<std::string> out;
  for (const auto& [name, value] : record) {
    const bool is_text = value.as_string() != nullptr;
    const bool is_options = name == "options" && are_letters_and_texts(value);
    const bool is_known = name == "CLINICAL_HISTORY" || name == "id" || is_path_name(name);
    if (!is_options && !(is_known && is_text)) out.push_back(name);
  }
  return out;
}

}  // namespace fiducial
