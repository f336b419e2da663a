#include "json_value.h"

#include "errors.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

nb::object converted(const Json& value) {
  if (const bool* flag = value.as_bool()) return nb::bool_(*flag);
  if (const std::int64_t* integer = value.as_integer()) return nb::int_(*integer);
  if (const std::string* string = value.as_string()) return text(*string);
  if (const Json::Array* array = value.as_array()) {
    nb::list out;
    for (const Json& item : *array) out.append(converted(item));
    return out;
  }
  if (const Json::Object* object = value.as_object()) {
    nb::dict out;
    for (const auto& [key, item] : *object) out[text(key)] = converted(item);
    return out;
  }
  if (const auto number = value.as_number()) return nb::float_(*number);
  return nb::none();
}

}  // namespace

nb::any to_python(const Json& value) { return nb::borrow<nb::any>(converted(value)); }

}  // namespace fiducial::python
