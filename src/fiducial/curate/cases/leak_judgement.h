#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/text/label_mentions.h"

namespace fiducial {

// Where the history of a case may stand.
inline constexpr std::initializer_list<const char*> history_fields = {
    "CLINICAL_HISTORY", "clinical_history", "ClinicalHistory", "history", "History"};

// One item as a detector of leaks sees it.
struct ExposedCase {
  std::string history;
  std::vector<LetteredOption> options;
  std::optional<std::string> key;
  std::string key_text;
};
ExposedCase exposed_case(const Json& item);

// Which options a history gives away.
struct LeakJudgement {
  std::string objection;  // empty where the reply can be used
  bool has_leak = false;
  std::vector<std::string> letters;
  Json evidence = Json::Array{};
  Json reason;
};
// What a judge says, held against its schema; strict also says of every quote whether it stands where it
// should.
LeakJudgement judged_leaks(const Json& reply, const ExposedCase& item, bool strict);

// A diagnosis that is denied is not given away.
bool has_leak_by_search(const std::vector<LabelMention>& mentions);
// What a search says where no judge was asked: options in their order, each once.
LeakJudgement leaks_by_search(const std::vector<LabelMention>& mentions, const ExposedCase& item);

}  // namespace fiducial
