#pragma once

#include <memory>
#include <variant>

#include "fiducial/server/call.h"
#include "fiducial/server/library.h"

namespace fiducial {

// What the path of a request names, kept alive for as long as it is answered; or the reply that it names
// nothing.
struct FoundCase {
  const ServedDataset* dataset = nullptr;
  std::shared_ptr<const OpenedDataset> opened;
  const CasePlace* place = nullptr;
};

template <typename T>
using FoundOr = std::variant<T, http::Reply>;

FoundOr<const ServedDataset*> found_dataset(const ApiCall& call);
FoundOr<const ServedRun*> found_run(const ApiCall& call);
Result<FoundOr<FoundCase>> found_case(const ApiCall& call);

}  // namespace fiducial
