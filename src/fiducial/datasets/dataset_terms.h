#pragma once

#include <set>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"

namespace fiducial {

// Policy: what the terms.json of a dataset's folder says about leaving this machine. Without that file all
// may.
//
//   {"egress": "forbidden", "private_splits": ["test"], "flagged_cases": ["Case number 68"], "reason": "..."}
Outcome allow_split_by_terms(const Path& dataset, const std::string& split);
// names are those of cases and volumes.
Outcome allow_cases_by_terms(const Path& dataset, const std::set<std::string>& names);

// What a table, or the folder of one, must keep to: the terms.json beside it, and "egress" and the terms of a
// release in the manifest of the stage that wrote it, so that terms outlive what is derived. An empty object
// where there are none.
Result<Json> terms_beside(const Path& input);
// Of two terms the stricter ones. Of two licences of Creative Commons the one with more conditions, if it has
// all of the other's; of others both, joined by AND. Sources and allowed uses are listed.
Json stricter_terms(const Json& one, const Json& other);

// Who may do what with data: members of terms.json like the others.
struct UsageTerms {
  std::string licence;
  std::string source;
  std::string allowed_use;

  bool any() const { return !licence.empty() || !source.empty() || !allowed_use.empty(); }
};
// The terms that what is derived from a folder must carry: its own and the given ones, the stricter of both.
// Refuses terms without licence, source or allowed use and, of what leaves this machine, terms that forbid
// it.
Result<Json> terms_to_pass_on(const Path& folder, const UsageTerms& given, bool leaves_machine);
// Refuses a split that the terms call private.
Outcome allow_split(const Json& terms, const Path& folder, const std::string& split);
bool is_private_split(const Json& terms, const std::string& split);

// Why a case may not leave this machine; "" where it may.
std::string reason_to_stay(const Json& terms, const std::string& name);

}  // namespace fiducial
