#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/curate/engine/stage_call.h"

namespace fiducial {

// The differential diagnoses of an item. The published script cuts a text at commas, also inside a diagnosis;
// strict takes a list, or a text cut at ";;".
std::vector<std::string> differential_diagnoses(const Json& item, bool strict);

// A discussion that speaks of more diagnoses than there are options.
struct DiscussionEdit {
  std::string field;
  std::string before;
  std::vector<std::string> allowed;  // the options
  std::vector<std::string> extras;   // diagnoses that are none of them
};
DiscussionEdit discussion_edit(const Json& item, bool strict);

// Why an edited text is not a cut of the one before, or nothing: sentence_added, allowed_lost.
std::optional<ItemStatus> objection_to_cut(const DiscussionEdit& editing, const std::string& after);

// The sentences that were there before and are not any more.
Json removed_sentences(const DiscussionEdit& editing, const std::string& after);

}  // namespace fiducial
