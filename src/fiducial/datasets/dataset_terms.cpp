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

}  // namespace

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
