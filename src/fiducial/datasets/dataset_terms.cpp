#include "fiducial/datasets/dataset_terms.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"

namespace fiducial {

Outcome allow_by_terms(const Path& dataset, const std::string& split) {
  const Path file = dataset / "terms.json";
  if (!is_file(file)) return done();
  FIDUCIAL_TRY(const std::string text, read_text_file(file, 1 << 20));
  FIDUCIAL_TRY(const Json terms, parse_json(text).in_file(file.string()));
  const std::vector<std::string> hidden = strings_at(terms, "private_splits");
  const bool is_private = std::find(hidden.begin(), hidden.end(), split) != hidden.end();
  if (!is_private && text_at(terms, "egress") != "forbidden") return done();
  const std::string reason = text_at(terms, "reason");
  return Error(ErrorCode::refused,
               (is_private ? "the split \"" + split + "\" is private" : std::string("the terms forbid it")) +
                   ": its cases may not leave this machine" + (reason.empty() ? "" : " (" + reason + ")"),
               Place{.path = file.string()});
}

}  // namespace fiducial
