#include <algorithm>

#include "fiducial/eval/folder/score_rows.h"
#include "fiducial/server/case_json.h"
#include "fiducial/server/found_case.h"
#include "fiducial/server/paging.h"
#include "fiducial/server/routes.h"
#include "fiducial/server/run_rows.h"
#include "fiducial/table/arrow_stream.h"

namespace fiducial {

Result<http::Reply> list_runs(ApiCall& call);
Result<http::Reply> get_run(ApiCall& call);
Result<http::Reply> list_rows(ApiCall& call);
Result<http::Reply> list_worst(ApiCall& call);

Result<http::Reply> list_runs(ApiCall& call) {
  call.library.look_again();
  Json items{Json::Array{}};
  for (const ServedRun* one : call.library.runs()) items.push(run_json(call.library, *one));
  const auto total = static_cast<std::int64_t>(call.library.runs().size());
  return http::Reply::json(Json::object({{"items", std::move(items)}, {"next", {}}, {"total", total}}));
}

Result<http::Reply> get_run(ApiCall& call) {
  const auto found = found_run(call);
  if (const auto* refusal = std::get_if<http::Reply>(&found)) return *refusal;
  const ServedRun& run = *std::get<const ServedRun*>(found);
  FIDUCIAL_TRY(const auto content, run.head());
  Json out = run_json(call.library, run);
  const bool is_scored = run.kind() == ServedRun::Kind::scores;
  out.set("summary", is_scored ? content->summary : Json());
  out.set("plan", is_scored ? content->plan : Json());
  return http::Reply::json(out.set("manifest", content->manifest));
}

namespace {

bool row_has(const Table& table, std::size_t row, const std::string& words) {
  return std::ranges::any_of(table.columns, [&](const Column& column) {
    return std::holds_alternative<Column::Strings>(column.values) &&
           cell_text(column, row).find(words) != std::string::npos;
  });
}

SortKey row_key(const ChosenRows& chosen, std::size_t row, const std::string& sort) {
  const Column* column = chosen.table->find(sort == "value" ? "value" : "case");
  if (sort.empty() || column == nullptr)
    return {.is_absent = false, .value = static_cast<double>(row), .text = {}};
  const Json cell = cell_json(*column, row);
  if (sort == "value")
    return {.is_absent = cell.is_null(), .value = cell.as_number().value_or(0), .text = {}};
  return {.is_absent = false, .value = 0, .text = cell_text(*column, row)};
}

}  // namespace

Result<http::Reply> list_rows(ApiCall& call) {
  const auto found = found_run(call);
  if (const auto* refusal = std::get_if<http::Reply>(&found)) return *refusal;
  const ServedRun& run = *std::get<const ServedRun*>(found);
  FIDUCIAL_TRY(const auto content, run.open());
  if (!content->rows) return *content->rows_problem;
  RowQuery query{.metric = call.query.text("metric"),
                 .scorer = call.query.text("scorer"),
                 .where = call.query.all("where"),
                 .worst = {}};
  FIDUCIAL_TRY(ChosenRows chosen, choose_rows(content->rows, query));
  if (const std::string words = call.query.text("q"); !words.empty())
    std::erase_if(chosen.rows, [&](std::size_t row) { return !row_has(*chosen.table, row, words); });
  constexpr std::string_view csv = "text/csv";
  constexpr std::string_view arrow = "application/vnd.apache.arrow.stream";
  const std::string_view type = chosen_type(call.request, {"application/json", csv, arrow});
  if (type == csv) return bytes_reply("text/csv; charset=utf-8", as_bytes(rows_csv(chosen)));
  if (type == arrow) {
    FIDUCIAL_TRY(const Bytes stream, arrow_stream_bytes(chosen_table(chosen)));
    return bytes_reply(arrow, stream);
  }
  const std::string sort = call.query.text("sort");
  FIDUCIAL_TRY(const Page page, page_of(call, chosen.rows, [&](std::size_t row) {
                 return row_key(chosen, row, sort == "name" ? "case" : sort);
               }));
  FIDUCIAL_TRY(const RunCases about, RunCases::of(call.library, run, *content));
  Json columns{Json::Array{}};
  for (const Column& column : chosen.table->columns) columns.push(column.name);
  Json items{Json::Array{}};
  for (const std::size_t row : page.items) items.push(row_json(*chosen.table, row, about));
  return http::Reply::json(Json::object({{"columns", std::move(columns)},
                                         {"items", std::move(items)},
                                         {"next", page.next},
                                         {"total", static_cast<std::int64_t>(page.total)}}));
}

Result<http::Reply> list_worst(ApiCall& call) {
  const auto found = found_run(call);
  if (const auto* refusal = std::get_if<http::Reply>(&found)) return *refusal;
  const ServedRun& run = *std::get<const ServedRun*>(found);
  FIDUCIAL_TRY(const auto content, run.open());
  if (!content->rows) return *content->rows_problem;
  constexpr std::int64_t usual_count = 20;
  FIDUCIAL_TRY(const ChosenRows chosen,
               choose_rows(content->rows, {.metric = call.query.text("metric"),
                                           .scorer = call.query.text("scorer", "strict"),
                                           .where = {},
                                           .worst = call.query.integer("n", usual_count)}));
  FIDUCIAL_TRY(const RunCases about, RunCases::of(call.library, run, *content));
  Json items{Json::Array{}};
  for (const std::size_t row : chosen.rows) items.push(row_json(*chosen.table, row, about));
  const auto total = static_cast<std::int64_t>(chosen.rows.size());
  return http::Reply::json(Json::object({{"items", std::move(items)}, {"next", {}}, {"total", total}}));
}

}  // namespace fiducial
