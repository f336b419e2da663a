#include "fiducial/datasets/dataset_terms.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

Path terms_file(const Path& dataset) { return dataset / "terms.json"; }

// An empty object where there are no terms.
Result<Json> read_terms(const Path& dataset) {
  const Path file = terms_file(dataset);
  if (!is_file(file)) return Json(Json::Object{});
  FIDUCIAL_TRY(const std::string text, read_text_file(file, 1 << 20));
  return parse_json(text).in_file(file.string());
}

Error forbidden(const Path& dataset, const Json& terms, const std::string& what) {
  const std::string reason = text_at(terms, "reason");
  return {ErrorCode::refused,
          what + " may not leave this machine" + (reason.empty() ? "" : " (" + reason + ")"),
          Place{.path = terms_file(dataset).string()}};
}

Json texts_of_both(const Json& one, const Json& other, const char* member) {
  std::vector<std::string> all = strings_at(one, member);
  for (std::string& each : strings_at(other, member)) all.push_back(std::move(each));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return Json::strings(all);
}

constexpr std::string_view list_separator = "; ";
constexpr std::string_view licence_separator = " AND ";

std::vector<std::string> parts_of(std::string_view text, std::string_view separator) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  return out;
}

// What a licence asks for, as Creative Commons names it: by, sa, nc, nd. Nothing where it is another one.
std::optional<std::set<std::string>> conditions_of(const std::string& licence) {
  std::set<std::string> out;
  std::vector<std::string> words = parts_of(ascii_lower(licence), "-");
  if (words.empty()) return std::nullopt;
  if (words.front() == "cc0") return out;
  if (words.front() != "cc" || words.size() < 2) return std::nullopt;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "by" || words[i] == "sa" || words[i] == "nc" || words[i] == "nd") out.insert(words[i]);
  }
  return out.empty() ? std::nullopt : std::optional(out);
}

// Whether who keeps to one licence keeps to the other, too.
bool covers(const std::string& one, const std::string& other) {
  if (ascii_lower(one) == ascii_lower(other)) return true;
  const auto strict = conditions_of(one);
  const auto loose = conditions_of(other);
  return strict && loose && strict->size() > loose->size() &&
         std::includes(strict->begin(), strict->end(), loose->begin(), loose->end());
}

std::string licences_of_both(const std::string& one, const std::string& other) {
  std::vector<std::string> all = parts_of(one, licence_separator);
  for (std::string& each : parts_of(other, licence_separator)) all.push_back(std::move(each));
  std::vector<std::string> out;
  for (const std::string& each : all) {
    if (std::any_of(out.begin(), out.end(), [&each](const auto& kept) { return covers(kept, each); }))
      continue;
    std::erase_if(out, [&each](const auto& kept) { return covers(each, kept); });
    out.push_back(each);
  }
  return joined(out, licence_separator);
}

std::string listed_of_both(const std::string& one, const std::string& other) {
  std::vector<std::string> out = parts_of(one, list_separator);
  for (std::string& each : parts_of(other, list_separator)) {
    if (std::find(out.begin(), out.end(), each) == out.end()) out.push_back(std::move(each));
  }
  return joined(out, list_separator);
}

// "egress" of a stage's manifest, and the terms of the release that a stage wrote.
Result<Json> terms_in_manifest(const Path& file) {
  if (!is_file(file)) return Json(Json::Object{});
  FIDUCIAL_TRY(const std::string text, read_text_file(file));
  const Result<Json> manifest = parse_json(text);
  if (!manifest.ok()) return Json(Json::Object{});
  const Json* terms = manifest->find("egress");
  const bool has_terms = terms != nullptr && terms->find("left_this_machine") == nullptr;
  const Json* summary = manifest->find("summary");
  const Json* release = summary == nullptr ? nullptr : summary->find("terms");
  return stricter_terms(has_terms ? *terms : Json(Json::Object{}),
                        release == nullptr ? Json(Json::Object{}) : *release);
}

}  // namespace

Json stricter_terms(const Json& one, const Json& other) {
  if (other.as_object() == nullptr || other.as_object()->empty()) return one;
  if (one.as_object() == nullptr || one.as_object()->empty()) return other;
  Json out = Json::Object{};
  if (text_at(one, "egress") == "forbidden" || text_at(other, "egress") == "forbidden")
    out.set("egress", "forbidden");
  for (const char* member : {"private_splits", "flagged_cases"}) {
    Json names = texts_of_both(one, other, member);
    if (!names.as_array()->empty()) out.set(member, std::move(names));
  }
  const std::string licence = licences_of_both(text_at(one, "licence"), text_at(other, "licence"));
  if (!licence.empty()) out.set("licence", licence);
  for (const char* member : {"source", "allowed_use", "contact", "reason"}) {
    const std::string text = listed_of_both(text_at(one, member), text_at(other, member));
    if (!text.empty()) out.set(member, text);
  }
  return out;
}

Result<Json> terms_to_pass_on(const Path& folder, const UsageTerms& given, bool leaves_machine) {
  FIDUCIAL_TRY(const Json own, terms_beside(folder));
  Json also = Json::Object{};
  std::vector<std::string> missing;
  for (const auto& [member, option, value] :
       {std::tuple("licence", "--licence", &given.licence), std::tuple("source", "--source", &given.source),
        std::tuple("allowed_use", "--allowed-use", &given.allowed_use)}) {
    if (!value->empty()) also.set(member, *value);
    if (value->empty() && text_at(own, member).empty()) missing.emplace_back(option);
  }
  if (!missing.empty()) {
    return Error(ErrorCode::refused,
                 "terms travel with the data, and nothing says what they are: " + joined(missing) +
                     (missing.size() == 1 ? " is" : " are") +
                     " missing; terms.json beside the data may say it",
                 Place{.path = folder.string()});
  }
  if (leaves_machine && text_at(own, "egress") == "forbidden")
    return forbidden(folder, own, "the terms forbid it: its cases");
  return stricter_terms(own, also);
}

bool is_private_split(const Json& terms, const std::string& split) {
  const std::vector<std::string> hidden = strings_at(terms, "private_splits");
  return std::find(hidden.begin(), hidden.end(), split) != hidden.end();
}

Outcome allow_split(const Json& terms, const Path& folder, const std::string& split) {
  if (!is_private_split(terms, split)) return done();
  return forbidden(folder, terms, "the split \"" + split + "\" is private: its cases");
}

Result<Json> terms_beside(const Path& input) {
  const bool is_folder = !is_file(input);
  const Path folder = is_folder ? input : input.parent_path();
  FIDUCIAL_TRY(const Json given, read_terms(folder));
  FIDUCIAL_TRY(const Json of_folder, terms_in_manifest(folder / "manifest.json"));
  FIDUCIAL_TRY(const Json of_file, is_folder ? Result<Json>(Json(Json::Object{}))
                                             : terms_in_manifest(input.string() + ".manifest.json"));
  return stricter_terms(stricter_terms(given, of_folder), of_file);
}

std::string reason_to_stay(const Json& terms, const std::string& name) {
  const std::string reason = text_at(terms, "reason");
  const std::string why = reason.empty() ? "" : " (" + reason + ")";
  if (text_at(terms, "egress") == "forbidden") return "the terms of its data forbid it" + why;
  const std::vector<std::string> flagged = strings_at(terms, "flagged_cases");
  if (std::find(flagged.begin(), flagged.end(), name) == flagged.end()) return {};
  return "\"" + name + "\" is flagged" + why;
}

Outcome allow_split_by_terms(const Path& dataset, const std::string& split) {
  FIDUCIAL_TRY(const Json terms, read_terms(dataset));
  FIDUCIAL_TRY_DONE(allow_split(terms, dataset, split));
  if (text_at(terms, "egress") == "forbidden")
    return forbidden(dataset, terms, "the terms forbid it: its cases");
  return done();
}

Outcome allow_cases_by_terms(const Path& dataset, const std::set<std::string>& names) {
  FIDUCIAL_TRY(const Json terms, read_terms(dataset));
  std::vector<std::string> flagged = strings_at(terms, "flagged_cases");
  std::erase_if(flagged, [&names](const std::string& each) { return !names.contains(each); });
  if (flagged.empty()) return done();
  const bool is_one = flagged.size() == 1;
  const std::string who =
      "\"" + flagged.front() + "\"" + (is_one ? " is" : " and " + decimal(flagged.size() - 1) + " more are");
  return forbidden(dataset, terms, who + " flagged and");
}

}  // namespace fiducial
