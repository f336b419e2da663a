#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/table/csv.h"

namespace fiducial {

// The parts of an Office Open XML workbook (.xlsx), as the documents in its archive.

// The texts that cells refer to by number (xl/sharedStrings.xml). How texts are drawn or pronounced is left
// out.
Result<std::vector<std::string>> parse_shared_strings(std::string_view document);

// The first sheet's file, relative to xl/ (xl/workbook.xml and xl/_rels/workbook.xml.rels).
Result<std::string> first_sheet(std::string_view workbook, std::string_view relations);

// A sheet whose first row names the columns. Numbers are the text that stands in the document, truth values
// TRUE or FALSE, formulas what they gave last. Rows without a cell are skipped. Refuses cells in columns
// without a name, references to texts that are not there, cells out of order, and what parse_csv refuses.
Result<CsvTable> parse_worksheet(std::string_view document, const std::vector<std::string>& shared);

}  // namespace fiducial
