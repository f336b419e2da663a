#include "fiducial/table/feature_file.h"

#include <algorithm>
#include <system_error>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/arrow/writer.h>

#include "fiducial/base/number_text.h"
#include "fiducial/table/stored_file.h"

namespace fiducial {

namespace {

using Kind = Feature::Kind;

constexpr std::size_t largest_file = (std::size_t{1} << 31) - (std::size_t{1} << 20);  // of Arrow's binary

Json feature_json(const Feature& feature) {
  const auto value = [](const char* name) { return Json::object({{"dtype", name}, {"_type", "Value"}}); };
  switch (feature.kind) {
    case Kind::text:
      return value("string");
    case Kind::integer:
      return value("int64");
    case Kind::number:
      return value("float64");
    case Kind::flag:
      return value("bool");
    case Kind::list:
      return Json::object({{"feature", feature_json(feature.parts.front())}, {"_type", "List"}});
    case Kind::object:
      return features_json(feature.parts);
    case Kind::file:
      break;
  }
  return Json::object({{"_type", feature.file_type}});
}

arrow::Status wrong_kind(const Feature& feature, const Json& value) {
  return arrow::Status::Invalid("column ", feature.name,
                                ": a value of another kind: ", value.compact().substr(0, 60));
}

arrow::Status append_value(arrow::ArrayBuilder& builder, const Feature& feature, const Json* value);

arrow::Status append_parts(arrow::ArrayBuilder& builder, const Feature& feature, const Json& value) {
  if (feature.kind == Kind::list) {
    if (value.as_array() == nullptr) return wrong_kind(feature, value);
    auto& lists = static_cast<arrow::ListBuilder&>(builder);
    ARROW_RETURN_NOT_OK(lists.Append());
    for (const Json& item : *value.as_array())
      ARROW_RETURN_NOT_OK(append_value(*lists.value_builder(), feature.parts.front(), &item));
    return arrow::Status::OK();
  }
  if (value.as_object() == nullptr) return wrong_kind(feature, value);
  auto& structs = static_cast<arrow::StructBuilder&>(builder);
  ARROW_RETURN_NOT_OK(structs.Append());
  for (std::size_t i = 0; i < feature.parts.size(); ++i) {
    ARROW_RETURN_NOT_OK(append_value(*structs.field_builder(static_cast<int>(i)), feature.parts[i],
                                     value.find(feature.parts[i].name)));
  }
  return arrow::Status::OK();
}

arrow::Status append_value(arrow::ArrayBuilder& builder, const Feature& feature, const Json* value) {
  if (value == nullptr || value->is_null()) return builder.AppendNull();
  switch (feature.kind) {
    case Kind::text:
      if (value->as_string() == nullptr) return wrong_kind(feature, *value);
      return static_cast<arrow::StringBuilder&>(builder).Append(*value->as_string());
    case Kind::integer:
      if (!value->as_integer()) return wrong_kind(feature, *value);
      return static_cast<arrow::Int64Builder&>(builder).Append(*value->as_integer());
    case Kind::number:
      if (!value->as_number()) return wrong_kind(feature, *value);
      return static_cast<arrow::DoubleBuilder&>(builder).Append(*value->as_number());
    case Kind::flag:
      if (!value->as_bool()) return wrong_kind(feature, *value);
      return static_cast<arrow::BooleanBuilder&>(builder).Append(*value->as_bool());
    default:
      return append_parts(builder, feature, *value);
  }
}

arrow::Status append_file(arrow::ArrayBuilder& builder, const Feature& feature, const RowFile* file) {
  if (file == nullptr) return builder.AppendNull();
  if (file->bytes.size() > largest_file)
    return arrow::Status::Invalid("column ", feature.name, ": ", file->name, " has ", file->bytes.size(),
                                  " bytes; at most 2 GiB go into a row");
  auto& structs = static_cast<arrow::StructBuilder&>(builder);
  ARROW_RETURN_NOT_OK(structs.Append());
  auto& contents = static_cast<arrow::BinaryBuilder&>(*structs.field_builder(0));
  ARROW_RETURN_NOT_OK(contents.Append(reinterpret_cast<const std::uint8_t*>(file->bytes.data()),
                                      static_cast<std::int32_t>(file->bytes.size())));
  return static_cast<arrow::StringBuilder&>(*structs.field_builder(1)).Append(file->name);
}

std::string five_digits(std::size_t number) {
  const std::string text = decimal(number);
  return std::string(text.size() < 5 ? 5 - text.size() : 0, '0') + text;
}

}  // namespace

Json features_json(const std::vector<Feature>& features) {
  Json out = Json::Object{};
  for (const Feature& feature : features) out.set(feature.name, feature_json(feature));
  return out;
}

std::shared_ptr<arrow::DataType> arrow_type(const Feature& feature) {
  switch (feature.kind) {
    case Kind::text:
      return arrow::utf8();
    case Kind::integer:
      return arrow::int64();
    case Kind::number:
      return arrow::float64();
    case Kind::flag:
      return arrow::boolean();
    case Kind::list:
      return arrow::list(arrow_type(feature.parts.front()));
    case Kind::file:
      return arrow::struct_({arrow::field("bytes", arrow::binary()), arrow::field("path", arrow::utf8())});
    case Kind::object:
      break;
  }
  arrow::FieldVector fields;
  for (const Feature& part : feature.parts) fields.push_back(arrow::field(part.name, arrow_type(part)));
  return arrow::struct_(fields);
}

struct FeatureShards::State {
  Path folder;
  About about;
  std::shared_ptr<arrow::Schema> schema;
  std::vector<std::unique_ptr<arrow::ArrayBuilder>> builders;
  std::shared_ptr<arrow::io::FileOutputStream> file;
  std::unique_ptr<parquet::arrow::FileWriter> writer;
  std::size_t files = 0;
  std::int64_t rows = 0;   // of the group
  std::int64_t bytes = 0;  // likewise, of embedded files

  Path unnamed(std::size_t index) const { return folder / (about.split + "-" + five_digits(index)); }

  // Embedded files are compressed already, each is found without reading its neighbours, and no value of
  // theirs belongs into statistics.
  std::shared_ptr<parquet::WriterProperties> properties() const {
    parquet::WriterProperties::Builder out;
    out.compression(parquet::Compression::ZSTD);
    for (const Feature& feature : about.features) {
      if (feature.kind != Kind::file) continue;
      const std::string column = feature.name + ".bytes";
      out.compression(column, parquet::Compression::UNCOMPRESSED)->disable_dictionary(column);
      out.disable_statistics(column);
      out.write_batch_size(1);
    }
    return out.build();
  }

  arrow::Status open_file() {
    ARROW_ASSIGN_OR_RAISE(file, arrow::io::FileOutputStream::Open(unnamed(files++).string()));
    ARROW_ASSIGN_OR_RAISE(writer, parquet::arrow::FileWriter::Open(
                                      *schema, arrow::default_memory_pool(), file, properties(),
                                      parquet::ArrowWriterProperties::Builder().store_schema()->build()));
    return arrow::Status::OK();
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

  arrow::Status begin() {
    arrow::FieldVector fields;
    for (const Feature& feature : about.features)
      fields.push_back(arrow::field(feature.name, arrow_type(feature)));
    const Json info = Json::object({{"info", Json::object({{"features", features_json(about.features)}})}});
    auto metadata = arrow::key_value_metadata({"huggingface"}, {info.compact()});
    for (const auto& [key, value] : about.metadata) metadata->Append(key, value);
    schema = arrow::schema(fields, metadata);
    return make_builders();
  }

  arrow::Status append(const FeatureRow& row) {
    ARROW_RETURN_NOT_OK(go_on());
    for (std::size_t i = 0; i < builders.size(); ++i) {
      const Feature& feature = about.features[i];
      if (feature.kind != Kind::file) {
        ARROW_RETURN_NOT_OK(append_value(*builders[i], feature, row.values.find(feature.name)));
        continue;
      }
      const auto embedded = row.files.find(feature.name);
      const RowFile* content = embedded == row.files.end() ? nullptr : &embedded->second;
      ARROW_RETURN_NOT_OK(append_file(*builders[i], feature, content));
      if (content != nullptr) bytes += static_cast<std::int64_t>(content->bytes.size());
    }
    ++rows;
    const bool is_full = rows >= about.cut.rows_of_a_group || bytes >= about.cut.bytes_of_a_group;
    return is_full ? flush() : arrow::Status::OK();
  }

  arrow::Status flush() {
    if (rows > 0) {
      arrow::ArrayVector arrays;
      for (const auto& builder : builders) {
        ARROW_ASSIGN_OR_RAISE(auto array, builder->Finish());
        arrays.push_back(std::move(array));
      }
      ARROW_RETURN_NOT_OK(writer->WriteTable(*arrow::Table::Make(schema, arrays), rows));
      ARROW_RETURN_NOT_OK(make_builders());
    }
    return arrow::Status::OK();
  }

  // The next file, where this one is full: the last one is never empty because of that.
  arrow::Status go_on() {
    if (file == nullptr) return open_file();
    if (rows > 0) return arrow::Status::OK();
    ARROW_ASSIGN_OR_RAISE(const std::int64_t written, file->Tell());
    if (written < about.cut.bytes_of_a_file) return arrow::Status::OK();
    ARROW_RETURN_NOT_OK(close_file());
    return open_file();
  }

  arrow::Status close_file() {
    ARROW_RETURN_NOT_OK(writer->Close());
    return file->Close();
  }

  arrow::Status finish(const std::vector<std::pair<std::string, std::string>>& more_metadata) {
    if (file == nullptr) return arrow::Status::OK();
    ARROW_RETURN_NOT_OK(flush());
    auto metadata = arrow::key_value_metadata(std::vector<std::string>(), std::vector<std::string>());
    for (const auto& [key, value] : more_metadata) metadata->Append(key, value);
    if (!more_metadata.empty()) ARROW_RETURN_NOT_OK(writer->AddKeyValueMetadata(metadata));
    return close_file();
  }
};

FeatureShards::FeatureShards(std::unique_ptr<State> state) : state_(std::move(state)) {}
FeatureShards::FeatureShards(FeatureShards&&) noexcept = default;
FeatureShards::~FeatureShards() = default;

Result<FeatureShards> FeatureShards::create(const Path& folder, About about) {
  auto state = std::make_unique<State>();
  state->folder = folder;
  state->about = std::move(about);
  const arrow::Status status = state->begin();
  if (!status.ok()) return arrow_error(folder, status);
  return FeatureShards(std::move(state));
}

Outcome FeatureShards::add(const FeatureRow& row) {
  const arrow::Status status = state_->append(row);
  if (!status.ok()) return arrow_error(state_->folder, status);
  return done();
}

Result<std::vector<std::string>> FeatureShards::finish(
    const std::vector<std::pair<std::string, std::string>>& more_metadata) {
  const arrow::Status status = state_->finish(more_metadata);
  if (!status.ok()) return arrow_error(state_->folder, status);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < state_->files; ++i) {
    const Path unnamed = state_->unnamed(i);
    out.push_back(unnamed.filename().string() + "-of-" + five_digits(state_->files) + ".parquet");
    std::error_code failed;
    std::filesystem::rename(unnamed, state_->folder / out.back(), failed);
    if (failed) return Error(ErrorCode::io, failed.message(), Place{.path = unnamed.string()});
  }
  return out;
}

}  // namespace fiducial
