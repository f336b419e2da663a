#pragma once

#include <map>
#include <string>

#include "fiducial/curate/engine/stage_call.h"

namespace fiducial {

// What a table says of one image, by column.
using ImageFacts = std::map<std::string, std::string>;

// Rows about images: by the title of the case and the id of the image.
struct ImageTable {
  std::map<std::pair<std::string, std::string>, ImageFacts> rows;
  std::map<std::string, bool> used;  // titles that occur
};

// What stands for the id of an image where its number among those of its case is known.
std::string numbered_image(std::int64_t number);

// A CSV or JSONL file with the columns title and image_id and those that are asked for, or a
// run's labels by number. Refuses an image that occurs twice.
Result<ImageTable> read_image_table(StageCall& call, const std::string& role,
                                    const std::vector<std::string>& columns);

// The slots of a released row that hold an image: "image_01", ... and its id.
std::vector<std::pair<std::string, std::string>> image_slots(const Json& row);

}  // namespace fiducial
