#pragma once

namespace fiducial {

// From now on s3://, gs://, abfs:// and abfss:// are opened by Arrow's file systems (base/store.h). Costs
// nothing until the first URL is opened. Keys, regions and endpoints come from the environment
// (docs/howto/buckets.md).
void use_arrow_stores();

}  // namespace fiducial
