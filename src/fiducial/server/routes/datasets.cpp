#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/cards/make_card.h"
#include "fiducial/datasets/check_dataset.h"
#include "fiducial/datasets/describe_dataset.h"
#include "fiducial/server/case_json.h"
#include "fiducial/server/found_case.h"
#include "fiducial/server/paging.h"
#include "fiducial/server/routes.h"
#include "fiducial/server/run_rows.h"

namespace fiducial {

Result<http::Reply> list_datasets(ApiCall& call);
Result<http::Reply> get_dataset(ApiCall& call);
Result<http::Reply> get_lint(ApiCall& call);
Result<http::Reply> list_cases(ApiCall& call);

Result<http::Reply> list_datasets(ApiCall& call) {
  Json items{Json::Array{}};
  for (const auto& one : call.library.datasets()) items.push(dataset_json(call.library, *one));
  const auto total = static_cast<std::int64_t>(call.library.datasets().size());
  return http::Reply::json(Json::object({{"items", std::move(items)}, {"next", {}}, {"total", total}}));
}

Result<http::Reply> get_dataset(ApiCall& call) {
  const auto found = found_dataset(call);
  if (const auto* refusal = std::get_if<http::Reply>(&found)) return *refusal;
  const ServedDataset& dataset = *std::get<const ServedDataset*>(found);
  Json out = dataset_json(call.library, dataset);
  const Result<Json> description = dataset.kept_or_made("description", [&]() -> Result<Json> {
    SilentProgress progress;
    FIDUCIAL_TRY(DatasetDescription made,
                 describe_dataset({.dataset = dataset.folder(), .masks = false}, Executor(0), progress));
    return std::move(made.json);
  });
  out.set("description", description.ok() ? *description : Json());
  out.set("card", {});
  return http::Reply::json(out);
}

Result<http::Reply> get_lint(ApiCall& call) {
  const auto found = found_dataset(call);
  if (const auto* refusal = std::get_if<http::Reply>(&found)) return *refusal;
  const ServedDataset& dataset = *std::get<const ServedDataset*>(found);
  FIDUCIAL_TRY(const Json report, dataset.kept_or_made("lint", [&]() -> Result<Json> {
    SilentProgress progress;
    LintRequest request;
    request.dataset = dataset.folder();
    FIDUCIAL_TRY(const LintReport made, check_dataset(request, Executor(0), progress));
    return made.json();
  }));
  return http::Reply::json(report);
}

namespace {

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

bool has_group(const CaseEntry& entry, std::string_view kind, std::string_view label) {
  return std::ranges::any_of(entry.groups, [&](const auto& group) {
    return group.first == kind && std::ranges::find(group.second, label) != group.second.end();
  });
}

// Which cases a request wants.
class CaseFilter {
 public:
  static Result<CaseFilter> of(const ApiCall& call) {
    CaseFilter out;
    out.words_ = lower(call.query.text("q"));
    out.split_ = call.query.find("split");
    if (const auto group = call.query.find("group"); group && !group->empty()) {
      const std::size_t equals = group->find('=');
      if (equals == std::string::npos)
        return bad_usage("group: expected KIND=LABEL, found \"" + *group + "\"");
      out.group_ = {group->substr(0, equals), group->substr(equals + 1)};
    }
    return out;
  }

  bool takes(const CaseEntry& entry) const {
    if (split_ && !split_->empty() && entry.split != *split_) return false;
    if (!group_.first.empty() && !has_group(entry, group_.first, group_.second)) return false;
    return words_.empty() ||
           lower(entry.id + "\n" + entry.title + "\n" + entry.text).find(words_) != std::string::npos;
  }

 private:
  std::string words_;
  std::optional<std::string> split_;
  std::pair<std::string, std::string> group_;
};

// The values that a run gives cases, where one was asked for.
struct CaseValues {
  std::shared_ptr<const ServedRun::Content> run;
  std::string metric;
  std::string split;

  CaseValue of(const CasePlace& place) const {
    if (!run || place.entry().split != split) return {};
    return case_value(*run, place.entry().name, metric);
  }
};

Result<CaseValues> values_for(const ApiCall& call, const ServedDataset& dataset) {
  const auto id = call.query.find("run");
  if (!id || id->empty()) return CaseValues{};
  const ServedRun* run = call.library.find_run(*id);
  if (run == nullptr) return bad_usage("no run \"" + *id + "\" is served");
  if (call.library.dataset_of(*run) != &dataset)
    return Error(ErrorCode::integrity, "run \"" + *id + "\" scored another dataset");
  CaseValues out;
  FIDUCIAL_TRY(out.run, run->open());
  out.metric = call.query.text("metric", headline_metric(*out.run));
  out.split = text_at(out.run->plan, "split");
  return out;
}

}  // namespace

Result<http::Reply> list_cases(ApiCall& call) {
  const auto found = found_dataset(call);
  if (const auto* refusal = std::get_if<http::Reply>(&found)) return *refusal;
  const ServedDataset& dataset = *std::get<const ServedDataset*>(found);
  FIDUCIAL_TRY(const auto opened, dataset.open());
  FIDUCIAL_TRY(const CaseFilter filter, CaseFilter::of(call));
  FIDUCIAL_TRY(const CaseValues values, values_for(call, dataset));
  std::vector<std::size_t> wanted;
  for (const CasePlace& place : opened->cases) {
    if (filter.takes(place.entry())) wanted.push_back(place.number);
  }
  const bool by_value = call.query.text("sort") == "value";
  const bool by_name = call.query.text("sort") == "name";
  FIDUCIAL_TRY(const Page page, page_of(call, std::move(wanted), [&](std::size_t number) {
                 const CasePlace& place = opened->cases[number];
                 if (by_name) return SortKey{.is_absent = false, .value = 0, .text = place.entry().id};
                 if (!by_value)
                   return SortKey{.is_absent = false, .value = static_cast<double>(number), .text = {}};
                 const CaseValue value = values.of(place);
                 return SortKey{.is_absent = !value.value, .value = value.value.value_or(0), .text = {}};
               }));
  Json items{Json::Array{}};
  for (const std::size_t number : page.items) {
    const CasePlace& place = opened->cases[number];
    const CaseValue value = values.of(place);
    Json row = case_row_json(dataset, place);
    row.set("value", value.value ? Json(*value.value) : Json());
    row.set("status", value.status.empty() ? Json() : Json(value.status));
    items.push(std::move(row));
  }
  return http::Reply::json(Json::object(
      {{"items", std::move(items)}, {"next", page.next}, {"total", static_cast<std::int64_t>(page.total)}}));
}

}  // namespace fiducial
