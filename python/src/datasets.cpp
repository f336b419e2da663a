#include "datasets.h"

#include <optional>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/masks/mask_file.h"

#include "errors.h"
#include "long_call.h"
#include "masks.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

OpenDataset open_dataset(const Path& folder) {
  return long_call(nb::none(), [folder](Progress&) -> Result<OpenDataset> {
    FIDUCIAL_TRY(OpenedGroundedDataset opened, open_grounded_dataset(folder));
    return OpenDataset{std::move(opened.dataset), opened.adapter->id};
  });
}

const std::vector<GroundedCase>& cases_of(const OpenDataset& open, const std::string& split) {
  const auto* cases = open.dataset->find_split(split);
  if (cases == nullptr) throw RaisedError(choose_split(*open.dataset, split).error());
  return *cases;
}

// Every channel of a case's mask. Masks without a place of their own lie on the grid of their volume.
Result<std::vector<LabelMask>> read_masks(const GroundedDataset& dataset, const GroundedCase& entry,
                                          const std::optional<Path>& volume) {
  FIDUCIAL_TRY(StoredFile stored, dataset.open_mask(entry));
  const std::string path = (dataset.folder() / dataset.mask_name(entry)).string();
  FIDUCIAL_TRY(MaskFile mask, read_mask_file(std::move(stored), std::nullopt).mask.in_file(path));
  std::optional<Affine> place;
  if (mask.claims_place) place = mask.affine;
  if (!place && volume) {
    FIDUCIAL_TRY(const NiftiStream stream, NiftiStream::open(*volume));
    if (stream.header().rank() == 3 && stream.header().extent() == mask.shape.extent) {
      place = stream.header().affine;
    }
  }
  std::vector<LabelMask> out;
  for (LabelMap& channel : mask.channels) {
    out.push_back({place ? channel.on_grid(*place) : std::move(channel), place.has_value()});
  }
  return out;
}

// One channel of a prediction, as a mask.
Result<LabelMask> read_prediction(const Path& predictions, const std::string& name, std::size_t channel) {
  FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(predictions));
  if (!files.has(name)) return bad_usage("no prediction " + name);
  FIDUCIAL_TRY(StoredFile stored, files.open_file(name));
  FIDUCIAL_TRY(MaskFile mask, read_mask_file(std::move(stored), std::nullopt).mask.in_file(name));
  if (channel >= mask.channels.size()) return bad_usage("no finding " + decimal(channel) + " in " + name);
  return LabelMask{std::move(mask.channels[channel]), false};
}

void define_entries(nb::module_& module) {
  nb::class_<Finding>(module, "FindingEntry", "A finding as the dataset file lists it.")
      .def_ro("index", &Finding::index)
      .def_ro("text", &Finding::text)
      .def_ro("category", &Finding::category)
      .def_ro("category_title", &Finding::category_title)
      .def_prop_ro("focality",
                   [](const Finding& finding) -> std::optional<std::string> {
                     if (!finding.focality) return std::nullopt;
                     return *finding.focality == Focality::focal ? "focal" : "non_focal";
                   })
      .def_ro("entities", &Finding::entities)
      .def_ro("voxels", &Finding::voxels);
  nb::class_<GroundedCase>(module, "CaseEntry", "A case as the dataset file lists it.")
      .def_ro("name", &GroundedCase::name)
      .def_ro("patient", &GroundedCase::patient)
      .def_ro("protocol", &GroundedCase::protocol)
      .def_ro("lists_findings", &GroundedCase::lists_findings)
      .def_prop_ro("shape",
                   [](const GroundedCase& entry) -> std::optional<nb::tuple> {
                     if (!entry.extent) return std::nullopt;
                     return nb::make_tuple(entry.extent->x, entry.extent->y, entry.extent->z);
                   })
      .def("__len__", [](const GroundedCase& entry) { return entry.findings.size(); })
      .def(
          "__getitem__",
          [](const GroundedCase& entry, std::size_t index) -> const Finding& {
            if (index >= entry.findings.size()) throw nb::index_error();
            return entry.findings[index];
          },
          nb::rv_policy::reference_internal, nb::arg("index"));
}

}  // namespace

void define_datasets(nb::module_& module) {
  define_entries(module);
  nb::class_<OpenDataset>(module, "OpenDataset", "A folder of cases, opened.")
      .def_ro("benchmark", &OpenDataset::benchmark)
      .def_prop_ro("file_name", [](const OpenDataset& open) { return text(open.dataset->file_name()); })
      .def_prop_ro("split_names", [](const OpenDataset& open) { return open.dataset->split_names(); })
      .def(
          "count",
          [](const OpenDataset& open, const std::string& split) { return cases_of(open, split).size(); },
          nb::arg("split"))
      .def(
          "entry",
          [](const OpenDataset& open, const std::string& split, std::size_t index) -> const GroundedCase& {
            return cases_of(open, split).at(index);
          },
          nb::rv_policy::reference_internal, nb::arg("split"), nb::arg("index"))
      .def(
          "mask_path",
          [](const OpenDataset& open, const GroundedCase& entry) {
            return open.dataset->folder() / open.dataset->mask_name(entry);
          },
          nb::arg("entry"))
      .def(
          "volume_path",
          [](const OpenDataset& open, const Path& volumes, const GroundedCase& entry) {
            return open.dataset->find_volume(volumes, entry);
          },
          nb::arg("volumes"), nb::arg("entry"))
      .def(
          "read_masks",
          [](const OpenDataset& open, const GroundedCase& entry, const std::optional<Path>& volume) {
            return long_call(nb::none(), [dataset = open.dataset, entry, volume](Progress&) {
              return read_masks(*dataset, entry, volume);
            });
          },
          nb::arg("entry"), nb::arg("volume").none());
  module.def(
      "read_prediction",
      [](const Path& predictions, const std::string& name, std::size_t channel) {
        return long_call(nb::none(), [predictions, name, channel](Progress&) {
          return read_prediction(predictions, name, channel);
        });
      },
      nb::arg("predictions"), nb::arg("name"), nb::arg("channel"));
  module.def("open_dataset", open_dataset, nb::arg("folder"));
}

}  // namespace fiducial::python
