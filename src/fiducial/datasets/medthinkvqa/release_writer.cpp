#include "fiducial/datasets/medthinkvqa/release_writer.h"

#include <array>
#include <vector>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/arrow/writer.h>

#include "fiducial/archive/zip_writer.h"
#include "fiducial/base/number_text.h"
#include "fiducial/cases/inference_view.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"

namespace fiducial::medthinkvqa {

namespace {

constexpr std::int64_t rows_a_group = 512;
constexpr std::int64_t bytes_a_group = std::int64_t{128} << 20;

constexpr std::array<const char*, 5> slot_fields = {"id", "path", "caption", "modality", "sub_modality"};
constexpr std::array<const char*, 10> text_fields = {
    "title",          "CLINICAL_HISTORY",    "IMAGING_FINDINGS", "discussion",
    "correct_answer", "correct_answer_text", "ICD Chapter",      "ICD Block",
    "ICD Category",   "interval_text"};

std::string slot_name(int number) {
  return std::string("image_") + (number < 10 ? "0" : "") + decimal(number);
}

const std::string& slot_text(const CaseImage& image, std::size_t field) {
  const std::array<const std::string*, 5> texts = {&image.id, &image.path, &image.caption, &image.modality,
                                                   &image.sub_modality};
  return *texts[field];
}

Feature text_feature(std::string name) { return {.name = std::move(name)}; }

Feature options_feature() {
  Feature out{.name = "options", .kind = Feature::Kind::object};
  for (const char letter : DiagnosisCase::letters) out.parts.push_back(text_feature(std::string(1, letter)));
  return out;
}

// All that a model may see.
std::vector<Feature> view_features() {
  std::vector<Feature> out = {text_feature("id"), text_feature("CLINICAL_HISTORY"), options_feature()};
  for (int slot = 1; slot <= max_images; ++slot) out.push_back(text_feature(slot_name(slot) + "_path"));
  return out;
}

std::vector<Feature> released_features() {
  std::vector<Feature> out;
  for (const char* name : text_fields) {
    out.push_back(text_feature(name));
    if (std::string_view(name) == "discussion") out.push_back(options_feature());
  }
  out.push_back({.name = "is_longitudinal", .kind = Feature::Kind::flag});
  out.push_back({.name = "timepoint_count", .kind = Feature::Kind::integer});
  out.push_back({.name = "image_count", .kind = Feature::Kind::integer});
  for (int slot = 1; slot <= max_images; ++slot) {
    for (const char* field : slot_fields) out.push_back(text_feature(slot_name(slot) + "_" + field));
  }
  return out;
}

std::shared_ptr<arrow::Schema> schema_of(const ReleaseOptions& options) {
  const std::vector<Feature> features = release_features(options.hides_labels, options.embeds_images);
  arrow::FieldVector fields;
  for (const Feature& feature : features) fields.push_back(arrow::field(feature.name, arrow_type(feature)));
  const Json info = Json::object({{"info", Json::object({{"features", features_json(features)}})}});
  return arrow::schema(fields, arrow::key_value_metadata({"huggingface", "terms"},
                                                         {info.compact(), options.terms.json().compact()}));
}

bool is_picture(const arrow::DataType& type) {
  return type.id() == arrow::Type::STRUCT && type.field(0)->name() == "bytes";
}

Error file_error(const Path& path, const arrow::Status& status) {
  return {ErrorCode::invalid_data, status.message(), Place{.path = path.string()}};
}

arrow::Status append_text(arrow::ArrayBuilder& builder, const Json* value) {
  auto& texts = static_cast<arrow::StringBuilder&>(builder);
  return value == nullptr || value->as_string() == nullptr ? texts.AppendNull()
                                                           : texts.Append(*value->as_string());
}

arrow::Status append_image(arrow::ArrayBuilder& builder, const CaseImage* image, const Bytes& bytes) {
  auto& structs = static_cast<arrow::StructBuilder&>(builder);
  if (image == nullptr) return structs.AppendNull();
  ARROW_RETURN_NOT_OK(structs.Append());
  auto& contents = static_cast<arrow::BinaryBuilder&>(*structs.field_builder(0));
  ARROW_RETURN_NOT_OK(contents.Append(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                      static_cast<std::int32_t>(bytes.size())));
  const Path path(image->path);
  return static_cast<arrow::StringBuilder&>(*structs.field_builder(1)).Append(path.filename().string());
}

// Appends one value of a row to the column of its field.
arrow::Status append_value(arrow::ArrayBuilder& builder, const arrow::Field& field, const Json& row) {
  const Json* value = row.find(field.name());
  switch (field.type()->id()) {
    case arrow::Type::BOOL:
      return static_cast<arrow::BooleanBuilder&>(builder).Append(*value->as_bool());
    case arrow::Type::INT64:
      return static_cast<arrow::Int64Builder&>(builder).Append(*value->as_integer());
    case arrow::Type::STRUCT: {
      auto& structs = static_cast<arrow::StructBuilder&>(builder);
      ARROW_RETURN_NOT_OK(structs.Append());
      for (int i = 0; i < field.type()->num_fields(); ++i) {
        ARROW_RETURN_NOT_OK(
            append_text(*structs.field_builder(i), value->find(field.type()->field(i)->name())));
      }
      return arrow::Status::OK();
    }
    default:
      return append_text(builder, value);
  }
}

}  // namespace

std::vector<Feature> release_features(bool hides_labels, bool embeds_images) {
  std::vector<Feature> out = hides_labels ? view_features() : released_features();
  for (int slot = 1; embeds_images && slot <= max_images; ++slot)
    out.push_back(Feature::file(slot_name(slot), "Image"));
  return out;
}

std::string picture_column(std::size_t index) { return slot_name(static_cast<int>(index) + 1); }

Json ReleaseTerms::json() const {
  return Json::object(
      {{"licence", licence}, {"source", source}, {"allowed_use", allowed_use}, {"contact", contact}});
}

Json view_row(const DiagnosisCase& item) {
  Json out = Json::object({{"id", "case" + decimal(item.number)}});
  const Json view = InferenceView::of(item).json();
  for (const auto& [name, value] : *view.as_object()) out.set(name, value);
  return out;
}

Json released_row(const DiagnosisCase& item) {
  Json options = Json::Object{};
  for (std::size_t i = 0; i < item.options.size(); ++i) {
    options.set(std::string(1, DiagnosisCase::letters[i]), item.options[i]);
  }
  Json out = Json::object({{"title", item.title},
                           {"CLINICAL_HISTORY", item.history},
                           {"IMAGING_FINDINGS", item.findings},
                           {"discussion", item.discussion},
                           {"options", std::move(options)},
                           {"correct_answer", std::string(1, item.key)},
                           {"correct_answer_text", item.key_text()},
                           {"ICD Chapter", item.icd_chapter},
                           {"ICD Block", item.icd_block},
                           {"ICD Category", item.icd_category},
                           {"is_longitudinal", item.is_longitudinal},
                           {"timepoint_count", item.timepoints},
                           {"interval_text", item.interval},
                           {"image_count", static_cast<std::int64_t>(item.images.size())}});
  for (std::size_t i = 0; i < item.images.size(); ++i) {
    for (std::size_t field = 0; field < slot_fields.size(); ++field) {
      out.set(slot_name(static_cast<int>(i) + 1) + "_" + slot_fields[field],
              slot_text(item.images[i], field));
    }
  }
  return out;
}

struct ReleaseWriter::Files {
  Path parquet_path;
  ReleaseOptions options;
  std::unique_ptr<FileSink> lines;
  std::shared_ptr<arrow::Schema> schema;
  std::vector<std::unique_ptr<arrow::ArrayBuilder>> builders;
  std::unique_ptr<parquet::arrow::FileWriter> writer;
  std::int64_t rows = 0;
  std::int64_t bytes = 0;

  arrow::Status open() {
    schema = schema_of(options);
    ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::FileOutputStream::Open(parquet_path.string()));
    const auto properties =
        parquet::WriterProperties::Builder().compression(parquet::Compression::ZSTD)->build();
    const auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
    ARROW_ASSIGN_OR_RAISE(writer, parquet::arrow::FileWriter::Open(*schema, arrow::default_memory_pool(),
                                                                   file, properties, arrow_properties));
    return make_builders();
  }

  arrow::Status make_builders() {
    builders.clear();
    for (const auto& field : schema->fields()) {
      std::unique_ptr<arrow::ArrayBuilder> builder;
      ARROW_RETURN_NOT_OK(arrow::MakeBuilder(arrow::default_memory_pool(), field->type(), &builder));
      builders.push_back(std::move(builder));
    }
    rows = bytes = 0;
    return arrow::Status::OK();
  }

  arrow::Status append(const Json& row, const DiagnosisCase& item, const std::vector<Bytes>& pictures) {
    std::size_t slot = 0;
    for (std::size_t i = 0; i < builders.size(); ++i) {
      const arrow::Field& field = *schema->field(static_cast<int>(i));
      if (is_picture(*field.type())) {
        const CaseImage* image = slot < item.images.size() ? &item.images[slot] : nullptr;
        ARROW_RETURN_NOT_OK(append_image(*builders[i], image, image == nullptr ? Bytes() : pictures[slot]));
        ++slot;
      } else {
        ARROW_RETURN_NOT_OK(append_value(*builders[i], field, row));
      }
    }
    ++rows;
    for (const Bytes& picture : pictures) bytes += static_cast<std::int64_t>(picture.size());
    return rows >= rows_a_group || bytes >= bytes_a_group ? flush() : arrow::Status::OK();
  }

  arrow::Status flush() {
    if (rows == 0) return arrow::Status::OK();
    arrow::ArrayVector arrays;
    for (const auto& builder : builders) {
      ARROW_ASSIGN_OR_RAISE(auto array, builder->Finish());
      arrays.push_back(std::move(array));
    }
    ARROW_RETURN_NOT_OK(writer->WriteTable(*arrow::Table::Make(schema, arrays), rows));
    return make_builders();
  }
};

ReleaseWriter::ReleaseWriter(std::unique_ptr<Files> files) : files_(std::move(files)) {}
ReleaseWriter::ReleaseWriter(ReleaseWriter&&) noexcept = default;
ReleaseWriter::~ReleaseWriter() = default;

Result<ReleaseWriter> ReleaseWriter::create(const Path& folder, const std::string& split,
                                            ReleaseOptions options) {
  auto files = std::make_unique<Files>();
  files->options = std::move(options);
  files->parquet_path = folder / (split + ".parquet");
  FIDUCIAL_TRY(files->lines, FileSink::create(folder / (split + ".jsonl")));
  const arrow::Status status = files->open();
  if (!status.ok()) return file_error(files->parquet_path, status);
  return ReleaseWriter(std::move(files));
}

Outcome ReleaseWriter::add(const DiagnosisCase& item, const PictureBytes& picture_bytes) {
  if (item.images.size() > static_cast<std::size_t>(max_images)) {
    return invalid_data(item.title + ": expected at most 49 images, found " + decimal(item.images.size()));
  }
  const Json row = files_->options.hides_labels ? view_row(item) : released_row(item);
  FIDUCIAL_TRY_DONE(files_->lines->write(as_bytes(row.compact() + "\n")));
  std::vector<Bytes> pictures;
  for (std::size_t i = 0; files_->options.embeds_images && i < item.images.size(); ++i) {
    FIDUCIAL_TRY(Bytes bytes, picture_bytes(item.images[i]));
    pictures.push_back(std::move(bytes));
  }
  const arrow::Status status = files_->append(row, item, pictures);
  if (!status.ok()) return file_error(files_->parquet_path, status);
  return done();
}

Outcome ReleaseWriter::finish() {
  arrow::Status status = files_->flush();
  if (status.ok()) status = files_->writer->Close();
  if (!status.ok()) return file_error(files_->parquet_path, status);
  return files_->lines->publish();
}

}  // namespace fiducial::medthinkvqa
