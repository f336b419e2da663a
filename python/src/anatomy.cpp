#include "anatomy.h"

#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/segment/chest_segmenter.h"

#include "errors.h"
#include "json_value.h"
#include "long_call.h"
#include "masks.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

nb::list structures() {
  nb::list out;
  const Anatomy& anatomy = Anatomy::chest_ct();
  for (const Structure& structure : anatomy.structures()) {
    nb::dict row;
    row["name"] = structure.name;
    row["published"] = structure.published;
    nb::list parts;
    for (const Structure::Part& part : structure.parts) parts.append(part.name);
    row["parts"] = parts;
    row["total_label"] = nb::none();
    row["total_name"] = nb::none();
    row["snomed_code"] = nb::none();
    row["snomed_meaning"] = nb::none();
    if (structure.total_class) {
      const TotalClass& total = anatomy.total_classes()[*structure.total_class];
      row["total_label"] = total.label;
      row["total_name"] = total.name;
      row["snomed_code"] = total.snomed_code;
      row["snomed_meaning"] = total.snomed_meaning;
    }
    out.append(row);
  }
  return out;
}

std::optional<std::string> find_structure(const std::string& name) {
  const Structure* found = Anatomy::chest_ct().find(name);
  if (found == nullptr) return std::nullopt;
  return found->name;
}

LabelMask label_mask(const Mask& mask, bool placed) {
  std::vector<LabelRun> runs;
  runs.reserve(mask.runs().size());
  for (const MaskRun& run : mask.runs()) runs.push_back({run.row, run.begin, run.end, 1});
  return {LabelMap(mask.grid(), std::move(runs)), placed};
}

// (name, status, source, detail, mask or None) of every structure asked for, or of all there are.
nb::list resolve_masks(const Path& masks, const std::string& volume, const std::vector<std::string>& names,
                       const std::optional<Path>& ct) {
  const CaseMasks found = long_call(nb::none(), [=](Progress&) -> Result<CaseMasks> {
    std::optional<Grid> grid;
    if (ct) {
      FIDUCIAL_TRY(const NiftiHeader header, read_volume_header(*ct));
      grid = header.grid();
    }
    FIDUCIAL_TRY(MaskLibrary library, MaskLibrary::open(masks));
    return library.read_case(volume, grid, names);
  });
  nb::list out;
  for (const std::string& name : names.empty() ? found.names() : names) {
    const StructureMask one = found.resolve(name);
    nb::object mask = nb::none();
    if (one.mask) mask = nb::cast(label_mask(*one.mask, found.places_known()));
    out.append(nb::make_tuple(one.name, std::string(to_string(one.status)), one.source, one.detail, mask));
  }
  return out;
}

nb::tuple segment_volume(const Path& ct) {
  ChestSegmentation found = long_call(nb::none(), [ct](Progress&) -> Result<ChestSegmentation> {
    FIDUCIAL_TRY(NiftiStream stream, open_volume(ct));
    FIDUCIAL_TRY(NiftiImage image, read_nifti(std::move(stream)).in_file(ct.string()));
    return segment_chest(std::move(image)).in_file(ct.string());
  });
  const Json how = found.json();
  return nb::make_tuple(nb::cast(LabelMask{std::move(found.labels), true}), to_python(how));
}

}  // namespace

void define_anatomy(nb::module_& module) {
  module.def("anatomy_structures", &structures);
  module.def("anatomy_paths", [] { return Anatomy::chest_ct().paths(); });
  module.def("anatomy_find", &find_structure, nb::arg("name"));
  module.def(
      "anatomy_path_status",
      [](const std::string& path) { return std::string(to_string(Anatomy::chest_ct().status_of(path))); },
      nb::arg("path"));
  module.def("resolve_masks", &resolve_masks, nb::arg("masks"), nb::arg("volume"), nb::arg("names"),
             nb::arg("ct").none());
  module.def("segment_volume", &segment_volume, nb::arg("ct"));
}

}  // namespace fiducial::python
