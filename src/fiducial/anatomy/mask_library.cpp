#include "fiducial/anatomy/mask_library.h"

#include <algorithm>
#include <map>
#include <system_error>

#include "fiducial/anatomy/label_names.h"
#include "fiducial/anatomy/zipped_masks.h"
#include "fiducial/base/paths.h"
#include "fiducial/masks/mask_format.h"

namespace fiducial {

namespace {

bool is_mask_folder(const Path& path) {
  return path.filename().string().ends_with("_mask") && is_folder(path);
}

std::vector<Path> sorted_entries(const Path& folder) {
  std::vector<Path> out;
  const Result<std::vector<FolderEntry>> entries = entries_of(folder);
  if (!entries.ok()) return out;
  out.reserve(entries->size());
  for (const FolderEntry& entry : *entries) out.push_back(entry.path);
  std::sort(out.begin(), out.end());
  return out;
}

// A release's folder or archive of masks without its endings: "train_anatomy_mask".
std::string base_of_archive(const Path& path) {
  std::string name = path.filename().string();
  for (const std::string_view ending : {".gz", ".tar", ".tgz", "_aa"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return name;
}

// "train" or "valid", as names of volumes begin; "" for others.
std::string split_word(const std::string& name) {
  const std::string word = name.substr(0, name.find('_'));
  if (word == "train") return "train";
  return word == "valid" || word == "validation" || word == "val" ? "valid" : "";
}

// Whether the folder is a volume's.
bool holds_masks(const Path& folder) {
  if (folder.filename().string().starts_with("seg_")) return true;
  const std::vector<Path> entries = sorted_entries(folder);
  return std::any_of(entries.begin(), entries.end(),
                     [](const Path& path) { return is_known_mask(path.filename().string()); });
}

template <typename Add>
void add_hashed_file(const Path& path, const Path& library, CaseMasks& masks, const Add& add) {
  Result<std::unique_ptr<FileStream>> file = FileStream::open(path);
  if (!file.ok()) return add(Result<std::unique_ptr<MaskReader>>(std::move(file).error()));
  const std::uint64_t size = (*file)->size();
  add_hashed(path.lexically_relative(library).generic_string(), *std::move(file), masks,
             [&](std::unique_ptr<ByteStream> bytes) {
               add(open_masks({.file = {std::move(bytes), size}, .places = nullptr}).in_file(path.string()));
             });
}

}  // namespace

// An archive that is read on from where the last volume ended, and once more from its front.
class MaskLibrary::Archive {
 public:
  explicit Archive(Path path) : path_(std::move(path)), base_(base_of_archive(path_)) {}

  const std::string& base() const { return base_; }
  bool may_have(const std::string& stem) const {
    if (is_known_ && !stems_.contains(stem)) return false;
    const bool is_released = base_.ends_with("anatomy_mask") || base_.ends_with("region_mask");
    const std::string own = is_released ? split_word(base_) : "";
    const std::string wanted = split_word(stem);
    return own.empty() || wanted.empty() || own == wanted;
  }

  // The volumes it has and where they come in it, by a pass over it unless they are known.
  Result<std::map<std::string, std::size_t>> volumes() {
    if (is_known_) return stems_;
    CaseMasks none;
    reader_.reset();
    FIDUCIAL_TRY_DONE(read_on("/", {}, none).in_file(path_.string()));  // no volume is called so
    return stems_;
  }

  Result<bool> read(const std::string& stem, const std::vector<std::string>& wishes, CaseMasks& masks) {
    const bool from_front = !reader_;
    FIDUCIAL_TRY(const bool found, read_on(stem, wishes, masks).in_file(path_.string()));
    if (found || from_front) return found;
    return read_on(stem, wishes, masks).in_file(path_.string());
  }

 private:
  // Reads to the end of the volume's files, or of the archive.
  Result<bool> read_on(const std::string& stem, const std::vector<std::string>& wishes, CaseMasks& masks) {
    if (!reader_) {
      FIDUCIAL_TRY(TarReader opened, TarReader::open(path_));
      reader_ = std::make_unique<TarReader>(std::move(opened));
      held_.reset();
      met_.clear();
    }
    bool found = false;
    while (true) {
      Result<std::optional<TarMember>> next =
          held_ ? Result<std::optional<TarMember>>(std::exchange(held_, std::nullopt)) : reader_->next();
      if (!next.ok()) {
        reader_.reset();
        return std::move(next).error();
      }
      if (!*next) {
        reader_.reset();
        stems_ = std::move(met_);
        is_known_ = true;
        return found;
      }
      const TarMember member = **next;
      const MemberPlace place = place_of_member(member.name);
      if (is_mask_file(place.file)) met_.emplace(place.stem, met_.size());
      if (place.stem != stem) {
        if (!found) continue;
        held_ = member;  // the next volume's first file
        return true;
      }
      found = true;
      if (!is_mask_file(place.file) || !is_wished(place.file, wishes)) continue;
      add_member(member, place.file, masks);
    }
  }

  void add_member(const TarMember& member, const std::string& name, CaseMasks& masks) {
    add_hashed(
        member.name, std::make_unique<BorrowedStream>(reader_->content()), masks,
        [&](std::unique_ptr<ByteStream> bytes) {
          masks.add_file(name, open_masks({.file = {std::move(bytes), member.size}, .places = nullptr}));
        });
  }

  Path path_;
  std::string base_;
  std::unique_ptr<TarReader> reader_;
  std::optional<TarMember> held_;             // found, and not yet read
  std::map<std::string, std::size_t> met_;    // volumes since the front
  std::map<std::string, std::size_t> stems_;  // all volumes, once they are known
  bool is_known_ = false;
};

MaskLibrary::MaskLibrary() = default;
MaskLibrary::MaskLibrary(MaskLibrary&&) noexcept = default;
MaskLibrary& MaskLibrary::operator=(MaskLibrary&&) noexcept = default;
MaskLibrary::~MaskLibrary() = default;

Result<MaskLibrary> MaskLibrary::open(const Path& folder_or_archive, const std::string& inside) {
  MaskLibrary library;
  FIDUCIAL_TRY_DONE(check_reachable(folder_or_archive));
  if (is_file(folder_or_archive)) {
    if (folder_or_archive.extension() == ".zip") {
      FIDUCIAL_TRY(ZippedMasks zip, ZippedMasks::open(folder_or_archive, inside));
      library.zip_ = std::make_unique<ZippedMasks>(std::move(zip));
      return library;
    }
    if (is_mask_file(folder_or_archive.filename().string())) {
      library.folders_.push_back(folder_or_archive.parent_path());
      library.single_ = folder_or_archive;
      return library;
    }
    if (!is_tar_name(folder_or_archive.filename().string())) {
      return Error(ErrorCode::invalid_data,
                   "expected a folder of masks, a file of masks (" + all_mask_endings() +
                       "), or a .tar, .tar.gz or .zip archive",
                   Place{.path = folder_or_archive.string()});
    }
    library.archives_.push_back(std::make_unique<Archive>(folder_or_archive));
    return library;
  }
  if (!is_folder(folder_or_archive)) {
    return path_missing("no such folder or archive of masks", folder_or_archive.string());
  }
  library.folders_.push_back(folder_or_archive);
  library.find_below(folder_or_archive);
  library.find_below(folder_or_archive / "dataset");
  return library;
}

void MaskLibrary::find_below(const Path& folder) {
  for (const Path& path : sorted_entries(folder)) {
    if (is_mask_folder(path)) folders_.push_back(path);
    if (is_tar_name(path.filename().string()) && is_file(path)) {
      archives_.push_back(std::make_unique<Archive>(path));
    }
  }
}

bool MaskLibrary::is_unpacked(const Archive& archive, const std::string& stem) const {
  return std::any_of(folders_.begin(), folders_.end(), [&](const Path& folder) {
    return folder.filename().string() == archive.base() &&
           (is_folder(folder / ("seg_" + stem)) || is_folder(folder / stem));
  });
}

Outcome MaskLibrary::read_folder(const Path& folder, const std::vector<std::string>& wanted,
                                 CaseMasks& masks) const {
  for (const Path& path : sorted_entries(folder)) {
    const std::string name = path.filename().string();
    const std::string what = name_below(folder.parent_path().filename().string(), name);
    if (!is_mask_file(name) || !is_wished(what, wanted)) continue;
    add_hashed_file(path, folders_.front(), masks,
                    [&](Result<std::unique_ptr<MaskReader>> file) { masks.add_file(what, std::move(file)); });
  }
  return done();
}

Outcome MaskLibrary::read_label_map(const Path& file, const std::vector<std::string>& wanted,
                                    CaseMasks& masks) const {
  const std::string shown = file.lexically_relative(folders_.front()).generic_string();
  const auto is_wanted = [&wanted](const std::string& name) { return is_wished(name, wanted); };
  const MaskFormat* const format = find_mask_format(file.filename().string());
  if (format != nullptr && format->reads_anywhere) {
    Result<std::unique_ptr<MaskReader>> reader = open_masks(file);
    if (reader.ok() && (*reader)->head().arrangement != MaskArrangement::labels) {
      masks.add_named(**reader, shown, is_wanted);
      return done();
    }
  }
  FIDUCIAL_TRY(const NamesBeside beside, names_beside(file, folders_.front()));
  for (const MaskOrigin& origin : beside.files) masks.note_file(origin.name, origin.digest);
  add_hashed_file(file, folders_.front(), masks, [&](Result<std::unique_ptr<MaskReader>> reader) {
    if (reader.ok() && (*reader)->head().arrangement == MaskArrangement::structures)
      return masks.add_named(**reader, shown, is_wanted);
    masks.add_label_map(std::move(reader), beside.names);
  });
  return done();
}

Outcome MaskLibrary::read_plain(const std::string& stem, const std::vector<std::string>& wanted,
                                CaseMasks& masks) const {
  if (single_) {
    const std::string name = single_->filename().string();
    if (!is_known_mask(name)) return read_label_map(*single_, wanted, masks);
    add_hashed_file(*single_, folders_.front(), masks,
                    [&](Result<std::unique_ptr<MaskReader>> file) { masks.add_file(name, std::move(file)); });
    return done();
  }
  for (const Path& folder : folders_) {
    bool has_structures = false;
    for (const std::string& name : {"seg_" + stem, "seg_" + stem + ".nii.gz", stem, stem + ".nii.gz"}) {
      const Path path = folder / name;
      if (!is_folder(path)) continue;
      FIDUCIAL_TRY_DONE(read_folder(path, wanted, masks));
      has_structures = true;
    }
    if (has_structures) continue;
    for (const Path& file : label_map_files(folder, stem)) {
      if (is_file(file)) FIDUCIAL_TRY_DONE(read_label_map(file, wanted, masks));
    }
  }
  return done();
}

bool MaskLibrary::has_masks() const {
  return single_ || folders_.size() > 1 || !archives_.empty() || (zip_ && !zip_->empty());
}

Result<std::vector<std::string>> MaskLibrary::volumes() const {
  std::vector<std::string> out;
  if (single_) return std::vector<std::string>{volume_stem(single_->filename().string())};
  for (const Path& folder : folders_) {
    for (const Path& path : sorted_entries(folder)) {
      std::string name = path.filename().string();
      const bool is_folder = fiducial::is_folder(path);
      if (is_folder ? is_mask_folder(path) || !holds_masks(path) : !is_mask_file(name)) continue;
      if (name.starts_with("seg_")) name.erase(0, 4);
      out.push_back(volume_stem(name));
    }
  }
  for (const std::unique_ptr<Archive>& archive : archives_) {
    FIDUCIAL_TRY(const auto stems, archive->volumes());
    for (const auto& [stem, place] : stems) out.push_back(stem);
  }
  if (zip_) {
    for (std::string& name : zip_->volumes()) out.push_back(std::move(name));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Result<std::vector<std::string>> MaskLibrary::in_reading_order(std::vector<std::string> volumes) const {
  std::map<std::string, std::size_t> places;
  for (const std::unique_ptr<Archive>& archive : archives_) {
    const bool is_read = std::any_of(volumes.begin(), volumes.end(), [&](const std::string& volume) {
      return archive->may_have(volume_stem(volume)) && !is_unpacked(*archive, volume_stem(volume));
    });
    if (!is_read) continue;
    FIDUCIAL_TRY(const auto stems, archive->volumes());
    const std::size_t before = places.size();
    for (const auto& [stem, place] : stems) places.emplace(stem, before + place);
  }
  const auto place_of = [&places](const std::string& volume) {
    const auto found = places.find(volume_stem(volume));
    return found == places.end() ? places.size() : found->second;
  };
  std::stable_sort(volumes.begin(), volumes.end(),
                   [&](const std::string& a, const std::string& b) { return place_of(a) < place_of(b); });
  return volumes;
}

Result<CaseMasks> MaskLibrary::read_onto(CaseMasks masks, const std::string& volume,
                                         const std::vector<std::string>& wanted) {
  const std::string stem = volume_stem(volume);
  const std::vector<std::string> wishes = all_wishes(wanted);
  FIDUCIAL_TRY_DONE(read_plain(stem, wishes, masks));
  if (zip_) FIDUCIAL_TRY_DONE(zip_->read(stem, wishes, masks));
  for (const std::unique_ptr<Archive>& archive : archives_) {
    if (!archive->may_have(stem) || is_unpacked(*archive, stem)) continue;
    FIDUCIAL_TRY_DONE(archive->read(stem, wishes, masks));
  }
  return masks;
}

Result<CaseMasks> MaskLibrary::read_case(const std::string& volume, const std::optional<Grid>& grid,
                                         const std::vector<std::string>& wanted) {
  return read_onto(CaseMasks(grid), volume, wanted);
}

Result<CaseMasks> MaskLibrary::read_case_like(const std::string& volume, const CaseMasks& reference) {
  return read_onto(CaseMasks(reference.grid(), reference.places_known()), volume, {});
}

}  // namespace fiducial
