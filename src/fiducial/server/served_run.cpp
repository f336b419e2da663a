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

// What the cells of a table take, without texts that are too long for their cell.
std::uint64_t bytes_of(const Table& table) {
  std::uint64_t of_row = 0;
  for (const Column& column : table.columns) {
    of_row += std::visit([](const auto& values) { return sizeof(values.front()); }, column.values);
  }
  return of_row * table.rows();
}

}  // namespace

ServedRun::ServedRun(std::string id, Path folder, std::string shown_path, Kind kind, RowKeeper& keeper)
    : id_(std::move(id)),
      folder_(std::move(folder)),
      shown_path_(std::move(shown_path)),
      kind_(kind),
      keeper_(keeper) {}

std::string ServedRun::state() const {
  std::string out;
  for (const char* name : {"plan.json", "summary.json", "rows.parquet", "manifest.json"})
    out += file_key(folder_ / name) + "\n";
  return out;
}

Result<std::shared_ptr<const ServedRun::Content>> ServedRun::current_head() const {
  const std::string now = state();
  if (head_ && state_ == now) return head_;
  auto out = std::make_shared<Content>();
  FIDUCIAL_TRY_DONE(kind_ == Kind::scores ? read_scores(*out) : read_manifest(*out));
  head_ = std::move(out);
  content_ = nullptr;
  state_ = now;
  return head_;
}

Result<std::shared_ptr<const ServedRun::Content>> ServedRun::current_content() const {
  const std::lock_guard lock(mutex_);
  FIDUCIAL_TRY(const auto head, current_head());
  if (content_ == nullptr) {
    auto out = std::make_shared<Content>(*head);
    if (kind_ == Kind::scores) read_rows(*out);
    content_ = std::move(out);
  }
  return content_;
}

Result<std::shared_ptr<const ServedRun::Content>> ServedRun::head() const {
  const std::lock_guard lock(mutex_);
  return current_head();
}

Result<std::shared_ptr<const ServedRun::Content>> ServedRun::open() const {
  FIDUCIAL_TRY(auto content, current_content());
  for (const ServedRun* other : keeper_.used(*this, content->row_bytes)) other->forget_rows();
  return content;
}

void ServedRun::forget_rows() const {
  const std::lock_guard lock(mutex_);
  content_ = nullptr;
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
  return done();
}

void ServedRun::read_rows(Content& out) const {
  if (!is_file(folder_ / "rows.parquet")) {
    out.rows_problem = Error(ErrorCode::unavailable, "the scores are private: there are no rows");
    return;
  }
  Result<Table> rows = read_parquet(folder_ / "rows.parquet");
  if (rows.ok()) {
    out.rows = std::make_shared<const Table>(*std::move(rows));
    out.rows_of_case = rows_by_case(*out.rows);
    out.row_bytes = bytes_of(*out.rows);
  } else {
    out.rows_problem = rows.error();
  }
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
