#pragma once

#include <string>
#include <vector>

#include "fiducial/pages/finding_pictures.h"
#include "fiducial/pages/page_input.h"

namespace fiducial {

// The parts of the page, each an HTML fragment from the summary and the findings.
std::string head_section(const ReportInput& input);      // who, what, and in one sentence how well
std::string verdict_section(const ReportInput& input);   // predictions read, orientation, scorers
std::string headline_section(const ReportInput& input);  // the values people quote
std::string scorers_section(const ReportInput& input);   // every value, both scorers side by side
std::string groups_section(const ReportInput& input);    // distributions by category and size, with tables
std::string findings_section(const std::string& title, const std::string& lead,
                             const std::vector<ShownFinding>& shown);
std::string legend_section();
std::string remarks_section(const ReportInput& input);    // what was missing, failed or noted
std::string reproduce_section(const ReportInput& input);  // command, versions, hashes

// Pieces that pages of every benchmark share.
std::string page_of(const Json& summary,
                    const std::string& sections);  // the whole document, nothing beside it
std::string verdict(bool good, const std::string& title, const std::string& text);
std::string tile(const Json& summary, std::string_view slot);  // empty where there is no such value
std::string values_table(const Json& summary);                 // every slot, both scorers

}  // namespace fiducial
