#include <algorithm>
#include <optional>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/version.h"
#include "fiducial/export/hf/hub_page.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

using Kind = Feature::Kind;

// The names of Croissant 1.0, as its readers expect them.
Json croissant_context() {
  Json out = Json::object({{"@language", "en"}, {"@vocab", "https://schema.org/"}});
  for (const char* name : {"citeAs",       "column",        "equivalentProperty",
                           "extract",      "field",         "fileProperty",
                           "fileObject",   "fileSet",       "format",
                           "includes",     "isLiveDataset", "jsonPath",
                           "key",          "md5",           "parentField",
                           "path",         "recordSet",     "references",
                           "regex",        "repeated",      "replace",
                           "samplingRate", "separator",     "source",
                           "subField",     "transform"})
    out.set(name, "cr:" + std::string(name));
  out.set("cr", "http://mlcommons.org/croissant/").set("rai", "http://mlcommons.org/croissant/RAI/");
  out.set("dct", "http://purl.org/dc/terms/").set("sc", "https://schema.org/");
  out.set("conformsTo", "dct:conformsTo");
  for (const char* name : {"data", "examples"})
    out.set(name, Json::object({{"@id", "cr:" + std::string(name)}, {"@type", "@json"}}));
  return out.set("dataType", Json::object({{"@id", "cr:dataType"}, {"@type", "@vocab"}}));
}

const char* data_type(Kind kind) {
  switch (kind) {
    case Kind::integer:
      return "sc:Integer";
    case Kind::number:
      return "sc:Float";
    case Kind::flag:
      return "sc:Boolean";
    default:
      return "sc:Text";
  }
}

// Names of fields with blanks are ids that readers refuse; no two of a set become one.
std::string id_in(const Json& fields, const std::string& set, const std::string& name) {
  std::string out = set + "/" + name;
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(set.size()) + 1, out.end(),
      [](unsigned char c) { return c <= ' ' || c == '/' || c == '"' || c == '<' || c == '>' || c == '%'; },
      '_');
  const auto is_known = [&fields](const std::string& id) {
    return std::any_of(fields.as_array()->begin(), fields.as_array()->end(),
                       [&id](const Json& field) { return text_at(field, "@id") == id; });
  };
  while (is_known(out)) out += "_";
  return out;
}

// A field whose value lies in a column, or in a part of its structs.
Json field_of(const std::string& id, const std::string& set, const std::string& column,
              const std::string& part, const char* type) {
  Json source = Json::object(
      {{"fileSet", Json::object({{"@id", set}})}, {"extract", Json::object({{"column", column}})}});
  if (!part.empty()) source.set("transform", Json::object({{"jsonPath", part}}));
  return Json::object({{"@type", "cr:Field"},
                       {"@id", id},
                       {"name", id.substr(id.find_last_of('/') + 1)},
                       {"dataType", type},
                       {"source", std::move(source)}});
}

// Of a NIfTI file its name: no type of Croissant stands for the volume.
void add_fields(const Feature& feature, const std::string& set, Json& fields) {
  const std::string id = id_in(fields, set, feature.name);
  switch (feature.kind) {
    case Kind::file: {
      const bool is_image = feature.file_type == "Image";
      Json field = field_of(id, set, feature.name, is_image ? "bytes" : "path",
                            is_image ? "sc:ImageObject" : "sc:Text");
      if (!is_image) field.set("description", "Name of the NIfTI file whose bytes the column holds");
      fields.push(std::move(field));
      return;
    }
    case Kind::object:
      for (const Feature& part : feature.parts)
        fields.push(field_of(id + "." + part.name, set, feature.name, part.name, data_type(part.kind)));
      return;
    case Kind::list:
      fields.push(
          field_of(id, set, feature.name, "", data_type(feature.parts.front().kind)).set("repeated", true));
      return;
    default:
      fields.push(field_of(id, set, feature.name, "", data_type(feature.kind)));
  }
}

Json file_object(const HubFile& file) {
  return Json::object({{"@type", "cr:FileObject"},
                       {"@id", file.name},
                       {"name", file.name},
                       {"contentUrl", file.name},
                       {"contentSize", decimal(file.bytes) + " B"},
                       {"encodingFormat", "application/x-parquet"},
                       {"sha256", file.sha256}});
}

Json file_set(const HubSplit& split, const std::string& id) {
  return Json::object({{"@type", "cr:FileSet"},
                       {"@id", id},
                       {"name", id},
                       {"encodingFormat", "application/x-parquet"},
                       {"includes", hub_pattern(split)}});
}

// A field of the card, where the data or somebody said something.
std::optional<std::string> said(const Json& card, const char* section, const char* field) {
  const Json* found = card.find(section);
  const Json* value = found == nullptr ? nullptr : found->find(field);
  if (value == nullptr) return std::nullopt;
  std::string out = value->as_string() != nullptr ? *value->as_string() : joined(strings_of(*value), "; ");
  if (out.empty() || out == "N/A") return std::nullopt;
  return out;
}

struct ResponsibleField {
  const char* name;
  const char* section;
  const char* field;
};
constexpr ResponsibleField responsible_fields[] = {
    {"rai:dataCollection", "data", "source"},
    {"rai:dataAnnotationProtocol", "data", "annotation"},
    {"rai:dataLimitations", "purpose_and_intended_users", "limitations"},
    {"rai:dataBiases", "targeted_risks", "demographic_analysis"},
    {"rai:dataSocialImpact", "targeted_risks", "harm"},
    {"rai:personalSensitiveInformation", "ethical_and_legal_considerations", "privacy_and_anonymity"}};

// What the card does not say is said to be unknown, never left to be guessed.
void add_responsible_fields(const Json& card, const Json& terms, Json& out) {
  for (const ResponsibleField& field : responsible_fields) {
    out.set(field.name, said(card, field.section, field.field)
                            .value_or("Not said: the card has no " + std::string(field.field) + "."));
  }
  const auto goal = said(card, "purpose_and_intended_users", "goal");
  out.set("rai:dataUseCases",
          (goal ? *goal + " " : std::string()) + "Allowed use: " + text_at(terms, "allowed_use") + ".");
}

std::string licence_link(const std::string& licence) {
  const std::string id = ascii_lower(licence);
  const std::size_t version = id.find_last_of('-');
  if (id == "cc0-1.0") return "https://creativecommons.org/publicdomain/zero/1.0/";
  if (!id.starts_with("cc-by") || version < 5) return licence;
  return "https://creativecommons.org/licenses/" + id.substr(3, version - 3) + "/" + id.substr(version + 1) +
         "/";
}

}  // namespace

Json croissant(const HubPage& page, const std::vector<HubFile>& files) {
  Json distribution = Json::Array{};
  for (const HubFile& file : files) distribution.push(file_object(file));
  Json records = Json::Array{};
  for (const HubConfig& config : page.content.configs) {
    for (const HubSplit& split : config.splits) {
      const std::string id = config.name + "/" + split.name;
      distribution.push(file_set(split, id));
      Json fields = Json::Array{};
      for (const Feature& feature : config.features) add_fields(feature, id, fields);
      records.push(Json::object(
          {{"@type", "cr:RecordSet"}, {"@id", id + "/rows"}, {"name", id}, {"field", std::move(fields)}}));
    }
  }
  Json out = Json::object(
      {{"@context", croissant_context()},
       {"@type", "sc:Dataset"},
       {"conformsTo",
        Json::array({"http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"})},
       {"name", said(page.card, "benchmark_details", "name").value_or("dataset")},
       {"description", said(page.card, "benchmark_details", "overview").value_or("Exported by fiducial.")},
       {"license", licence_link(text_at(page.terms, "licence"))},
       {"creator", Json::object({{"@type", "sc:Organization"}, {"name", text_at(page.terms, "source")}})},
       {"keywords", Json::array({"radiology", "medical"})},
       {"isLiveDataset", false},
       {"distribution", std::move(distribution)},
       {"recordSet", std::move(records)}});
  add_responsible_fields(page.card, page.terms, out);
  return out;
}

}  // namespace fiducial
