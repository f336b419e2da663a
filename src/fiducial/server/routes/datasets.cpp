#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/cards/card_markdown.h"
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
  call.library.look_again();
  Json items{Json::Array{}};
  for (const ServedDataset* one : call.library.datasets()) items.push(dataset_json(call.library, *one));
  const auto total = static_cast<std::int64_t>(call.library.datasets().size());
  return http::Reply::json(Json::object({{"items", std::move(items)}, {"next", {}}, {"total", total}}));
}

namespace {

// The card that lies in the folder, else one that is computed; its Markdown.
Result<Json> card_of(const ServedDataset& dataset) {
  if (is_file(dataset.folder() / "card.md")) {
    constexpr std::uint64_t most_bytes = std::uint64_t{4} << 20;
    FIDUCIAL_TRY(std::string text, read_text_file(dataset.folder() / "card.md", most_bytes));
    return Json(std::move(text));
  }
  SilentProgress progress;
  CardRequest request;
  request.dataset = dataset.folder();
  request.check = false;
  FIDUCIAL_TRY(const Json card, make_card(request, Executor(0), progress));
  FIDUCIAL_TRY(std::string text, render_card(card));
  return Json(std::move(text));
}

// The case that a problem of a file is about, where the file is named like one, so that it can be opened.
Json lint_with_cases(const Json& report, const OpenedDataset& opened) {
  Json findings{Json::Array{}};
  for (Json finding : *report.find("findings")->as_array()) {
    const std::string file = Path(text_at(finding, "file")).filename().string();
    const auto found = opened.by_name.find(file);
    finding.set("case_id", found == opened.by_name.end()
                               ? Json()
                               : Json(opened.cases[found->second.front()].entry().id));
    findings.push(std::move(finding));
  }
  Json out = report;
  return std::move(out.set("findings", std::move(findings)));
}

}  // namespace

Result<http::Reply> get_dataset(ApiCall& call) {
  const auto found = found_dataset(call);
  if (const auto* refusal = std::get_if<http::Reply>(&found)) return *refusal;
  const ServedDataset& dataset = *std::get<const ServedDataset*>(found);
  Json out = dataset_json(call.library, dataset);
  const Result<Json> description =
      call.library.documents().kept_or_made("description\n" + dataset.state(), [&]() -> Result<Json> {
        SilentProgress progress;
        FIDUCIAL_TRY(DatasetDescription made,
                     describe_dataset({.dataset = dataset.folder(), .masks = false}, Executor(0), progress));
        return std::move(made.json);
      });
  out.set("description", description.ok() ? *description : Json());
  const Result<Json> card =
      call.library.documents().kept_or_made("card\n" + dataset.state(), [&] { return card_of(dataset); });
  out.set("card", card.ok() ? *card : Json());
  return http::Reply::json(out);
}

Result<http::Reply> get_lint(ApiCall& call) {
  const auto found = found_dataset(call);
  if (const auto* refusal = std::get_if<http::Reply>(&found)) return *refusal;
  const ServedDataset& dataset = *std::get<const ServedDataset*>(found);
  FIDUCIAL_TRY(const Json report,
               call.library.documents().kept_or_made("lint\n" + dataset.state_below(), [&]() -> Result<Json> {
                 SilentProgress progress;
                 LintRequest request;
                 request.dataset = dataset.folder();
                 FIDUCIAL_TRY(const LintReport made, check_dataset(request, Executor(0), progress));
                 return made.json();
               }));
  const auto opened = dataset.open();
  return http::Reply::json(opened.ok() ? lint_with_cases(report, **opened) : report);
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
  FIDUCIAL_TRY(const Page page, page_of(call, wanted, [&](std::size_t number) {
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
