#include "errors.h"

#include <nanobind/stl/string.h>

#include "fiducial/base/suggestion.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

nb::object optional_number(const std::optional<std::uint64_t>& number) {
  return number ? nb::object(nb::int_(*number)) : nb::object(nb::none());
}

nb::object exception_of(const Error& error) {
  nb::list contexts;
  for (const std::string& context : error.contexts()) contexts.append(text(context));
  const Place& place = error.place();
  return nb::module_::import_("fiducial.errors")
      .attr("_error")(text(to_string(error.code())), text(to_string(error.reason())), text(error.message()),
                      nb::make_tuple(text(place.path), optional_number(place.byte),
                                     optional_number(place.line), text(place.pointer)),
                      contexts, text(error.text() + path_advice(error)));
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const RaisedError& raised) {
    try {
      const nb::object exception = exception_of(raised.error());
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
    } catch (nb::python_error& failed) {
      failed.restore();
    }
  }
}

}  // namespace

nb::str text(std::string_view bytes) {
  PyObject* const decoded =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape");
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(decoded);
}

void define_errors(nb::module_& module) {
  nb::register_exception_translator(translate);
  module.def(
      "exit_status",
      [](const std::string& code) {
        for (int i = 0; i <= static_cast<int>(ErrorCode::interrupted); ++i) {
          if (to_string(static_cast<ErrorCode>(i)) == code) return exit_status(static_cast<ErrorCode>(i));
        }
        throw nb::key_error(code.c_str());
      },
      nb::arg("code"), "The exit status of the command for an error code.");
}

}  // namespace fiducial::python
