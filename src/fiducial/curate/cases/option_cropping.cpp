#include "fiducial/curate/cases/option_cropping.h"

#include <algorithm>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

struct AnswerText {
  std::string text;
  bool is_candidate = false;  // else the final diagnosis as it stands
  bool is_contained = false;  // a part of the final diagnosis, or it of the candidate
  bool is_ambiguous = false;
};

bool contain_each_other(const std::string& a, const std::string& b) {
  return a.find(b) != std::string::npos || b.find(a) != std::string::npos;
}

AnswerText answer_text(const CropCase& item) {
  const std::string norm = folded_norm(item.final_diagnosis);
  if (norm.empty()) return {.text = item.final_diagnosis};
  std::vector<std::string> norms;
  for (const std::string& candidate : item.candidates) norms.push_back(folded_norm(candidate));
  const auto equal = std::find(norms.begin(), norms.end(), norm);
  if (equal != norms.end()) {
    return {.text = item.candidates[static_cast<std::size_t>(equal - norms.begin())], .is_candidate = true};
  }
  std::vector<std::size_t> containing;
  for (std::size_t i = 0; i < norms.size(); ++i) {
    // A candidate of marks alone has no words that could be contained.
    if (!norms[i].empty() && contain_each_other(norms[i], norm)) containing.push_back(i);
  }
  if (containing.empty()) return {.text = item.final_diagnosis};
  return {.text = item.candidates[containing.front()],
          .is_candidate = true,
          .is_contained = true,
          .is_ambiguous = containing.size() > 1};
}

using CroppedOptions = std::vector<LetteredOption>;

CroppedOptions record_options(const Json& record) {
  const Json* value = record.find("options");
  CroppedOptions out;
  if (value == nullptr) return out;
  const auto text = [](const Json& each) {
    return std::string(white_space_trimmed(scalar_text(&each).value_or("")));
  };
  if (const Json::Array* list = value->as_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (!(*list)[i].is_null()) out.push_back({option_letter(i), text((*list)[i]), ""});
    }
    return out;
  }
  const Json::Object* object = value->as_object();
  if (object == nullptr) return out;
  const bool lettered = std::all_of(object->begin(), object->end(), [](const Json::Member& member) {
    return single_letter(member.first).has_value();
  });
  for (std::size_t i = 0; i < object->size(); ++i) {
    const auto& [key, each] = (*object)[i];
    if (each.is_null()) continue;
    out.push_back({lettered ? std::string(1, *single_letter(key)) : option_letter(i), text(each), key});
  }
  if (lettered) {
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.letter < b.letter; });
  }
  return out;
}

std::optional<std::size_t> at_letter(const CroppedOptions& options, std::optional<char> letter) {
  for (std::size_t i = 0; letter && i < options.size(); ++i) {
    if (options[i].letter == std::string(1, *letter)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> at_text(const CroppedOptions& options, std::string_view text) {
  const std::string norm = folded_norm(text);
  for (std::size_t i = 0; !norm.empty() && i < options.size(); ++i) {
    if (folded_norm(options[i].text) == norm) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> record_key(const CropCase& item, const CroppedOptions& options) {
  auto letter = first_ascii_letter(scalar_text(item.record->find("gt_letter")).value_or(""));
  if (!letter) letter = first_ascii_letter(scalar_text(item.record->find("correct_answer")).value_or(""));
  if (const auto found = at_letter(options, letter)) return found;
  const std::string text = scalar_text(item.record->find("correct_answer_text")).value_or("");
  if (const auto found = at_text(options, text)) return found;
  return at_text(options, item.final_diagnosis);
}

// The five options that a record keeps; nothing where it has too few, or no key.
std::optional<CroppedCase> cropped_by_record(const CropCase& item, PythonRandom& random) {
  if (item.record == nullptr) return std::nullopt;
  const CroppedOptions options = record_options(*item.record);
  if (options.size() < options_wanted) return std::nullopt;
  const auto key = record_key(item, options);
  if (!key) return std::nullopt;
  std::set<std::size_t> kept{*key};
  const bool was_wrong = flag_at(*item.record, "is_correct") == false;
  const auto choice = at_letter(
      options, first_ascii_letter(scalar_text(item.record->find("parsed_answer_letter")).value_or("")));
  const bool keeps_choice = was_wrong && choice && *choice != *key;
  if (keeps_choice) kept.insert(*choice);
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (!kept.contains(i)) rest.push_back(i);
  }
  for (const std::size_t at : random.sample(rest.size(), options_wanted - kept.size())) kept.insert(rest[at]);
  CroppedCase out{.used_record = true, .model_was_wrong = keeps_choice};
  for (const std::size_t at : kept) {
    if (at == *key) out.key = out.options.size();
    out.options.push_back(options[at].text);
  }
  return out;
}

// Four others where fewer than four differ from the key: those there are again and again, then any text that
// was not used, then the key.
std::vector<std::string> padded(const std::vector<std::string>& others, const CropCase& item,
                                const std::string& key) {
  std::vector<std::string> out;
  for (std::size_t i = 0; !others.empty() && i < options_wanted - 1; ++i)
    out.push_back(others[i % others.size()]);
  for (const std::string& candidate : item.candidates) {
    const bool is_new = candidate != key && std::find(out.begin(), out.end(), candidate) == out.end();
    if (out.size() < options_wanted - 1 && is_new) out.push_back(candidate);
  }
  while (out.size() < options_wanted - 1) out.push_back(key);
  return out;
}

CroppedCase cropped_at_random(const CropCase& item, const AnswerText& answer, bool may_pad,
                              PythonRandom& random) {
  const std::string norm = folded_norm(answer.text);
  std::vector<std::string> others;
  for (const std::string& candidate : item.candidates) {
    if (folded_norm(candidate) != norm) others.push_back(candidate);
  }
  CroppedCase out{.is_contained = answer.is_contained, .is_ambiguous = answer.is_ambiguous};
  std::vector<std::string> chosen;
  if (others.size() >= options_wanted - 1) {
    for (const std::size_t at : random.sample(others.size(), options_wanted - 1))
      chosen.push_back(others[at]);
  } else {
    out.is_padded = true;
    if (!may_pad) return out;
    chosen = padded(others, item, answer.text);
  }
  out.key = 0;
  out.options.push_back(answer.text);
  out.options.insert(out.options.end(), chosen.begin(), chosen.end());
  return out;
}

}  // namespace

std::vector<std::string> split_candidates(std::string_view differential) {
  constexpr std::string_view trimmed_away = " ;\t\r\n";
  std::vector<std::string> out;
  differential = white_space_trimmed(differential);
  while (true) {
    const std::size_t end = differential.find(";;");
    std::string_view piece = differential.substr(0, end);
    piece.remove_prefix(std::min(piece.find_first_not_of(trimmed_away), piece.size()));
    piece = piece.substr(0, piece.find_last_not_of(trimmed_away) + 1);
    if (!piece.empty()) out.emplace_back(piece);
    if (end == std::string_view::npos) return out;
    differential.remove_prefix(end + 2);
  }
}

CroppedCase cropped(const CropCase& item, bool may_pad, PythonRandom& random) {
  if (item.candidates.size() < options_wanted) return {};
  const AnswerText answer = answer_text(item);
  if (item.candidates.size() > options_wanted) {
    if (auto out = cropped_by_record(item, random)) return *out;
    return cropped_at_random(item, answer, may_pad, random);
  }
  CroppedCase out{
      .options = item.candidates, .is_contained = answer.is_contained, .is_ambiguous = answer.is_ambiguous};
  if (!answer.is_candidate) return out;
  const std::string norm = folded_norm(answer.text);
  for (std::size_t i = 0; i < options_wanted && !out.key; ++i) {
    if (folded_norm(out.options[i]) == norm) out.key = i;
  }
  return out;
}

std::vector<std::size_t> balanced_targets(std::size_t count, PythonRandom& random) {
  std::vector<std::size_t> out;
  for (std::size_t letter = 0; letter < options_wanted; ++letter) {
    out.insert(out.end(), count / options_wanted + (letter < count % options_wanted ? 1 : 0), letter);
  }
  random.shuffle(out);
  return out;
}

CroppedCase placed_at(const CroppedCase& item, std::size_t target, PythonRandom& random) {
  std::vector<std::string> others = item.options;
  // Of options with equal texts the first one is the key, as for a script that knows it by its text.
  const std::string norm = folded_norm(others[*item.key]);
  const auto first = std::find_if(others.begin(), others.end(),
                                  [&norm](const std::string& each) { return folded_norm(each) == norm; });
  const std::string key = *first;
  others.erase(first);
  random.shuffle(others);
  CroppedCase out = item;
  out.key = target;
  others.insert(others.begin() + static_cast<std::ptrdiff_t>(target), key);
  out.options = std::move(others);
  return out;
}

}  // namespace fiducial
