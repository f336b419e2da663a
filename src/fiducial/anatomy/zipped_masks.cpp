#include "fiducial/anatomy/zipped_masks.h"

#include <algorithm>

#include "fiducial/anatomy/mask_places.h"
#include "fiducial/base/number_text.h"
#include "fiducial/image/label_extension.h"
#include "fiducial/masks/mask_format.h"

namespace fiducial {

namespace {

constexpr std::uint64_t most_label_name_bytes = std::uint64_t{16} << 20;

std::string folder_of_name(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? "" : name.substr(0, slash + 1);
}

}  // namespace

Result<ZippedMasks> ZippedMasks::open(const Path& archive, const std::string& folder) {
  FIDUCIAL_TRY(ZipReader zip, ZipReader::open(archive));
  ZippedMasks out(std::move(zip));
  for (std::size_t i = 0; i < out.zip_.entries().size(); ++i) {
    const std::string& name = out.zip_.entries()[i].name;
    if (name.starts_with(folder)) out.files_.push_back({name.substr(folder.size()), i});
  }
  std::sort(out.files_.begin(), out.files_.end(),
            [](const File& a, const File& b) { return a.name < b.name; });
  for (std::size_t i = 0; i < out.files_.size(); ++i) {
    const std::string& name = out.files_[i].name;
    if (!is_mask_file(name)) continue;
    out.of_volume_.emplace(place_of_member(name).stem, i);
    std::string stem = volume_stem(name);
    if (stem.starts_with("seg_")) stem.erase(0, 4);
    out.of_volume_.emplace(std::move(stem), i);
  }
  return out;
}

std::vector<std::string> ZippedMasks::volumes() const {
  std::vector<std::string> out;
  for (const File& file : files_) {
    if (!is_mask_file(file.name)) continue;
    std::string stem = is_known_mask(Path(file.name).filename().string()) ? place_of_member(file.name).stem
                                                                          : volume_stem(file.name);
    if (stem.starts_with("seg_")) stem.erase(0, 4);
    out.push_back(std::move(stem));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

const ZippedMasks::File* ZippedMasks::find_file(const std::string& name) const {
  const auto found =
      std::lower_bound(files_.begin(), files_.end(), name,
                       [](const File& file, const std::string& wanted) { return file.name < wanted; });
  return found == files_.end() || found->name != name ? nullptr : &*found;
}

Result<std::unique_ptr<MaskReader>> ZippedMasks::open_mask(std::unique_ptr<ByteStream> bytes,
                                                           const File& file) const {
  return open_masks({.file = {std::move(bytes), zip_.entries()[file.entry].size}, .places = nullptr})
      .in_file(file.name);
}

Result<LabelNames> ZippedMasks::label_names(const File& map, CaseMasks& masks) const {
  const std::string folder = folder_of_name(map.name);
  FIDUCIAL_TRY(LabelNames names,
               names_in(folder + volume_stem(map.name) + ".json", parse_label_names, masks));
  if (!names.empty()) return names;
  if (Result<std::unique_ptr<ByteStream>> bytes = zip_.open_entry(map.entry); bytes.ok()) {
    const Result<LabelNames> own = read_label_extension(*std::move(bytes));
    if (own.ok() && !own->empty()) return *own;
  }
  FIDUCIAL_TRY(names, names_in(folder + "labels.json", parse_label_names, masks));
  if (names.empty()) {
    FIDUCIAL_TRY(names, names_in(folder + "dataset.json", parse_dataset_label_names, masks));
  }
  return names;
}

Result<LabelNames> ZippedMasks::names_in(const std::string& name, NamesParser parse, CaseMasks& masks) const {
  const File* file = find_file(name);
  if (file == nullptr) return LabelNames();
  const std::uint64_t size = zip_.entries()[file->entry].size;
  if (size > most_label_name_bytes)
    return invalid_data(name + ": expected at most 16 MiB of names, found " + decimal(size) + " bytes");
  FIDUCIAL_TRY(const std::unique_ptr<ByteStream> bytes, zip_.open_entry(file->entry).in_file(name));
  std::string text(static_cast<std::size_t>(size), '\0');
  FIDUCIAL_TRY(const std::size_t got, bytes->read(std::as_writable_bytes(std::span(text))).in_file(name));
  text.resize(got);
  FIDUCIAL_TRY(LabelNames names, parse(text).in_file(name));
  if (!names.empty()) masks.note_file(name, sha256(as_bytes(text)));
  return names;
}

Outcome ZippedMasks::add_label_map(const File& map, const std::vector<std::string>& wishes,
                                   CaseMasks& masks) const {
  FIDUCIAL_TRY(const LabelNames names, label_names(map, masks));
  FIDUCIAL_TRY(std::unique_ptr<ByteStream> bytes, zip_.open_entry(map.entry).in_file(map.name));
  add_hashed(map.name, std::move(bytes), masks, [&](std::unique_ptr<ByteStream> hashed) {
    Result<std::unique_ptr<MaskReader>> reader = open_mask(std::move(hashed), map);
    if (reader.ok() && (*reader)->head().arrangement == MaskArrangement::structures)
      return masks.add_named(**reader, map.name,
                             [&](const std::string& name) { return is_wished(name, wishes); });
    masks.add_label_map(std::move(reader), names);
  });
  return done();
}

Outcome ZippedMasks::add_structure(const File& file, const std::string& name, CaseMasks& masks) const {
  FIDUCIAL_TRY(std::unique_ptr<ByteStream> bytes, zip_.open_entry(file.entry).in_file(file.name));
  add_hashed(file.name, std::move(bytes), masks, [&](std::unique_ptr<ByteStream> hashed) {
    masks.add_file(name, open_mask(std::move(hashed), file));
  });
  return done();
}

Result<bool> ZippedMasks::read(const std::string& stem, const std::vector<std::string>& wishes,
                               CaseMasks& masks) const {
  const auto [begin, end] = of_volume_.equal_range(stem);
  bool has_structures = false;
  for (auto at = begin; at != end; ++at) {
    const File& file = files_[at->second];
    const MemberPlace place = place_of_member(file.name);
    if (place.stem != stem) continue;
    has_structures = true;
    if (is_wished(place.file, wishes)) FIDUCIAL_TRY_DONE(add_structure(file, place.file, masks));
  }
  if (has_structures) return true;
  for (auto at = begin; at != end; ++at) FIDUCIAL_TRY_DONE(add_label_map(files_[at->second], wishes, masks));
  return begin != end;
}

}  // namespace fiducial
