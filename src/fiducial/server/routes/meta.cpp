#include "fiducial/base/version.h"
#include "fiducial/server/case_json.h"
#include "fiducial/server/open_api.h"
#include "fiducial/server/routes.h"

namespace fiducial {

Result<http::Reply> get_health(ApiCall& /*call*/);
Result<http::Reply> get_info(ApiCall& call);
Result<http::Reply> get_openapi(ApiCall& /*call*/);

Result<http::Reply> get_health(ApiCall& /*call*/) {
  return http::Reply::json(Json::object({{"status", "ok"}}));
}

Result<http::Reply> get_info(ApiCall& call) {
  call.library.look_again();
  Json datasets{Json::Array{}};
  for (const ServedDataset* one : call.library.datasets()) datasets.push(dataset_json(call.library, *one));
  Json runs{Json::Array{}};
  for (const ServedRun* one : call.library.runs()) runs.push(run_json(call.library, *one));
  Json problems{Json::Array{}};
  for (const auto& one : call.library.problems()) {
    problems.push(Json::object({{"path", one.path.filename().string()}, {"message", one.message}}));
  }
  return http::Reply::json(Json::object({{"version", tool_version},
                                         {"datasets", std::move(datasets)},
                                         {"runs", std::move(runs)},
                                         {"problems", std::move(problems)}}));
}

Result<http::Reply> get_openapi(ApiCall& /*call*/) { return http::Reply::json(open_api_document()); }

}  // namespace fiducial
