#pragma once

#include "fiducial/cards/card_evidence.h"
#include "fiducial/cards/make_card.h"
#include "fiducial/datasets/dataset_adapter.h"

namespace fiducial {

// Fills what a folder of each layout says of itself. Facts about a layout are those of its publication.
Outcome describe_grounding(const CardRequest& request, CardDraft& draft, CardEvidence& evidence);
Outcome describe_tables(const CardRequest& request, CardDraft& draft, CardEvidence& evidence);
Outcome describe_questions(const CardRequest& request, const DatasetAdapter& adapter, CardDraft& draft,
                           CardEvidence& evidence);

}  // namespace fiducial
