#include "fiducial/datasets/medthinkvqa/embedded_pictures.h"

#include <mutex>
#include <unordered_map>
#include <utility>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/column_reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/schema.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/store.h"
#include "fiducial/datasets/medthinkvqa/arrow_cells.h"
#include "fiducial/datasets/medthinkvqa/parquet_rows.h"
#include "fiducial/datasets/medthinkvqa/picture_files.h"
#include "fiducial/table/bounded_memory.h"
#include "fiducial/table/stored_file.h"

namespace fiducial::medthinkvqa {

using PictureBytesRead = Result<std::optional<std::string>>;

// A file whose rows hold images: by row, from 0, and slot.
class PictureRows {
 public:
  virtual ~PictureRows() = default;
  virtual bool has_pictures() const = 0;
  virtual PictureBytesRead read(std::int64_t row, int slot) = 0;
};

struct PicturePlace {
  std::size_t file = 0;
  std::int64_t row = 0;  // from 0
  int slot = 0;
};

namespace {

PictureBytesRead picture_of_size(std::string_view bytes) {
  if (bytes.size() > max_picture_bytes)
    return invalid_data("a picture of " + decimal(bytes.size()) + " bytes");
  return std::optional(std::string(bytes));
}

class ParquetPictures final : public PictureRows {
 public:
  explicit ParquetPictures(const std::string& path) : memory_(path) {
    parquet::ReaderProperties properties(memory_.pool());
    properties.enable_buffered_stream();
    PARQUET_ASSIGN_OR_THROW(auto stored, open_for_arrow(path));
    file_ = parquet::ParquetFileReader::Open(std::move(stored), properties);
    const parquet::SchemaDescriptor& schema = *file_->metadata()->schema();
    for (int leaf = 0; leaf < schema.num_columns(); ++leaf) {
      const parquet::ColumnDescriptor& column = *schema.Column(leaf);
      const auto slot = find_picture_field(schema.GetColumnRoot(leaf)->name());
      const bool holds_bytes =
          column.physical_type() == parquet::Type::BYTE_ARRAY && column.max_repetition_level() == 0;
      if (slot && holds_bytes && column.name() != "path") leaves_.emplace(*slot, leaf);
    }
  }

  bool has_pictures() const override { return !leaves_.empty(); }

  PictureBytesRead read(std::int64_t row, int slot) override {
    const auto leaf = leaves_.find(slot);
    if (leaf == leaves_.end()) return std::optional<std::string>();
    const std::scoped_lock lock(mutex_);
    int group = 0;
    while (row >= file_->metadata()->RowGroup(group)->num_rows()) {
      row -= file_->metadata()->RowGroup(group++)->num_rows();
    }
    const auto column = file_->RowGroup(group)->Column(leaf->second);
    auto& pictures = static_cast<parquet::ByteArrayReader&>(*column);
    if (row > 0 && pictures.Skip(row) != row) return invalid_data("a column of pictures ends too early");
    std::int16_t level = 0;
    std::int64_t found = 0;
    parquet::ByteArray bytes;
    pictures.ReadBatch(1, &level, nullptr, &bytes, &found);
    if (found == 0) return std::optional<std::string>();
    return picture_of_size({reinterpret_cast<const char*>(bytes.ptr), bytes.len});
  }

 private:
  std::mutex mutex_;
  BoundedMemory memory_;
  std::unique_ptr<parquet::ParquetFileReader> file_;
  std::unordered_map<int, int> leaves_;  // by slot
};

// The batches of a file that is mapped into memory: none is copied.
class ArrowPictures final : public PictureRows {
 public:
  explicit ArrowPictures(std::vector<std::shared_ptr<arrow::RecordBatch>> batches)
      : batches_(std::move(batches)) {}

  bool has_pictures() const override {
    if (batches_.empty()) return false;
    for (const std::string& name : batches_.front()->schema()->field_names()) {
      if (find_picture_field(name)) return true;
    }
    return false;
  }

  PictureBytesRead read(std::int64_t row, int slot) override {
    for (const auto& batch : batches_) {
      if (row >= batch->num_rows()) {
        row -= batch->num_rows();
        continue;
      }
      const auto column = batch->GetColumnByName((slot < 10 ? "image_0" : "image_") + decimal(slot));
      if (column == nullptr) break;
      const auto bytes = embedded_bytes(*column, row);
      if (!bytes) break;
      return picture_of_size(*bytes);
    }
    return std::optional<std::string>();
  }

 private:
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches_;
};

arrow::Result<std::unique_ptr<PictureRows>> open_arrow_pictures(const Path& path) {
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
  std::shared_ptr<arrow::io::RandomAccessFile> file;
  if (is_url(path)) {
    ARROW_ASSIGN_OR_RAISE(file, open_for_arrow(path));
  } else {
    ARROW_ASSIGN_OR_RAISE(file, arrow::io::MemoryMappedFile::Open(path.string(), arrow::io::FileMode::READ));
  }
  ARROW_ASSIGN_OR_RAISE(const auto reader, open_arrow_batches(file));
  while (true) {
    ARROW_ASSIGN_OR_RAISE(auto batch, reader->Next());
    if (batch == nullptr) break;
    ARROW_RETURN_NOT_OK(batch->ValidateFull());
    batches.push_back(std::move(batch));
  }
  return std::make_unique<ArrowPictures>(std::move(batches));
}

// None where the file is no table.
Result<std::unique_ptr<PictureRows>> open_pictures(const Path& path) {
  try {
    if (path.extension() == ".parquet") return {std::make_unique<ParquetPictures>(path.string())};
    if (path.extension() != ".arrow") return std::unique_ptr<PictureRows>();
    auto opened = open_arrow_pictures(path);
    if (opened.ok()) return std::move(*opened);
    if (auto of_store = error_of_store(opened.status())) return *std::move(of_store);
    return Error(ErrorCode::invalid_data, opened.status().message(), Place{.path = path.string()});
  } catch (const parquet::ParquetStatusException& broken) {
    if (auto of_store = error_of_store(broken.status())) return *std::move(of_store);
    return Error(ErrorCode::invalid_data, broken.what(), Place{.path = path.string()});
  } catch (const parquet::ParquetException& broken) {
    return Error(ErrorCode::invalid_data, broken.what(), Place{.path = path.string()});
  }
}

}  // namespace

struct EmbeddedPictures::State {
  struct File {
    std::string path;
    std::unique_ptr<PictureRows> rows;
  };
  std::vector<File> files;
  std::unordered_map<std::string, PicturePlace> places;  // by the path of the image

  Outcome add(const Path& path) {
    FIDUCIAL_TRY(std::unique_ptr<PictureRows> rows, open_pictures(path));
    if (rows == nullptr || !rows->has_pictures()) return done();
    const std::size_t file = files.size();
    files.push_back({path.string(), std::move(rows)});
    const auto place = [&](const RawRow& row) {
      for (const RawSlot& slot : row.slots) {
        if (!slot.path.empty())
          places.try_emplace(std::string(slot.path),
                             PicturePlace{file, static_cast<std::int64_t>(row.line) - 1, slot.number});
      }
      return done();
    };
    return path.extension() == ".arrow" ? read_arrow_rows(path, false, place)
                                        : read_parquet_rows(path, false, place);
  }
};

EmbeddedPictures::EmbeddedPictures(std::unique_ptr<State> state) : state_(std::move(state)) {}
EmbeddedPictures::~EmbeddedPictures() = default;
EmbeddedPictures::EmbeddedPictures(EmbeddedPictures&&) noexcept = default;
EmbeddedPictures& EmbeddedPictures::operator=(EmbeddedPictures&&) noexcept = default;

Result<EmbeddedPictures> EmbeddedPictures::open(const Path& folder, const std::vector<std::string>& files) {
  auto state = std::make_unique<State>();
  for (const std::string& file : files) FIDUCIAL_TRY_DONE(state->add(folder / file));
  return EmbeddedPictures(std::move(state));
}

Result<std::optional<std::string>> EmbeddedPictures::read(const std::string& path) const {
  const auto found = state_->places.find(path);
  if (found == state_->places.end()) return std::optional<std::string>();
  const PicturePlace& place = found->second;
  State::File& file = state_->files[place.file];
  try {
    PictureBytesRead picture = file.rows->read(place.row, place.slot);
    if (picture.ok()) return picture;
    return std::move(picture).error().in_file(file.path);
  } catch (const parquet::ParquetException& broken) {
    return Error(ErrorCode::invalid_data, broken.what(), Place{.path = file.path});
  }
}

bool embeds_pictures(const Path& file) {
  const Result<std::unique_ptr<PictureRows>> rows = open_pictures(file);
  return rows.ok() && *rows != nullptr && (*rows)->has_pictures();
}

}  // namespace fiducial::medthinkvqa
