#include "fiducial/anatomy/label_names.h"

#include <utility>

#include "fiducial/anatomy/mask_places.h"
#include "fiducial/base/byte_stream.h"
#include "fiducial/base/paths.h"
#include "fiducial/image/label_extension.h"

namespace fiducial {

namespace {

constexpr std::uint64_t most_dataset_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t most_names_bytes = std::uint64_t{16} << 20;

}  // namespace

Result<NamesBeside> names_beside(const Path& label_map, const Path& base) {
  const Path folder = label_map.parent_path();
  const auto read_names = [&](const Path& path, const auto& parse) -> Result<NamesBeside> {
    if (!is_file(path)) return NamesBeside();
    FIDUCIAL_TRY(const std::string text, read_text_file(path, most_names_bytes));
    FIDUCIAL_TRY(LabelNames names, parse(text).in_file(path.string()));
    if (names.empty()) return NamesBeside();
    MaskOrigin file{path.lexically_relative(base).generic_string(), sha256(as_bytes(text))};
    return NamesBeside{std::move(names), {std::move(file)}};
  };
  FIDUCIAL_TRY(NamesBeside names,
               read_names(folder / (volume_stem(label_map.string()) + ".json"), parse_label_names));
  if (!names.names.empty()) return names;
  // A file that cannot be read says so when its voxels are asked for.
  if (Result<std::unique_ptr<FileStream>> file = FileStream::open(label_map); file.ok()) {
    const Result<LabelNames> own = read_label_extension(*std::move(file));
    if (own.ok() && !own->empty()) return NamesBeside{*own, {}};
  }
  FIDUCIAL_TRY(names, read_names(folder / "labels.json", parse_label_names));
  if (!names.names.empty()) return names;
  const bool is_of_nnunet = folder.filename().string().starts_with("labels");
  const Path path = (is_of_nnunet ? folder.parent_path() : folder) / "dataset.json";
  const Result<std::uint64_t> bytes =
      is_file(path) ? stored_size(path) : Result<std::uint64_t>(most_dataset_bytes + 1);
  const bool is_small = bytes.ok() && *bytes <= most_dataset_bytes;
  if (!is_small) return names;  // other benchmarks have a large file of that name
  return read_names(path, parse_dataset_label_names);
}

}  // namespace fiducial
