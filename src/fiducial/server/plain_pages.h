#pragma once

#include "fiducial/http/router.h"
#include "fiducial/server/library.h"

namespace fiducial {

// Pages below /plain for browsers without scripts: datasets, cases, and a case with its texts and with slices
// that the server draws. They are made from the API's own answers.
void add_plain_pages(http::Router& router, Library& library);

}  // namespace fiducial
