#include "fiducial/base/error_json.h"

#include <cstdint>
#include <string>
#include <utility>

#include "fiducial/base/printable.h"

namespace fiducial {

namespace {

Json place_json(const Place& place) {
  Json out = Json::Object{};
  if (!place.path.empty()) out.set("path", printable_lines(place.path));
  if (place.line) out.set("line", Json(*place.line));
  if (place.byte) out.set("byte", Json(*place.byte));
  if (!place.pointer.empty()) out.set("pointer", printable_lines(place.pointer));
  return out;
}

}  // namespace

Json error_json(const Error& error, std::string_view advice) {
  Json contexts = Json::Array{};
  for (const std::string& each : error.contexts()) contexts.push(printable_lines(each));
  return Json::object({{"schema", "fiducial.error/1"},
                       {"code", to_string(error.code())},
                       {"status", exit_status(error.code())},
                       {"reason", to_string(error.reason())},
                       {"message", printable_lines(error.message())},
                       {"place", place_json(error.place())},
                       {"contexts", std::move(contexts)},
                       {"text", printable_lines(error.text() + std::string(advice))}});
}

}  // namespace fiducial
