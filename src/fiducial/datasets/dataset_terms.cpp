#include "fiducial/datasets/dataset_terms.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

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

Result<Json> terms_in_manifest(const Path& file) {
  if (!is_file(file)) return Json(Json::Object{});
  FIDUCIAL_TRY(const std::string text, read_text_file(file));
  const Result<Json> manifest = parse_json(text);
  const Json* terms = manifest.ok() ? manifest->find("egress") : nullptr;
  return terms == nullptr || terms->find("left_this_machine") != nullptr ? Json(Json::Object{}) : *terms;
}

}  // namespace

Json stricter_terms(const Json& one, const Json& other) {
  if (other.as_object() == nullptr || other.as_object()->empty()) return one;
  if (one.as_object() == nullptr || one.as_object()->empty()) return other;
  Json out = Json::Object{};
  if (text_at(one, "egress") == "forbidden" || text_at(other, "egress") == "forbidden")
    out.set("egress", "forbidden");
  for (const char* member : {"private_splits", "flagged_cases"})
    out.set(member, texts_of_both(one, other, member));
  const std::string reason = text_at(one, "reason");
  const std::string also = text_at(other, "reason");
  const bool is_same = reason.empty() || also.empty() || reason == also;
  return out.set("reason", is_same ? std::max(reason, also) : reason + "; " + also);
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
  const std::vector<std::string> hidden = strings_at(terms, "private_splits");
  if (std::find(hidden.begin(), hidden.end(), split) != hidden.end())
    return forbidden(dataset, terms, "the split \"" + split + "\" is private: its cases");
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
