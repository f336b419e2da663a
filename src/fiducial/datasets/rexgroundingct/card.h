#pragma once

#include "fiducial/datasets/card_facts.h"

namespace fiducial::rexgroundingct {

// What a folder says of itself for its card; what the layout says is that of its publication.
Result<CardFacts> card_facts(const Path& folder);

}  // namespace fiducial::rexgroundingct
