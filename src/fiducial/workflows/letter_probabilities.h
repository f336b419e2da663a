#pragma once

#include "fiducial/base/json.h"

namespace fiducial {

// The probabilities of the letters A to E where a reply gives its answer, of the tokens that the endpoint
// lists there; null where it lists none. The place is the first token behind "answer" that is one of the
// letters, quotation marks and blanks aside; where no token says "answer", the first such token of all.
Json letter_probabilities(const Json& logprobs);

}  // namespace fiducial
