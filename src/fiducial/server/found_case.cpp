#include "fiducial/server/found_case.h"

namespace fiducial {

FoundOr<const ServedDataset*> found_dataset(const ApiCall& call) {
  const std::string id = call.part("dataset");
  if (const ServedDataset* found = call.library.find_dataset(id)) return found;
  return not_found("no dataset \"" + id + "\" is served");
}

FoundOr<const ServedRun*> found_run(const ApiCall& call) {
  const std::string id = call.part("run");
  if (const ServedRun* found = call.library.find_run(id)) return found;
  return not_found("no run \"" + id + "\" is served");
}

Result<FoundOr<FoundCase>> found_case(const ApiCall& call) {
  const auto dataset = found_dataset(call);
  if (const auto* refusal = std::get_if<http::Reply>(&dataset)) return FoundOr<FoundCase>(*refusal);
  FoundCase out{.dataset = std::get<const ServedDataset*>(dataset), .opened = {}, .place = {}};
  FIDUCIAL_TRY(out.opened, out.dataset->open());
  out.place = out.opened->find(call.part("case"));
  if (out.place == nullptr) {
    return FoundOr<FoundCase>(
        not_found("dataset \"" + out.dataset->id() + "\" has no case \"" + call.part("case") + "\""));
  }
  return FoundOr<FoundCase>(std::move(out));
}

}  // namespace fiducial
