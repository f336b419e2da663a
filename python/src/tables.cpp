#include "tables.h"

#include <string>
#include <variant>

#include <arrow/c/abi.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/eval/folder/score_rows.h"
#include "fiducial/table/arrow_table.h"

#include "errors.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

void release_stream(PyObject* capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

// A capsule by the Arrow PyCapsule protocol: whoever imports it clears release, and then nothing is left
// here.
nb::object stream_capsule(const SharedTable& shared) {
  auto stream = std::make_unique<ArrowArrayStream>();
  unwrap(export_stream(*shared.table, stream.get()));
  PyObject* const capsule = PyCapsule_New(stream.get(), "arrow_array_stream", release_stream);
  if (capsule == nullptr) {
    stream->release(stream.get());
    throw nb::python_error();
  }
  static_cast<void>(stream.release());
  return nb::steal(capsule);
}

nb::object python_value(const std::optional<std::string>& value) {
  return value ? nb::object(text(*value)) : nb::object(nb::none());
}
nb::object python_value(const std::optional<std::int64_t>& value) {
  return value ? nb::object(nb::int_(*value)) : nb::object(nb::none());
}
nb::object python_value(const std::optional<double>& value) {
  return value ? nb::object(nb::float_(*value)) : nb::object(nb::none());
}

nb::list column_values(const SharedTable& shared, const std::string& name) {
  const Column* column = shared.table->find(name);
  if (column == nullptr) throw nb::key_error(name.c_str());
  nb::list out;
  std::visit(
      [&out](const auto& values) {
        for (const auto& value : values) out.append(python_value(value));
      },
      column->values);
  return out;
}

SharedTable chosen(const SharedTable& shared, const RowQuery& query) {
  return {std::make_shared<const Table>(chosen_table(unwrapped(choose_rows(shared.table, query))))};
}

}  // namespace

void define_tables(nb::module_& module) {
  nb::class_<SharedTable>(module, "SharedTable", "Columns of equal length.")
      .def("__len__", [](const SharedTable& shared) { return shared.table->rows(); })
      .def_prop_ro("column_names",
                   [](const SharedTable& shared) {
                     nb::list out;
                     for (const Column& column : shared.table->columns) out.append(text(column.name));
                     return out;
                   })
      .def("column", column_values, nb::arg("name"))
      .def(
          "__arrow_c_stream__",
          [](const SharedTable& shared, const nb::object&) { return stream_capsule(shared); },
          nb::arg("requested_schema").none() = nb::none());
  nb::class_<RowQuery>(module, "RowQuery", "Which rows are wanted.")
      .def(nb::init<>())
      .def_rw("metric", &RowQuery::metric)
      .def_rw("scorer", &RowQuery::scorer)
      .def_rw("where", &RowQuery::where)
      .def_rw("worst", &RowQuery::worst, nb::arg().none());
  module.def("choose_rows", chosen, nb::arg("rows"), nb::arg("query"));
}

}  // namespace fiducial::python
