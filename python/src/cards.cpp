#include "cards.h"

#include <optional>
#include <string>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "fiducial/cards/card_markdown.h"
#include "fiducial/cards/make_card.h"

#include "errors.h"
#include "json_value.h"
#include "long_call.h"

namespace fiducial::python {

namespace nb = nanobind;

void define_cards(nb::module_& module) {
  module.def(
      "render_card",
      [](const std::string& json) { return unwrapped(render_card(unwrapped(parse_json(json)))); },
      nb::arg("json"));
  module.def(
      "parse_card", [](const std::string& markdown) { return to_python(unwrapped(parse_card(markdown))); },
      nb::arg("markdown"));
  nb::class_<CardRequest>(module, "CardRequest", "What a card is made of.")
      .def(nb::init<>())
      .def_rw("dataset", &CardRequest::dataset)
      .def_rw("volumes", &CardRequest::volumes, nb::arg().none())
      .def_rw("metadata", &CardRequest::metadata, nb::arg().none())
      .def_rw("config", &CardRequest::config, nb::arg().none())
      .def_rw("check", &CardRequest::check);
  module.def(
      "make_card",
      [](const CardRequest& request, const nb::object& progress) {
        return to_python(
            long_call(progress, [request](Progress& told) { return make_card(request, Executor(0), told); }));
      },
      nb::arg("request"), nb::arg("progress").none());
}

}  // namespace fiducial::python
