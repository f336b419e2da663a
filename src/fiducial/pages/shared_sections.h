#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/pages/page_frame.h"
#include "fiducial/pages/run_page.h"
#include "fiducial/pages/task_page.h"

namespace fiducial {

// The first four of these values that a summary has, large.
Html tiles_of(const Json& summary, const std::vector<std::string_view>& slots);

// Sections that every page has. One without content has an empty body.
PageSection values_section(const Json& summary, const Html& note);           // every value, both scorers
PageSection groups_section(const RunPage& page, const GroupChoice& choice);  // plots with dots, tables
PageSection limits_section(const std::vector<std::string_view>& lines);
PageSection remarks_section(const Json& summary);    // what was missing, failed or noted
PageSection reproduce_section(const RunPage& page);  // command, versions, hashes

// What makes the same scores again, word by word, with names in the place of this machine's folders.
std::vector<std::string> command_of(const ScoreRun& run, bool has_volumes);

// The title of a group among those of its kind: what a code stands for, numbers that can be read.
std::string group_title(std::string_view kind, const std::string& label);
std::string kind_title(std::string_view kind);

}  // namespace fiducial
