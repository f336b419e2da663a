#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/cards/card_draft.h"
#include "fiducial/cards/card_evidence.h"

namespace fiducial {

// What a user says of a dataset beside its data: fields of the card in their sections, score folders, and
// from how many centres the data are. Schema: docs/formats/card_config.schema.json.
struct CardConfig {
  std::string file;  // its name, for provenance
  Json fields = Json::Object{};
  std::vector<Path> results;  // folders that fiducial score wrote
  std::optional<std::int64_t> centres;
};

// Unknown members and values of another type are refused, with their place.
Result<CardConfig> parse_card_config(std::string_view text, const Path& folder);
Result<CardConfig> read_card_config(const Path& path);

// The fields over what was computed, risks from terms and centres, results among the baselines.
Outcome apply_config(const CardConfig& config, const std::string& benchmark, CardDraft& draft,
                     CardEvidence& evidence);

}  // namespace fiducial
