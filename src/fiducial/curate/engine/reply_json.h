#pragma once

#include "fiducial/base/json.h"

namespace fiducial {

// What a reply says, as a document. A text is read as JSON where it is some: whole, after its reasoning
// (</think>), as one block in code fences, or as the only object among other words. Anything else stays as it
// is, and so does a text that holds several objects.
Json reply_json(const Json& reply);

}  // namespace fiducial
