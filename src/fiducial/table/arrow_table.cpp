#include "fiducial/table/arrow_table.h"

#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/util/key_value_metadata.h>

namespace fiducial {

namespace {

template <typename Builder, typename Items>
arrow::Result<std::shared_ptr<arrow::Array>> built(const Items& items) {
  Builder builder;
  ARROW_RETURN_NOT_OK(builder.Reserve(static_cast<std::int64_t>(items.size())));
  for (const auto& item : items) {
    ARROW_RETURN_NOT_OK(item ? builder.Append(*item) : builder.AppendNull());
  }
  return builder.Finish();
}

struct ToArrow {
  arrow::Result<std::shared_ptr<arrow::Array>> operator()(const Column::Strings& items) const {
    return built<arrow::StringBuilder>(items);
  }
  arrow::Result<std::shared_ptr<arrow::Array>> operator()(const Column::Integers& items) const {
    return built<arrow::Int64Builder>(items);
  }
  arrow::Result<std::shared_ptr<arrow::Array>> operator()(const Column::Numbers& items) const {
    return built<arrow::DoubleBuilder>(items);
  }
};

arrow::Result<std::shared_ptr<arrow::Table>> to_arrow(const Table& table) {
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const Column& column : table.columns) {
    ARROW_ASSIGN_OR_RAISE(auto array, std::visit(ToArrow{}, column.values));
    fields.push_back(arrow::field(column.name, array->type()));
    arrays.push_back(std::move(array));
  }
  auto metadata = std::make_shared<arrow::KeyValueMetadata>();
  for (const auto& [key, value] : table.metadata) metadata->Append(key, value);
  return arrow::Table::Make(arrow::schema(std::move(fields), std::move(metadata)), arrays);
}

}  // namespace

Result<std::shared_ptr<arrow::Table>> arrow_table(const Table& table) {
  arrow::Result<std::shared_ptr<arrow::Table>> converted = to_arrow(table);
  if (!converted.ok()) return invalid_data(converted.status().message());
  return *std::move(converted);
}

Outcome export_stream(const Table& table, ArrowArrayStream* out) {
  FIDUCIAL_TRY(std::shared_ptr<arrow::Table> converted, arrow_table(table));
  const arrow::Status status =
      arrow::ExportRecordBatchReader(std::make_shared<arrow::TableBatchReader>(std::move(converted)), out);
  if (!status.ok()) return Error(ErrorCode::internal, status.message());
  return done();
}

}  // namespace fiducial
