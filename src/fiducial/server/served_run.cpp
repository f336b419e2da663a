#include "fiducial/base/json_fields.h"
#include "fiducial/server/file_key.h"
#include "fiducial/server/library.h"
#include "fiducial/table/parquet.h"

namespace fiducial {

namespace {

// Which rows are of which case.
std::unordered_map<std::string, std::vector<std::size_t>> rows_by_case(const Table& rows) {
  std::unordered_map<std::string, std::vector<std::size_t>> out;
  const Column* names = rows.find("case");
  const auto* texts = names == nullptr ? nullptr : std::get_if<Column::Strings>(&names->values);
  if (texts == nullptr) return out;
  for (std::size_t row = 0; row < texts->size(); ++row) out[(*texts)[row].value_or("")].push_back(row);
  return out;
}

}  // namespace

ServedRun::ServedRun(std::string id, Path folder, std::string shown_path, Kind kind)
    : id_(std::move(id)), folder_(std::move(folder)), shown_path_(std::move(shown_path)), kind_(kind) {}

std::string ServedRun::state() const {
  std::string out;
  for (const char* name : {"plan.json", "summary.json", "rows.parquet", "manifest.json"})
    out += file_key(folder_ / name) + "\n";
  return out;
}

Result<std::shared_ptr<const ServedRun::Content>> ServedRun::open() const {
  const std::lock_guard lock(mutex_);
  const std::string now = state();
  if (content_ && state_ == now) return content_;
  auto out = std::make_shared<Content>();
  FIDUCIAL_TRY_DONE(kind_ == Kind::scores ? read_scores(*out) : read_manifest(*out));
  content_ = std::move(out);
  state_ = now;
  return content_;
}

Result<Json> ServedRun::read_document(const char* name) const {
  FIDUCIAL_TRY(const std::string text, read_text_file(folder_ / name));
  FIDUCIAL_TRY(Json out, parse_json(text).in_file(shown_path_ + "/" + name));
  if (out.as_object() == nullptr) return invalid_data(shown_path_ + "/" + name + " is no object");
  return out;
}

Outcome ServedRun::read_scores(Content& out) const {
  FIDUCIAL_TRY(out.plan, read_document("plan.json"));
  FIDUCIAL_TRY(out.summary, read_document("summary.json"));
  if (!is_file(folder_ / "rows.parquet")) {
    out.rows_problem = Error(ErrorCode::unavailable, "the scores are private: there are no rows");
    return done();
  }
  Result<Table> rows = read_parquet(folder_ / "rows.parquet");
  if (rows.ok()) {
    out.rows = std::make_shared<const Table>(*std::move(rows));
    out.rows_of_case = rows_by_case(*out.rows);
  } else {
    out.rows_problem = rows.error();
  }
  return done();
}

Outcome ServedRun::read_manifest(Content& out) const {
  FIDUCIAL_TRY(out.manifest, read_document("manifest.json"));
  const Json none{Json::Object{}};
  const auto part = [&](const char* key) {
    const Json* found = out.manifest.find(key);
    return found == nullptr || found->as_object() == nullptr ? none : *found;
  };
  const Json dataset = part("dataset");
  const std::string model = text_at(part("plan"), "model");
  for (Json* each : {&out.plan, &out.summary}) {
    *each = Json::object({{"benchmark", text_at(dataset, "benchmark")},
                          {"split", text_at(dataset, "split")},
                          {"task", Json()},
                          {"system", model.empty() ? id_ : model}});
  }
  out.plan.set("dataset", dataset);
  out.plan.set("predictions", Json::object({{"file", "predictions.jsonl"},
                                            {"sha256", text_at(part("files"), "predictions.jsonl")}}));
  out.summary.set("counts", Json::object({{"cases", integer_at(dataset, "asked")}}));
  out.rows_problem = Error(ErrorCode::unavailable, "this run is not scored yet: fiducial score DIR RUN");
  return done();
}

}  // namespace fiducial
