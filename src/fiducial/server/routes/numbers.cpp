#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "fiducial/base/json_fields.h"
#include "fiducial/eval/folder/comparison.h"
#include "fiducial/eval/folder/score_rows.h"
#include "fiducial/metrics/contract.h"
#include "fiducial/server/file_key.h"
#include "fiducial/server/found_case.h"
#include "fiducial/server/routes.h"
#include "fiducial/server/run_rows.h"
#include "fiducial/tasks/all_tasks.h"

namespace fiducial {

Result<http::Reply> get_comparison(ApiCall& call);
Result<http::Reply> list_metrics(ApiCall& call);
Result<http::Reply> get_metric(ApiCall& call);

namespace {

constexpr std::size_t most_moved = 100;

struct Compared {
  const ServedRun* run = nullptr;
  std::shared_ptr<const ServedRun::Content> content;
};

Result<std::vector<Compared>> compared_runs(const ApiCall& call) {
  std::vector<Compared> out;
  std::string rest = call.query.text("runs");
  while (!rest.empty()) {
    const std::string id = rest.substr(0, rest.find(','));
    rest.erase(0, id.size() + 1);
    const ServedRun* run = call.library.find_run(id);
    if (run == nullptr) return bad_usage("no run \"" + id + "\" is served");
    FIDUCIAL_TRY(auto content, run->open());
    out.push_back({run, std::move(content)});
  }
  if (out.size() < 2)
    return bad_usage("runs: expected the ids of two runs or more, with commas between them");
  return out;
}

// Values of a metric by case and what in it a row is about.
using ValuesByRow = std::map<std::pair<std::string, std::int64_t>, std::optional<double>>;

ValuesByRow values_of(const ServedRun::Content& content, const std::string& metric,
                      const std::string& scorer) {
  ValuesByRow out;
  const auto view = RunRowView::of(content);
  if (!view) return out;
  for (std::size_t row = 0; row < view->metric->size(); ++row) {
    if ((*view->metric)[row] != metric || (*view->scorer)[row] != scorer) continue;
    out[{(*view->case_name)[row].value_or(""), (*view->finding)[row].value_or(0)}] = (*view->value)[row];
  }
  return out;
}

// Where the first two runs differ most.
Json moved_json(const std::vector<Compared>& runs, const RunCases& about, const std::string& metric,
                const std::string& scorer) {
  const ValuesByRow a = values_of(*runs[0].content, metric, scorer);
  const ValuesByRow b = values_of(*runs[1].content, metric, scorer);
  std::vector<std::pair<double, const ValuesByRow::value_type*>> order;
  for (const auto& one : a) {
    const auto other = b.find(one.first);
    if (other == b.end() || !one.second || !other->second || *one.second == *other->second) continue;
    order.emplace_back(-std::abs(*one.second - *other->second), &one);
  }
  std::ranges::sort(order, {}, [](const auto& one) { return std::tie(one.first, one.second->first); });
  order.resize(std::min(order.size(), most_moved));
  Json out{Json::Array{}};
  for (const auto& [distance, one] : order) {
    const auto& [case_name, finding] = one->first;
    const double other = *b.at(one->first);
    const CasePlace* place = about.find(case_name);
    out.push(Json::object({{"case", case_name},
                           {"case_id", place == nullptr ? Json() : Json(place->entry().id)},
                           {"finding", finding},
                           {"a", *one->second},
                           {"b", other},
                           {"difference", *one->second - other}}));
  }
  return out;
}

std::string metric_of_slot(const Json& summary, const std::string& slot) {
  for (const char* part : {"metrics", "official"}) {
    const Json* slots = summary.find(part);
    const Json* found = slots == nullptr ? nullptr : slots->find(slot);
    if (found != nullptr) return text_at(*found, "metric");
  }
  return "";
}

}  // namespace

Result<http::Reply> get_comparison(ApiCall& call) {
  FIDUCIAL_TRY(const std::vector<Compared> runs, compared_runs(call));
  CompareRequest request;
  const std::string scorer = call.query.text("scorer", "strict");
  request.scorer = scorer == "strict" ? Scorer::strict : Scorer::official;
  request.slot = call.query.text("slot");
  request.unit_of = unit_of_plan;
  request.headline_of = headline_of_plan;
  request.seed = static_cast<std::uint64_t>(call.query.integer("seed", 0));
  std::string key = "compare\n" + scorer + "\n" + request.slot + "\n" + call.query.text("seed");
  Json ids{Json::Array{}};
  for (const Compared& one : runs) {
    request.folders.push_back(one.run->folder());
    key += "\n" + file_key(one.run->folder() / "summary.json") + file_key(one.run->folder() / "rows.parquet");
    ids.push(one.run->id());
  }
  FIDUCIAL_TRY(Json comparison,
               call.library.documents().kept_or_made(key, [&] { return compare_scores(request); }));
  const std::string metric = metric_of_slot(runs[0].content->summary, text_at(comparison, "metric"));
  FIDUCIAL_TRY(const RunCases about, RunCases::of(call.library, *runs[0].run, *runs[0].content));
  comparison.set("runs", std::move(ids));
  comparison.set("moved", moved_json(runs, about, metric, scorer));
  const ServedDataset* dataset = call.library.dataset_of(*runs[0].run);
  comparison.set("dataset_id", dataset == nullptr ? Json() : Json(dataset->id()));
  return http::Reply::json(comparison);
}

Result<http::Reply> list_metrics(ApiCall& /*call*/) {
  Json items{Json::Array{}};
  for (const MetricContract& contract : all_contracts()) items.push(contract_json(contract));
  const auto total = static_cast<std::int64_t>(items.as_array()->size());
  return http::Reply::json(Json::object({{"items", std::move(items)}, {"next", {}}, {"total", total}}));
}

Result<http::Reply> get_metric(ApiCall& call) {
  const std::string id = call.part("metric");
  for (const MetricContract& contract : all_contracts()) {
    if (contract.id == id) return http::Reply::json(contract_json(contract));
  }
  return not_found("no metric \"" + id + "\"");
}

}  // namespace fiducial
