#pragma once

#include <string>

#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/export/hf/hub_content.h"

namespace fiducial {

// What the page of a dataset is made from.
struct HubPage {
  const HubContent& content;
  const Json& card;   // of make_card()
  const Json& terms;  // licence, source and allowed use are there
};

// What the names of a split's files have in common: "data/test-*.parquet".
std::string hub_pattern(const HubSplit& split);

// README.md: the front matter that Hugging Face reads, the terms, how to load the data, and the card.
Result<std::string> hub_page(const HubPage& page);

// A file of an export, for croissant.json.
struct HubFile {
  std::string name;  // relative to the export
  std::uint64_t bytes = 0;
  std::string sha256;
};

// croissant.json: Croissant 1.0 with the fields of its extension for responsible AI, from the card.
Json croissant(const HubPage& page, const std::vector<HubFile>& files);

}  // namespace fiducial
