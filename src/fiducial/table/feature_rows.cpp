#include "fiducial/table/feature_rows.h"

#include <algorithm>

#include <arrow/api.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/arrow/reader.h>
#include <parquet/column_reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/schema.h>

#include "fiducial/base/number_text.h"
#include "fiducial/table/bounded_memory.h"
#include "fiducial/table/stored_file.h"

namespace fiducial {

namespace {

constexpr int deepest_value = 16;

arrow::Result<Json> cell_json(const arrow::Array& array, std::int64_t row, int depth);

arrow::Result<Json> nested_json(const arrow::Array& array, std::int64_t row, int depth) {
  if (depth > deepest_value) return arrow::Status::Invalid("values nested too deeply");
  if (array.type_id() == arrow::Type::LIST) {
    const auto& lists = static_cast<const arrow::ListArray&>(array);
    Json out = Json::Array{};
    for (std::int64_t i = lists.value_offset(row); i < lists.value_offset(row + 1); ++i) {
      ARROW_ASSIGN_OR_RAISE(Json item, cell_json(*lists.values(), i, depth + 1));
      out.push(std::move(item));
    }
    return out;
  }
  const auto& structs = static_cast<const arrow::StructArray&>(array);
  Json out = Json::Object{};
  for (int i = 0; i < structs.num_fields(); ++i) {
    ARROW_ASSIGN_OR_RAISE(Json part, cell_json(*structs.field(i), row, depth + 1));
    out.set(structs.type()->field(i)->name(), std::move(part));
  }
  return out;
}

arrow::Result<Json> cell_json(const arrow::Array& array, std::int64_t row, int depth) {
  if (array.IsNull(row)) return Json();
  switch (array.type_id()) {
    case arrow::Type::STRING:
      return Json(static_cast<const arrow::StringArray&>(array).GetView(row));
    case arrow::Type::LARGE_STRING:
      return Json(static_cast<const arrow::LargeStringArray&>(array).GetView(row));
    case arrow::Type::INT32:
      return Json(std::int64_t{static_cast<const arrow::Int32Array&>(array).Value(row)});
    case arrow::Type::INT64:
      return Json(static_cast<const arrow::Int64Array&>(array).Value(row));
    case arrow::Type::DOUBLE:
      return Json(static_cast<const arrow::DoubleArray&>(array).Value(row));
    case arrow::Type::BOOL:
      return Json(static_cast<const arrow::BooleanArray&>(array).Value(row));
    case arrow::Type::LIST:
    case arrow::Type::STRUCT:
      return nested_json(array, row, depth);
    default:
      return arrow::Status::Invalid("a column of type ", array.type()->ToString(), " is not read");
  }
}

// Whether a column embeds files: a struct of bytes and path.
bool embeds_files(const parquet::schema::Node& column) {
  if (!column.is_group()) return false;
  const auto& group = static_cast<const parquet::schema::GroupNode&>(column);
  return group.FieldIndex("bytes") >= 0 && group.FieldIndex("path") >= 0;
}

}  // namespace

struct FeatureRows::State {
  explicit State(const Path& file) : path(file), memory(file) {}

  Path path;
  BoundedMemory memory;
  std::unique_ptr<parquet::arrow::FileReader> reader;
  std::vector<int> value_leaves;  // of columns without files

  parquet::ParquetFileReader& raw() const { return *reader->parquet_reader(); }
  const parquet::SchemaDescriptor& schema() const { return *raw().metadata()->schema(); }

  arrow::Status open() {
    ARROW_ASSIGN_OR_RAISE(const auto file, open_for_arrow(path));
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(file, parquet::ReaderProperties(memory.pool())));
    ARROW_ASSIGN_OR_RAISE(reader, builder.memory_pool(memory.pool())->Build());
    for (int leaf = 0; leaf < schema().num_columns(); ++leaf) {
      if (!embeds_files(*schema().GetColumnRoot(leaf))) value_leaves.push_back(leaf);
    }
    return arrow::Status::OK();
  }

  arrow::Result<std::vector<Json>> group(int index) {
    ARROW_ASSIGN_OR_RAISE(const auto table, reader->ReadRowGroup(index, value_leaves));
    ARROW_RETURN_NOT_OK(table->ValidateFull());
    ARROW_ASSIGN_OR_RAISE(const auto whole, table->CombineChunks(memory.pool()));
    std::vector<Json> out(static_cast<std::size_t>(whole->num_rows()), Json(Json::Object{}));
    for (int i = 0; i < whole->num_columns(); ++i) {
      if (whole->column(i)->num_chunks() == 0) continue;
      const auto& array = *whole->column(i)->chunk(0);
      for (std::size_t row = 0; row < out.size(); ++row) {
        ARROW_ASSIGN_OR_RAISE(Json cell, cell_json(array, static_cast<std::int64_t>(row), 0));
        out[row].set(whole->field(i)->name(), std::move(cell));
      }
    }
    return out;
  }

  int find_leaf(const std::string& column) const {
    for (int leaf = 0; leaf < schema().num_columns(); ++leaf) {
      const bool is_text = schema().Column(leaf)->physical_type() == parquet::Type::BYTE_ARRAY &&
                           schema().Column(leaf)->max_repetition_level() == 0;
      if (is_text && schema().Column(leaf)->path()->ToDotString() == column) return leaf;
    }
    return -1;
  }

  arrow::Result<std::vector<std::string>> texts(int leaf) {
    ARROW_ASSIGN_OR_RAISE(auto table, reader->ReadTable({leaf}));
    ARROW_RETURN_NOT_OK(table->ValidateFull());
    ARROW_ASSIGN_OR_RAISE(table, table->Flatten(memory.pool()));
    std::vector<std::string> out;
    for (const auto& chunk : table->column(0)->chunks()) {
      for (std::int64_t row = 0; row < chunk->length(); ++row) {
        ARROW_ASSIGN_OR_RAISE(const Json cell, cell_json(*chunk, row, 0));
        out.push_back(cell.as_string() == nullptr ? std::string() : *cell.as_string());
      }
    }
    return out;
  }

  // Rows before the wanted one are passed over within its group alone.
  std::optional<std::string> file(int leaf, std::int64_t row) const {
    int group = 0;
    while (row >= raw().metadata()->RowGroup(group)->num_rows())
      row -= raw().metadata()->RowGroup(group++)->num_rows();
    const auto column = raw().RowGroup(group)->Column(leaf);
    auto& files = static_cast<parquet::ByteArrayReader&>(*column);
    if (row > 0 && files.Skip(row) != row)
      throw parquet::ParquetException("a column of files ends too early");
    std::int16_t level = 0;
    std::int64_t found = 0;
    parquet::ByteArray bytes;
    files.ReadBatch(1, &level, nullptr, &bytes, &found);
    if (found == 0) return std::nullopt;
    return std::string(reinterpret_cast<const char*>(bytes.ptr), bytes.len);
  }

  // Parquet's own readers throw.
  template <typename Read>
  auto guarded(const Read& read) const -> Result<decltype(*read())> {
    try {
      auto out = read();
      if (out.ok()) return *std::move(out);
      return arrow_error(path, out.status());
    } catch (const parquet::ParquetStatusException& broken) {
      return arrow_error(path, broken.status());
    } catch (const parquet::ParquetException& broken) {
      return Error(ErrorCode::invalid_data, broken.what(), Place{.path = path.string()});
    }
  }
};

FeatureRows::FeatureRows(std::unique_ptr<State> state) : state_(std::move(state)) {}
FeatureRows::FeatureRows(FeatureRows&&) noexcept = default;
FeatureRows::~FeatureRows() = default;

Result<FeatureRows> FeatureRows::open(const Path& path) {
  auto state = std::make_unique<State>(path);
  try {
    const arrow::Status status = state->open();
    if (!status.ok()) return arrow_error(path, status);
  } catch (const parquet::ParquetException& broken) {
    return Error(ErrorCode::invalid_data, broken.what(), Place{.path = path.string()});
  }
  return FeatureRows(std::move(state));
}

std::int64_t FeatureRows::rows() const { return state_->raw().metadata()->num_rows(); }
int FeatureRows::groups() const { return state_->raw().metadata()->num_row_groups(); }

std::optional<std::string> FeatureRows::about(const std::string& key) const {
  const auto& metadata = state_->raw().metadata()->key_value_metadata();
  const int found = metadata == nullptr ? -1 : metadata->FindKey(key);
  return found < 0 ? std::nullopt : std::optional(metadata->value(found));
}

std::vector<std::string> FeatureRows::columns() const {
  std::vector<std::string> out;
  const auto& root = *state_->schema().group_node();
  for (int i = 0; i < root.field_count(); ++i) {
    if (!embeds_files(*root.field(i))) out.push_back(root.field(i)->name());
  }
  return out;
}

std::vector<std::string> FeatureRows::file_columns() const {
  std::vector<std::string> out;
  const auto& root = *state_->schema().group_node();
  for (int i = 0; i < root.field_count(); ++i) {
    if (embeds_files(*root.field(i))) out.push_back(root.field(i)->name());
  }
  return out;
}

Result<std::vector<Json>> FeatureRows::read_group(int group) const {
  return state_->guarded([&] { return state_->group(group); });
}

Result<std::vector<std::string>> FeatureRows::read_texts(const std::string& column) const {
  const int leaf = state_->find_leaf(column);
  if (leaf < 0) {
    return Error(ErrorCode::invalid_data, "no column " + column + " of texts",
                 Place{.path = state_->path.string()});
  }
  return state_->guarded([&] { return state_->texts(leaf); });
}

Result<std::optional<std::string>> FeatureRows::read_file(const std::string& column, std::int64_t row) const {
  const int leaf = state_->find_leaf(column + ".bytes");
  if (leaf < 0 || row < 0 || row >= rows()) {
    return Error(ErrorCode::invalid_data, "no file in column " + column + " of row " + decimal(row),
                 Place{.path = state_->path.string()});
  }
  return state_->guarded(
      [&]() -> arrow::Result<std::optional<std::string>> { return state_->file(leaf, row); });
}

}  // namespace fiducial
