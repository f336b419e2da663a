#include "cases.h"

#include <memory>
#include <string>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/diagnostic_statistics.h"
#include "fiducial/datasets/radgenome/statistics.h"
#include "fiducial/datasets/rexgroundingct/statistics.h"

#include "errors.h"
#include "json_value.h"
#include "long_call.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

// A folder of cases with a question each. Work that outlives a call holds the dataset itself.
struct OpenCases {
  std::shared_ptr<const DiagnosticDataset> dataset;
  std::string benchmark;
};

OpenCases open_cases(const Path& folder) {
  return long_call(nb::none(), [folder](Progress&) -> Result<OpenCases> {
    FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(folder));
    if (adapter->open_questions == nullptr) return bad_usage(adapter->id + " has no questions");
    FIDUCIAL_TRY(std::unique_ptr<DiagnosticDataset> dataset, adapter->open_questions(folder));
    return OpenCases{std::move(dataset), adapter->id};
  });
}

Json case_json(const DiagnosticCase& entry) {
  Json options = Json::object({});
  for (std::size_t i = 0; i < entry.options.size(); ++i) {
    options.set(std::string(1, DiagnosticCase::letters[i]), entry.options[i]);
  }
  Json images{Json::Array{}};
  for (const CaseImage& image : entry.images) {
    images.push(Json::object({{"id", image.id},
                              {"path", image.path},
                              {"caption", image.caption},
                              {"modality", image.modality},
                              {"sub_modality", image.sub_modality}}));
  }
  return Json::object({{"number", entry.number},
                       {"title", entry.title},
                       {"history", entry.history},
                       {"imaging_findings", entry.findings},
                       {"discussion", entry.discussion},
                       {"options", std::move(options)},
                       {"key", std::string(1, entry.key)},
                       {"icd_chapter", entry.icd_chapter},
                       {"icd_block", entry.icd_block},
                       {"icd_category", entry.icd_category},
                       {"is_longitudinal", entry.is_longitudinal},
                       {"timepoints", entry.timepoints},
                       {"interval", entry.interval},
                       {"images", std::move(images)}});
}

nb::any read_cases(const OpenCases& open, const std::string& split) {
  return to_python(long_call(nb::none(), [dataset = open.dataset, split](Progress&) -> Result<Json> {
    FIDUCIAL_TRY(const DiagnosticSplit read, dataset->read_split(split));
    Json out{Json::Array{}};
    for (const DiagnosticCase& entry : read.cases) out.push(case_json(entry));
    return out;
  }));
}

nb::any stats(const Path& folder) {
  return to_python(long_call(nb::none(), [folder](Progress&) -> Result<Json> {
    FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(folder));
    if (adapter->open_questions != nullptr) {
      FIDUCIAL_TRY(const std::unique_ptr<DiagnosticDataset> dataset, adapter->open_questions(folder));
      FIDUCIAL_TRY(const DatasetDescription description, describe(adapter->id, *dataset));
      return description.json();
    }
    if (adapter->open_tables != nullptr) {
      FIDUCIAL_TRY(const radgenome::TableFolder tables, radgenome::TableFolder::open(folder));
      FIDUCIAL_TRY(const auto counted, radgenome::table_statistics(tables));
      return radgenome::statistics_json(counted);
    }
    FIDUCIAL_TRY(const rexgroundingct::Dataset dataset, rexgroundingct::Dataset::open(folder));
    const auto statistics = rexgroundingct::statistics_of(dataset.content().splits);
    return statistics_json(statistics, dataset, "dataset");
  }));
}

bool has_cases(const Path& folder) {
  return long_call(nb::none(), [folder](Progress&) -> Result<bool> {
    FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(folder));
    return adapter->open_questions != nullptr;
  });
}

}  // namespace

void define_cases(nb::module_& module) {
  nb::class_<OpenCases>(module, "OpenCases", "A folder of cases with a question each, opened.")
      .def_ro("benchmark", &OpenCases::benchmark)
      .def_prop_ro("split_names", [](const OpenCases& open) { return open.dataset->split_names(); })
      .def("read", read_cases, nb::arg("split"));
  module.def("open_cases", open_cases, nb::arg("folder"));
  module.def("has_cases", has_cases, nb::arg("folder"));
  module.def("stats", stats, nb::arg("folder"));
}

}  // namespace fiducial::python
