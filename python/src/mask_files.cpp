#include "mask_files.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/anatomy/stored_masks.h"
#include "fiducial/masks/mask_format.h"

#include "errors.h"
#include "long_call.h"
#include "masks.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

using Code = std::array<std::string, 3>;

// The masks of a case: read when they are asked for where the file can do that, else at once.
class StoredCase {
 public:
  static Result<StoredCase> open(const StoredMasksRequest& request) {
    StoredCase out;
    const MaskFormat* const format = find_mask_format(request.source.filename().string());
    if (format != nullptr && format->reads_anywhere && !request.names && request.volume.empty()) {
      FIDUCIAL_TRY(out.reader_, open_masks(request.source));
      out.grid_ = out.reader_->head().grid();
      out.placed_ = out.reader_->head().claims_place;
      out.listed_ = out.reader_->head().masks;
      out.path_ = request.source.string();
      return out;
    }
    FIDUCIAL_TRY(MaskCollection masks, read_stored_masks(request));
    out.grid_ = masks.grid;
    out.placed_ = masks.claims_place;
    for (MaskCollection::Member& member : masks.masks) {
      out.listed_.push_back(std::move(member.about));
      out.kept_.push_back(std::move(member.labels));
    }
    return out;
  }

  const Grid& grid() const { return grid_; }
  bool placed() const { return placed_; }
  const std::vector<ListedMask>& listed() const { return listed_; }

  Result<LabelMask> read(std::size_t index) const {
    if (index >= listed_.size()) return bad_usage("there is no such mask");
    if (reader_ == nullptr) return LabelMask{kept_[index], placed_};
    const std::lock_guard lock(*mutex_);
    FIDUCIAL_TRY(LabelMap labels, reader_->read_one(index).in_file(path_));
    return LabelMask{std::move(labels), placed_};
  }

 private:
  Grid grid_;
  bool placed_ = false;
  std::vector<ListedMask> listed_;
  std::vector<LabelMap> kept_;
  std::unique_ptr<MaskReader> reader_;  // in place of what is kept
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  std::string path_;
};

StoredCase open_case(const Path& path, const std::string& volume,
                     const std::optional<std::map<std::int32_t, std::string>>& names) {
  return long_call(nb::none(), [path, volume, names](Progress&) {
    return StoredCase::open({.source = path, .volume = volume, .names = names});
  });
}

nb::list codes_of(const StoredCase& masks) {
  nb::list out;
  for (const ListedMask& each : masks.listed()) {
    if (each.code) {
      out.append(nb::make_tuple(each.code->scheme, each.code->value, each.code->meaning));
    } else {
      out.append(nb::none());
    }
  }
  return out;
}

struct NamedMask {
  std::string name;
  std::uint32_t id = 0;
  std::optional<Code> code;
  LabelMask mask;
};

struct MaskFileRequest {
  Path path;
  std::vector<NamedMask> masks;
  bool overwrite = false;
  bool stacked = false;
};

Outcome write_case(const MaskFileRequest& request) {
  MaskCollection out;
  if (request.masks.empty()) return bad_usage("there is no mask to write");
  out.grid = request.masks.front().mask.labels.grid();
  out.claims_place = request.masks.front().mask.placed;
  for (const NamedMask& each : request.masks) {
    if (!same_grid(each.mask.labels.grid(), out.grid))
      return bad_usage("\"" + each.name + "\" lies on another grid than the masks before it");
    ListedMask about{.name = each.name, .id = each.id, .code = {}};
    if (each.code) about.code = MaskCode{(*each.code)[0], (*each.code)[1], (*each.code)[2]};
    out.masks.push_back({std::move(about), each.mask.labels});
  }
  return write_stored_masks(
      out, {.path = request.path, .overwrite = request.overwrite, .stacked = request.stacked});
}

}  // namespace

void define_mask_files(nb::module_& module) {
  nb::class_<StoredCase>(module, "StoredCase",
                         "The masks of a case, as a file, folder or archive keeps them.")
      .def_prop_ro("names",
                   [](const StoredCase& masks) {
                     std::vector<std::string> out;
                     for (const ListedMask& each : masks.listed()) out.push_back(each.name);
                     return out;
                   })
      .def_prop_ro("ids",
                   [](const StoredCase& masks) {
                     std::vector<std::uint32_t> out;
                     for (const ListedMask& each : masks.listed()) out.push_back(each.id);
                     return out;
                   })
      .def_prop_ro("codes", codes_of)
      .def_prop_ro("shape",
                   [](const StoredCase& masks) {
                     const Extent& extent = masks.grid().extent;
                     return nb::make_tuple(extent.x, extent.y, extent.z);
                   })
      .def_prop_ro("affine", [](const StoredCase& masks) { return affine_array(masks.grid().affine); })
      .def_prop_ro("placed", &StoredCase::placed)
      .def(
          "read",
          [](const StoredCase& masks, std::size_t index) {
            const nb::gil_scoped_release release;
            return unwrapped(masks.read(index));
          },
          nb::arg("index"));
  module.def("open_masks", open_case, nb::arg("path"), nb::arg("volume") = "",
             nb::arg("names").none() = nb::none());
  nb::class_<MaskFileRequest>(module, "MaskFileRequest", "Masks, and the file, folder or archive they go to.")
      .def(nb::init<>())
      .def_rw("path", &MaskFileRequest::path)
      .def_rw("overwrite", &MaskFileRequest::overwrite)
      .def_rw("stacked", &MaskFileRequest::stacked)
      .def(
          "add",
          [](MaskFileRequest& request, std::string name, std::uint32_t id, const std::optional<Code>& code,
             const LabelMask& mask) {
            request.masks.push_back({std::move(name), id, code, mask});
          },
          nb::arg("name"), nb::arg("id"), nb::arg("code").none(), nb::arg("mask"));
  module.def(
      "write_mask_file",
      [](const MaskFileRequest& request) {
        long_call(nb::none(), [request](Progress&) { return write_case(request); });
      },
      nb::arg("request"));
}

}  // namespace fiducial::python
