#include "cases.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/datasets/describe_dataset.h"

#include "errors.h"
#include "json_value.h"
#include "long_call.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

// A folder of cases with a question each. Work that outlives a call holds the dataset itself.
struct OpenCases {
  std::shared_ptr<const DiagnosisDataset> dataset;
  std::string benchmark;
};

OpenCases open_cases(const Path& folder) {
  return long_call(nb::none(), [folder](Progress&) -> Result<OpenCases> {
    FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(folder));
    if (adapter->open_questions == nullptr) return bad_usage(adapter->id + " has no questions");
    FIDUCIAL_TRY(std::unique_ptr<DiagnosisDataset> dataset, adapter->open_questions(folder));
    return OpenCases{std::move(dataset), adapter->id};
  });
}

Json case_json(const DiagnosisCase& entry) {
  Json options = Json::object({});
  for (std::size_t i = 0; i < entry.options.size(); ++i) {
    options.set(std::string(1, DiagnosisCase::letters[i]), entry.options[i]);
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
                       {"key", entry.has_key() ? Json(std::string(1, entry.key)) : Json()},
                       {"icd_chapter", entry.icd_chapter},
                       {"icd_block", entry.icd_block},
                       {"icd_category", entry.icd_category},
                       {"is_longitudinal", entry.has_key() ? Json(entry.is_longitudinal) : Json()},
                       {"timepoints", entry.has_key() ? Json(entry.timepoints) : Json()},
                       {"interval", entry.interval},
                       {"images", std::move(images)}});
}

nb::any read_cases(const OpenCases& open, const std::string& split) {
  return to_python(long_call(nb::none(), [dataset = open.dataset, split](Progress&) -> Result<Json> {
    FIDUCIAL_TRY(const DiagnosisSplit read, dataset->read_split(split));
    Json out{Json::Array{}};
    for (const DiagnosisCase& entry : read.cases) out.push(case_json(entry));
    return out;
  }));
}

nb::bytes read_picture(const OpenCases& open, const std::string& split, const std::string& path) {
  const std::string bytes =
      long_call(nb::none(), [dataset = open.dataset, split, path](Progress&) -> Result<std::string> {
        return dataset->read_picture(split, path);
      });
  return nb::bytes(bytes.data(), bytes.size());
}

nb::any stats(const Path& folder, bool masks, const std::optional<Path>& volumes) {
  return to_python(long_call(nb::none(), [folder, masks, volumes](Progress& progress) -> Result<Json> {
    FIDUCIAL_TRY(
        DatasetDescription description,
        describe_dataset({.dataset = folder, .masks = masks, .volumes = volumes}, Executor(0), progress));
    return std::move(description.json);
  }));
}

// What can be read of a folder, and by which tasks it can be scored.
nb::any dataset_face(const Path& folder) {
  return to_python(long_call(nb::none(), [folder](Progress&) -> Result<Json> {
    FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(folder));
    Json tasks = Json::Array{};
    for (const std::string& task : adapter->tasks) tasks.push(task);
    Json reads = Json::Array{};
    if (adapter->open_grounded != nullptr) reads.push("masks");
    if (adapter->open_questions != nullptr) reads.push("questions");
    if (adapter->open_tables != nullptr) reads.push("tables");
    return Json::object({{"benchmark", adapter->id},
                         {"title", adapter->title},
                         {"tasks", std::move(tasks)},
                         {"reads", std::move(reads)}});
  }));
}

}  // namespace

void define_cases(nb::module_& module) {
  nb::class_<OpenCases>(module, "OpenCases", "A folder of cases with a question each, opened.")
      .def_ro("benchmark", &OpenCases::benchmark)
      .def_prop_ro("split_names", [](const OpenCases& open) { return open.dataset->split_names(); })
      .def("read", read_cases, nb::arg("split"))
      .def("read_picture", read_picture, nb::arg("split"), nb::arg("path"));
  module.def("open_cases", open_cases, nb::arg("folder"));
  module.def("dataset_face", dataset_face, nb::arg("folder"));
  module.def("stats", stats, nb::arg("folder"), nb::arg("masks") = false, nb::arg("volumes") = nb::none());
}

}  // namespace fiducial::python
