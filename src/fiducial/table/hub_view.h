#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"

namespace fiducial {

// What the rows of a Parquet file stand for: a part of a file of a published layout, and files that are
// embedded beside it. Stands in the file's metadata under the key "fiducial"; docs/formats/hub_folder.md.
struct HubPart {
  enum class Form {
    document,  // a JSON object: a list of rows a split
    table      // CSV
  };

  Form form = Form::table;
  std::string file;                   // "dataset.json", "validation_vqa_presence.csv"; "" where none
  std::string split;                  // of a document
  std::vector<std::string> splits;    // likewise: all there are, in order
  std::vector<std::string> keyed;     // likewise: lists that are objects by index, without what is null
  std::vector<std::string> left_out;  // columns that are no part of the file
  std::string more;                   // a column of JSON texts with further members; "" where none
  std::vector<std::pair<std::string, std::string>> folders;  // column of files, and the folder they lie in

  Json json() const;
  static Result<HubPart> parse(const Json& value);
};
inline constexpr const char* hub_part_key = "fiducial";
// In the last file of a part: {"bytes": ...} of its CSV.
inline constexpr const char* hub_sizes_key = "fiducial.sizes";

// The object of a row as the published document has it: without what is null or no part of it.
Result<Json> published_object(const HubPart& part, const Json& row);

// The published layout that the Parquet files of a folder hold: FOLDER/data!, whose files are read like any
// other. Nothing where FOLDER/data/ has no file that says what it stands for. Cheap: what was found is known
// for some seconds.
std::optional<Path> find_hub_view(const Path& folder);

}  // namespace fiducial
