#include "fiducial/table/parquet.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include "fiducial/base/number_text.h"
#include "fiducial/table/arrow_table.h"
#include "fiducial/table/bounded_memory.h"
#include "fiducial/table/stored_file.h"

namespace fiducial {

namespace {

constexpr std::int64_t rows_of_a_group = 1 << 20;

std::shared_ptr<parquet::WriterProperties> writer_properties() {
  return parquet::WriterProperties::Builder().compression(parquet::Compression::ZSTD)->build();
}

std::shared_ptr<parquet::ArrowWriterProperties> arrow_properties() {
  return parquet::ArrowWriterProperties::Builder().store_schema()->build();
}

arrow::Status write_arrow(const Path& path, const arrow::Table& table) {
  ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::FileOutputStream::Open(path.string()));
  ARROW_RETURN_NOT_OK(parquet::arrow::WriteTable(table, arrow::default_memory_pool(), file, rows_of_a_group,
                                                 writer_properties(), arrow_properties()));
  return file->Close();
}

template <typename Array, typename Items, typename Convert>
Items from_chunks(const arrow::ChunkedArray& chunks, Convert convert) {
  Items out;
  out.reserve(static_cast<std::size_t>(chunks.length()));
  for (const auto& chunk : chunks.chunks()) {
    const auto& array = static_cast<const Array&>(*chunk);
    for (std::int64_t i = 0; i < array.length(); ++i) {
      if (array.IsNull(i)) {
        out.emplace_back(std::nullopt);
      } else {
        out.emplace_back(convert(array, i));
      }
    }
  }
  return out;
}

// What a file may become in memory: runs of equal values, and texts that are stored once, take next to no
// room in it.
constexpr std::int64_t most_cells = std::int64_t{1} << 26;
constexpr std::int64_t most_text_bytes = std::int64_t{1} << 29;

// Texts as Arrow holds them: every one that differs once. text_left is what those of a file may still have.
arrow::Result<Column::Strings> texts_of(const arrow::ChunkedArray& chunks, std::int64_t& text_left) {
  Column::Strings out;
  out.reserve(static_cast<std::size_t>(chunks.length()));
  for (const auto& chunk : chunks.chunks()) {
    const auto& array = static_cast<const arrow::DictionaryArray&>(*chunk);
    const auto& texts = static_cast<const arrow::StringArray&>(*array.dictionary());
    for (std::int64_t i = 0; i < array.length(); ++i) {
      if (array.IsNull(i)) {
        out.emplace_back(std::nullopt);
        continue;
      }
      const std::string_view text = texts.GetView(array.GetValueIndex(i));
      text_left -= static_cast<std::int64_t>(text.size());
      if (text_left < 0)
        return arrow::Status::Invalid("texts of more than " + decimal(most_text_bytes >> 20) + " MiB");
      out.emplace_back(std::string(text));
    }
  }
  return out;
}

bool is_text_dictionary(const arrow::DataType& type) {
  return type.id() == arrow::Type::DICTIONARY &&
         static_cast<const arrow::DictionaryType&>(type).value_type()->id() == arrow::Type::STRING;
}

arrow::Result<Column> from_arrow(const std::string& name, const arrow::ChunkedArray& chunks,
                                 std::int64_t& text_left) {
  if (is_text_dictionary(*chunks.type())) {
    ARROW_ASSIGN_OR_RAISE(Column::Strings texts, texts_of(chunks, text_left));
    return Column{name, std::move(texts)};
  }
  switch (chunks.type()->id()) {
    case arrow::Type::INT64:
      return Column{name, from_chunks<arrow::Int64Array, Column::Integers>(
                              chunks, [](const auto& array, std::int64_t i) { return array.Value(i); })};
    case arrow::Type::DOUBLE:
      return Column{name, from_chunks<arrow::DoubleArray, Column::Numbers>(
                              chunks, [](const auto& array, std::int64_t i) { return array.Value(i); })};
    default:
      return arrow::Status::Invalid("column \"" + name + "\" has type " + chunks.type()->ToString() +
                                    "; expected string, int64 or double");
  }
}

// Every column of a group has as many values as the group has rows: memory for these is taken before they are
// read.
arrow::Status check_row_counts(const parquet::FileMetaData& metadata) try {
  std::int64_t rows = 0;
  for (int i = 0; i < metadata.num_row_groups(); ++i) {
    const std::unique_ptr<parquet::RowGroupMetaData> group = metadata.RowGroup(i);
    for (int j = 0; j < group->num_columns(); ++j) {
      const std::int64_t values = group->ColumnChunk(j)->num_values();
      if (values == group->num_rows()) continue;
      return arrow::Status::Invalid("row group " + decimal(i) + " has " + decimal(group->num_rows()) +
                                    " rows, but column " + decimal(j) + " of it " + decimal(values));
    }
    rows += group->num_rows();
  }
  if (rows > most_cells / std::max(1, metadata.num_columns())) {
    return arrow::Status::Invalid(decimal(rows) + " rows of " + decimal(metadata.num_columns()) +
                                  " columns; at most " + decimal(most_cells) + " cells are read");
  }
  if (rows == metadata.num_rows()) return arrow::Status::OK();
  return arrow::Status::Invalid("the file has " + decimal(metadata.num_rows()) + " rows, its groups " +
                                decimal(rows));
} catch (const parquet::ParquetException& broken) {
  return arrow::Status::Invalid(broken.what());
}

// Texts are read as they are stored, each once.
parquet::ArrowReaderProperties reader_properties(const parquet::FileMetaData& metadata) {
  parquet::ArrowReaderProperties out;
  for (int i = 0; i < metadata.num_columns(); ++i) {
    if (metadata.schema()->Column(i)->physical_type() == parquet::Type::BYTE_ARRAY)
      out.set_read_dictionary(i, true);
  }
  return out;
}

arrow::Result<Table> read_arrow(const Path& path, arrow::MemoryPool* memory) {
  ARROW_ASSIGN_OR_RAISE(const auto file, open_for_arrow(path));
  parquet::arrow::FileReaderBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Open(file, parquet::ReaderProperties(memory)));
  const parquet::FileMetaData& about = *builder.raw_reader()->metadata();
  ARROW_RETURN_NOT_OK(check_row_counts(about));
  ARROW_ASSIGN_OR_RAISE(const auto reader,
                        builder.memory_pool(memory)->properties(reader_properties(about))->Build());
  ARROW_ASSIGN_OR_RAISE(const auto found, reader->ReadTable());
  ARROW_RETURN_NOT_OK(found->ValidateFull());
  Table out;
  std::int64_t text_left = most_text_bytes;
  for (int i = 0; i < found->num_columns(); ++i) {
    ARROW_ASSIGN_OR_RAISE(Column column, from_arrow(found->field(i)->name(), *found->column(i), text_left));
    out.columns.push_back(std::move(column));
  }
  if (const auto& metadata = found->schema()->metadata()) {
    for (std::int64_t i = 0; i < metadata->size(); ++i)
      out.metadata.emplace_back(metadata->key(i), metadata->value(i));
  }
  return out;
}

}  // namespace

Outcome write_parquet(const Path& path, const Table& table) {
  FIDUCIAL_TRY(const std::shared_ptr<arrow::Table> converted, arrow_table(table).in_file(path.string()));
  const arrow::Status status = write_arrow(path, *converted);
  if (!status.ok()) return arrow_error(path, status);
  return done();
}

struct ParquetFile::State {
  Path path;
  std::shared_ptr<arrow::io::FileOutputStream> file;
  std::unique_ptr<parquet::arrow::FileWriter> writer;

  arrow::Status append(const arrow::Table& table) {
    if (writer == nullptr) {
      ARROW_ASSIGN_OR_RAISE(
          writer, parquet::arrow::FileWriter::Open(*table.schema(), arrow::default_memory_pool(), file,
                                                   writer_properties(), arrow_properties()));
    }
    return writer->WriteTable(table, rows_of_a_group);
  }
  arrow::Status close() {
    if (writer != nullptr) ARROW_RETURN_NOT_OK(writer->Close());
    return file->Close();
  }
};

ParquetFile::ParquetFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
ParquetFile::~ParquetFile() = default;

Result<std::unique_ptr<ParquetFile>> ParquetFile::create(const Path& path) {
  auto file = arrow::io::FileOutputStream::Open(path.string());
  if (!file.ok()) return arrow_error(path, file.status());
  auto state = std::make_unique<State>();
  state->path = path;
  state->file = *std::move(file);
  return std::unique_ptr<ParquetFile>(new ParquetFile(std::move(state)));
}

Outcome ParquetFile::append(const Table& table) {
  FIDUCIAL_TRY(const std::shared_ptr<arrow::Table> converted,
               arrow_table(table).in_file(state_->path.string()));
  const arrow::Status status = state_->append(*converted);
  if (!status.ok()) return arrow_error(state_->path, status);
  return done();
}

Outcome ParquetFile::close() {
  const arrow::Status status = state_->close();
  if (!status.ok()) return arrow_error(state_->path, status);
  return done();
}

Result<Table> read_parquet(const Path& path, std::optional<std::uint64_t> most_memory) {
  BoundedMemory memory(path, most_memory);
  arrow::Result<Table> table = read_arrow(path, memory.pool());
  if (!table.ok()) return arrow_error(path, table.status());
  return *std::move(table);
}

}  // namespace fiducial
