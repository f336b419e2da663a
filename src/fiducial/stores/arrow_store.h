#pragma once

#include "fiducial/stores/cached_store.h"

namespace fiducial {

// From now on s3://, gs://, abfs:// and abfss:// are opened by Arrow's file systems (base/store.h). Costs
// nothing until the first URL is opened. Keys, regions and endpoints come from the environment
// (docs/howto/buckets.md). With a folder in the settings, objects that were read are kept there.
void use_arrow_stores(CacheSettings cache = {});

}  // namespace fiducial
