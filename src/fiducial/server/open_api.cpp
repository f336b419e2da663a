#include "fiducial/server/open_api.h"

#include <string>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/version.h"
#include "fiducial/server/api_parameters.h"
#include "fiducial/server/routes.h"

namespace fiducial {

std::string_view embedded_api_schemas();

namespace {

Json parameter_json(std::string_view name, std::string_view place, bool repeats) {
  const ApiParameter* parameter = find_api_parameter(name);
  FIDUCIAL_ASSERT(parameter != nullptr);
  Json schema = Json::object({{"type", parameter->type}});
  const Json more = parse_json("{" + std::string(parameter->limit) + "}").value();
  for (const auto& [key, value] : *more.as_object()) schema.set(key, value);
  if (repeats) schema = Json::object({{"type", "array"}, {"items", schema}});
  Json out = Json::object({{"name", name},
                           {"in", place},
                           {"required", place == "path"},
                           {"description", parameter->description},
                           {"schema", std::move(schema)}});
  return out;
}

Json parameters_of(const ApiRoute& route) {
  Json out{Json::Array{}};
  std::string_view pattern = route.pattern;
  while (pattern.find('{') != std::string_view::npos) {
    pattern.remove_prefix(pattern.find('{') + 1);
    out.push(parameter_json(pattern.substr(0, pattern.find('}')), "path", false));
  }
  std::string_view query = route.query;
  while (!(query = trimmed(query)).empty()) {
    std::string_view name = query.substr(0, query.find(' '));
    query.remove_prefix(name.size());
    const bool repeats = name.ends_with('*');
    if (repeats) name.remove_suffix(1);
    out.push(parameter_json(name, "query", repeats));
  }
  return out;
}

Json content_of(const Json& schemas, std::string_view name) {
  const Json* schema = schemas.find(name);
  FIDUCIAL_ASSERT(schema != nullptr);
  const Json reference = Json::object({{"$ref", "#/components/schemas/" + std::string(name)}});
  Json out{Json::Object{}};
  const std::vector<std::string> types = strings_at(*schema, "x-media-types");
  if (types.empty()) return out.set("application/json", Json::object({{"schema", reference}}));
  for (const std::string& type : types)
    out.set(type, Json::object({{"schema", type == "application/json" ? reference : Json(Json::Object{})}}));
  return out;
}

Json problem_response(std::string_view description) {
  return Json::object(
      {{"description", description},
       {"content",
        Json::object(
            {{"application/problem+json",
              Json::object({{"schema", Json::object({{"$ref", "#/components/schemas/Problem"}})}})}})}});
}

Json operation_json(const ApiRoute& route, const Json& schemas) {
  return Json::object(
      {{"operationId", route.name},
       {"summary", route.title},
       {"parameters", parameters_of(route)},
       {"responses", Json::object({{"200", Json::object({{"description", route.title},
                                                         {"content", content_of(schemas, route.schema)}})},
                                   {"304", Json::object({{"description", "The client has it"}})},
                                   {"default", problem_response("Why there is no answer")}})}});
}

}  // namespace

Json open_api_document() {
  const Json schemas = parse_json(embedded_api_schemas()).value();
  Json paths{Json::Object{}};
  for (const ApiRoute& route : all_api_routes()) {
    paths.set(std::string(route.pattern), Json::object({{"get", operation_json(route, schemas)}}));
  }
  return Json::object({{"openapi", "3.1.0"},
                       {"info", Json::object({{"title", "Fiducial"}, {"version", tool_version}})},
                       {"paths", std::move(paths)},
                       {"components", Json::object({{"schemas", schemas}})}});
}

}  // namespace fiducial
