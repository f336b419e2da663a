#include "fiducial/datasets/medthinkvqa/parquet_rows.h"

#include <cmath>
#include <memory>
#include <utility>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <parquet/arrow/reader.h>
#include <parquet/properties.h>
#include <parquet/schema.h>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/medthinkvqa/arrow_cells.h"
#include "fiducial/datasets/medthinkvqa/json_row.h"
#include "fiducial/table/bounded_memory.h"
#include "fiducial/table/stored_file.h"

namespace fiducial::medthinkvqa {

namespace {

constexpr std::int64_t batch_rows = 256;
constexpr std::int64_t batch_rows_with_pictures = 8;

bool is_text_column(std::string_view column) { return row_member(column).kind != RowMember::Kind::unknown; }

// The text of one cell, or nothing where it is null. The array holds text.
std::optional<std::string_view> text_at(const arrow::Array& array, std::int64_t row) {
  if (array.IsNull(row)) return std::nullopt;
  if (array.type_id() == arrow::Type::DICTIONARY) {
    const auto& coded = static_cast<const arrow::DictionaryArray&>(array);
    return text_at(*coded.dictionary(), coded.GetValueIndex(row));
  }
  if (array.type_id() == arrow::Type::LARGE_STRING) {
    return static_cast<const arrow::LargeStringArray&>(array).GetView(row);
  }
  if (array.type_id() == arrow::Type::STRING_VIEW) {
    return static_cast<const arrow::StringViewArray&>(array).GetView(row);
  }
  return static_cast<const arrow::StringArray&>(array).GetView(row);
}

// Strings, or codes of strings, as data frames write categories.
bool holds_text(const arrow::Array& array) {
  if (array.type_id() == arrow::Type::DICTIONARY) {
    return holds_text(*static_cast<const arrow::DictionaryArray&>(array).dictionary());
  }
  return array.type_id() == arrow::Type::STRING || array.type_id() == arrow::Type::LARGE_STRING ||
         array.type_id() == arrow::Type::STRING_VIEW;
}

}  // namespace

std::optional<std::string_view> embedded_bytes(const arrow::Array& array, std::int64_t row) {
  if (array.IsNull(row)) return std::nullopt;
  if (array.type_id() == arrow::Type::STRUCT) {
    const auto bytes = static_cast<const arrow::StructArray&>(array).GetFieldByName("bytes");
    return bytes == nullptr ? std::nullopt : embedded_bytes(*bytes, row);
  }
  if (array.type_id() == arrow::Type::LARGE_BINARY) {
    return static_cast<const arrow::LargeBinaryArray&>(array).GetView(row);
  }
  if (array.type_id() == arrow::Type::BINARY_VIEW) {
    return static_cast<const arrow::BinaryViewArray&>(array).GetView(row);
  }
  if (array.type_id() != arrow::Type::BINARY) return std::nullopt;
  return static_cast<const arrow::BinaryArray&>(array).GetView(row);
}

namespace {

// The integer of one cell; nothing where it is none, or none of 64 bits.
std::optional<std::int64_t> integer_at(const arrow::Array& array, std::int64_t row) {
  if (!arrow::is_integer(array.type_id())) return std::nullopt;
  const auto scalar = array.GetScalar(row);
  if (!scalar.ok()) return std::nullopt;
  const auto cast = (*scalar)->CastTo(arrow::int64());
  if (!cast.ok()) return std::nullopt;
  return static_cast<const arrow::Int64Scalar&>(**cast).value;
}

// The number of one cell, of any numeric type.
std::optional<double> number_at(const arrow::Array& array, std::int64_t row) {
  if (!arrow::is_floating(array.type_id()) && !arrow::is_integer(array.type_id())) return std::nullopt;
  const auto scalar = array.GetScalar(row);
  if (!scalar.ok()) return std::nullopt;
  const auto cast = (*scalar)->CastTo(arrow::float64());
  if (!cast.ok()) return std::nullopt;
  return static_cast<const arrow::DoubleScalar&>(**cast).value;
}

// A whole number, as tables write them: integers become floating-point numbers where one of them is missing.
std::optional<std::int64_t> whole_number_at(const arrow::Array& array, std::int64_t row) {
  if (arrow::is_integer(array.type_id())) return integer_at(array, row);
  if (holds_text(array)) return parse_integer(text_at(array, row).value_or(""));
  const auto number = number_at(array, row);
  return number ? whole_number(*number) : std::nullopt;
}

// A flag as tables write them.
std::optional<bool> flag_at(const arrow::Array& array, std::int64_t row) {
  if (array.type_id() == arrow::Type::BOOL) return static_cast<const arrow::BooleanArray&>(array).Value(row);
  if (holds_text(array)) return flag_word(text_at(array, row).value_or(""));
  const auto number = number_at(array, row);
  return number ? flag_number(*number) : std::nullopt;
}

// Fills rows from the cells of one column.
class ColumnReader {
 public:
  ColumnReader(const std::string& name, const arrow::Array& array)
      : name_(name), picture_(find_picture_field(name)), member_(row_member(name)), array_(array) {}

  void add_to(std::vector<RawRow>& rows) const {
    if (array_.null_count() == array_.length()) return;
    for (std::int64_t at = 0; at < array_.length(); ++at) {
      if (!array_.IsNull(at)) add_cell(rows[static_cast<std::size_t>(at)], at);
    }
  }

 private:
  void add_cell(RawRow& row, std::int64_t at) const {
    if (picture_) {
      const auto bytes = embedded_bytes(array_, at);
      if (bytes) row.slot(*picture_).embedded = bytes;
      return;
    }
    switch (member_.kind) {
      case RowMember::Kind::slot_text: {
        if (!holds_text(array_)) return refuse(row, "text");
        const std::string_view text = text_at(array_, at).value_or("");
        if (!text.empty()) row.slot(member_.slot.number).*member_.slot.text = text;
        return;
      }
      case RowMember::Kind::text:
        if (!holds_text(array_)) return refuse(row, "text");
        row.*member_.text = text_at(array_, at);
        return;
      case RowMember::Kind::integer:
        if (is_missing_number(at)) return;
        row.*member_.integer = whole_number_at(array_, at);
        if (!(row.*member_.integer)) refuse(row, "integers");
        return;
      case RowMember::Kind::longitudinal:
        if (is_missing_number(at)) return;
        row.is_longitudinal = flag_at(array_, at);
        if (!row.is_longitudinal) refuse(row, "booleans");
        return;
      case RowMember::Kind::options:
        return add_options(row, at);
      case RowMember::Kind::unknown:
        return;
    }
  }

  // Data frames have NaN in the place of a number that is not there.
  bool is_missing_number(std::int64_t at) const {
    const auto number = arrow::is_floating(array_.type_id()) ? number_at(array_, at) : std::nullopt;
    return number && std::isnan(*number);
  }

  void refuse(RawRow& row, std::string_view expected) const {
    row.field_errors.emplace_back(
        name_, "expected a column of " + std::string(expected) + ", found " + array_.type()->ToString());
  }

  void add_options(RawRow& row, std::int64_t at) const {
    if (holds_text(array_)) {
      const Outcome options = add_json_options(row, text_at(array_, at).value_or(""));
      if (!options.ok()) row.field_errors.emplace_back(name_, options.error().text());
    } else if (array_.type_id() == arrow::Type::STRUCT) {
      add_struct(row, at);
    } else if (array_.type_id() == arrow::Type::MAP) {
      add_map(row, at);
    } else {
      refuse(row, "structs, maps or JSON text");
    }
  }

  void add_struct(RawRow& row, std::int64_t at) const {
    const auto& array = static_cast<const arrow::StructArray&>(array_);
    RawRow::Options options;
    for (int i = 0; i < array.num_fields(); ++i) {
      const auto texts = array.field(i);
      if (!holds_text(*texts)) return refuse(row, "structs of text");
      options.emplace_back(array.struct_type()->field(i)->name(), text_at(*texts, at).value_or(""));
    }
    row.options = std::move(options);
  }

  void add_map(RawRow& row, std::int64_t at) const {
    const auto& array = static_cast<const arrow::MapArray&>(array_);
    if (!holds_text(*array.keys()) || !holds_text(*array.items())) return refuse(row, "maps of text to text");
    RawRow::Options options;
    for (std::int64_t i = array.value_offset(at); i < array.value_offset(at + 1); ++i) {
      options.emplace_back(text_at(*array.keys(), i).value_or(""), text_at(*array.items(), i).value_or(""));
    }
    row.options = std::move(options);
  }

  const std::string& name_;
  std::optional<int> picture_;
  RowMember member_;
  const arrow::Array& array_;
};

// The batches of a file with an index, one after the other.
class IndexedBatches final : public arrow::RecordBatchReader {
 public:
  explicit IndexedBatches(std::shared_ptr<arrow::ipc::RecordBatchFileReader> file) : file_(std::move(file)) {}
  std::shared_ptr<arrow::Schema> schema() const override { return file_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    *batch = nullptr;
    if (next_ >= file_->num_record_batches()) return arrow::Status::OK();
    return file_->ReadRecordBatch(next_++).Value(batch);
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  int next_ = 0;
};

}  // namespace

arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> open_arrow_batches(
    const std::shared_ptr<arrow::io::RandomAccessFile>& file) {
  auto indexed = arrow::ipc::RecordBatchFileReader::Open(file);
  if (indexed.ok()) return std::make_shared<IndexedBatches>(*indexed);
  ARROW_RETURN_NOT_OK(file->Seek(0));
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::RecordBatchReader> stream,
                        arrow::ipc::RecordBatchStreamReader::Open(file));
  return stream;
}

namespace {

arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> open_arrow(const Path& path) {
  ARROW_ASSIGN_OR_RAISE(const auto file, open_for_arrow(path));
  return open_arrow_batches(file);
}

arrow::Result<bool> find_case_columns(const Path& path) {
  const auto has_both = [](const auto& has) { return has("CLINICAL_HISTORY") && has("options"); };
  if (path.extension() == ".arrow") {
    ARROW_ASSIGN_OR_RAISE(const auto batches, open_arrow(path));
    const auto schema = batches->schema();
    return has_both([&schema](const char* name) { return schema->GetFieldIndex(name) >= 0; });
  }
  ARROW_ASSIGN_OR_RAISE(const auto file, open_for_arrow(path));
  parquet::arrow::FileReaderBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Open(file));
  const auto metadata = builder.raw_reader()->metadata();
  const auto* group = metadata->schema()->group_node();
  return has_both([group](const char* name) { return group->FieldIndex(name) >= 0; });
}

class RowSource {
 public:
  RowSource(const Path& path, bool with_pictures, const std::function<Outcome(RawRow)>& visit)
      : path_(path),
        with_pictures_(with_pictures),
        visit_(visit),
        memory_(std::make_shared<BoundedMemory>(path)) {}

  arrow::Status read() {
    ARROW_ASSIGN_OR_RAISE(const auto file, open_for_arrow(path_));
    ARROW_ASSIGN_OR_RAISE(const auto reader, open_reader(file));
    const std::vector<int> columns = wanted_columns(*reader->parquet_reader()->metadata()->schema());
    for (int group = 0; group < reader->num_row_groups(); ++group) {
      ARROW_ASSIGN_OR_RAISE(const auto batches, reader->GetRecordBatchReader({group}, columns));
      while (true) {
        ARROW_ASSIGN_OR_RAISE(const auto batch, batches->Next());
        if (batch == nullptr) break;
        ARROW_RETURN_NOT_OK(batch->ValidateFull());
        if (!visit_batch(batch)) return arrow::Status::OK();
      }
    }
    return arrow::Status::OK();
  }

  arrow::Status read_arrow() {
    ARROW_ASSIGN_OR_RAISE(const auto batches, open_arrow(path_));
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const auto batch, batches->Next());
      if (batch == nullptr) return arrow::Status::OK();
      ARROW_RETURN_NOT_OK(batch->ValidateFull());
      if (!visit_batch(batch)) return arrow::Status::OK();
    }
  }

  const std::optional<Error>& visitor_error() const { return visitor_error_; }

 private:
  // Pages are read as they are needed: a column of a row group may be far larger than memory.
  arrow::Result<std::unique_ptr<parquet::arrow::FileReader>> open_reader(
      std::shared_ptr<arrow::io::RandomAccessFile> file) const {
    parquet::ReaderProperties properties(memory_->pool());
    properties.enable_buffered_stream();
    parquet::ArrowReaderProperties batches;
    batches.set_batch_size(with_pictures_ ? batch_rows_with_pictures : batch_rows);
    batches.set_pre_buffer(false);
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(std::move(file), properties));
    return builder.memory_pool(memory_->pool())->properties(batches)->Build();
  }

  std::vector<int> wanted_columns(const parquet::SchemaDescriptor& schema) const {
    std::vector<int> out;
    for (int leaf = 0; leaf < schema.num_columns(); ++leaf) {
      const std::string& root = schema.GetColumnRoot(leaf)->name();
      const bool is_picture = find_picture_field(root) && schema.Column(leaf)->name() != "path";
      if (is_text_column(root) || (with_pictures_ && is_picture)) out.push_back(leaf);
    }
    return out;
  }

  bool visit_batch(const std::shared_ptr<arrow::RecordBatch>& batch) {
    std::vector<RawRow> rows(static_cast<std::size_t>(batch->num_rows()));
    for (int i = 0; i < batch->num_columns(); ++i) {
      if (!with_pictures_ && find_picture_field(batch->schema()->field(i)->name())) continue;
      ColumnReader(batch->schema()->field(i)->name(), *batch->column(i)).add_to(rows);
    }
    // Memory outlives the batch that is made of it.
    const auto held =
        std::make_shared<std::pair<std::shared_ptr<BoundedMemory>, std::shared_ptr<arrow::RecordBatch>>>(
            memory_, batch);
    for (RawRow& row : rows) {
      row.bytes.share(held);
      settle_view(row);
      row.line = ++rows_;
      Outcome outcome = visit_(std::move(row));
      if (outcome.ok()) continue;
      visitor_error_ = std::move(outcome).error();
      return false;
    }
    return true;
  }

  const Path& path_;
  bool with_pictures_;
  const std::function<Outcome(RawRow)>& visit_;
  std::shared_ptr<BoundedMemory> memory_;
  std::uint64_t rows_ = 0;
  std::optional<Error> visitor_error_;
};

}  // namespace

namespace {

Outcome outcome_of(const arrow::Status& status, const RowSource& source, const Path& path) {
  if (auto of_store = error_of_store(status)) return *std::move(of_store);
  if (!status.ok()) return Error(ErrorCode::invalid_data, status.message(), Place{.path = path.string()});
  if (source.visitor_error()) return *source.visitor_error();
  return done();
}

}  // namespace

Outcome read_parquet_rows(const Path& path, bool with_pictures, const std::function<Outcome(RawRow)>& visit) {
  RowSource source(path, with_pictures, visit);
  const arrow::Status status = source.read();
  return outcome_of(status, source, path);
}

Outcome read_arrow_rows(const Path& path, bool with_pictures, const std::function<Outcome(RawRow)>& visit) {
  RowSource source(path, with_pictures, visit);
  const arrow::Status status = source.read_arrow();
  return outcome_of(status, source, path);
}

bool has_case_columns(const Path& path) {
  const auto found = find_case_columns(path);
  return found.ok() && *found;
}

}  // namespace fiducial::medthinkvqa
