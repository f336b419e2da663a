#include "fiducial/anatomy/mask_library.h"

#include <algorithm>
#include <system_error>

namespace fiducial {

namespace {

// Structures of which a wish is made, with all their parts.
void add_wish(std::string_view name, std::vector<std::string>& wishes) {
  const Structure* structure = Anatomy::chest_ct().find(name);
  const std::string plain = structure != nullptr ? structure->name : plain_structure_name(name);
  if (std::find(wishes.begin(), wishes.end(), plain) != wishes.end()) return;
  wishes.push_back(plain);
  if (structure != nullptr) {
    for (const Structure::Part& part : structure->parts) add_wish(part.name, wishes);
  }
  if (Anatomy::chest_ct().is_region(plain)) {
    wishes.push_back(std::string(region_prefix) + plain);
    for (const std::string& member : Anatomy::chest_ct().members_of_region(plain)) wishes.push_back(member);
  }
}

std::vector<std::string> all_wishes(const std::vector<std::string>& wanted) {
  std::vector<std::string> out;
  for (const std::string& name : wanted) add_wish(name, out);
  return out;
}

bool is_wished(const std::string& file, const std::vector<std::string>& wishes) {
  if (wishes.empty()) return true;
  const Structure* structure = Anatomy::chest_ct().find(file);
  const std::string plain = structure != nullptr ? structure->name : plain_structure_name(file);
  return std::find(wishes.begin(), wishes.end(), plain) != wishes.end();
}

bool is_mask_file(std::string_view name) { return name.ends_with(".nii.gz") || name.ends_with(".nii"); }

bool is_archive_file(std::string_view name) {
  return name.ends_with(".tar") || name.ends_with(".tar.gz") || name.ends_with(".tgz") ||
         name.ends_with("_aa");
}

bool is_mask_folder(const Path& path) {
  std::error_code ignored;
  return path.filename().string().ends_with("_mask") && std::filesystem::is_directory(path, ignored);
}

std::vector<Path> sorted_entries(const Path& folder) {
  std::vector<Path> out;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

bool is_plain_file(const Path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

// Masks of whole regions lie apart from those of structures that have the same name.
std::string name_below(const std::string& folder, const std::string& file) {
  return folder.find("region_mask") == std::string::npos ? file : std::string(region_prefix) + file;
}

// The volume a member of an archive belongs to, and what it is a mask of: "seg_train_1_a_1/aorta.nii.gz".
struct MemberPlace {
  std::string stem;
  std::string file;
};

// Hands a mask's bytes on, and notes their hash.
template <typename Add>
void add_hashed(const std::string& name, std::unique_ptr<ByteStream> stored, CaseMasks& masks,
                const Add& add) {
  HashingStream bytes(std::move(stored));
  add(std::make_unique<BorrowedStream>(bytes));
  if (const Result<Digest> digest = bytes.finish(); digest.ok()) masks.note_file(name, *digest);
}

template <typename Add>
void add_hashed_file(const Path& path, const Path& library, CaseMasks& masks, const Add& add) {
  Result<std::unique_ptr<FileStream>> file = FileStream::open(path);
  if (!file.ok()) return add(Result<NiftiStream>(std::move(file).error()));
  const std::uint64_t size = (*file)->size();
  add_hashed(path.lexically_relative(library).generic_string(), *std::move(file), masks,
             [&](std::unique_ptr<ByteStream> bytes) {
               add(NiftiStream::open(std::move(bytes), size).in_file(path.string()));
             });
}

MemberPlace place_of(const std::string& name) {
  const Path path(name);
  std::string folder = path.parent_path().filename().string();
  if (folder.starts_with("seg_")) folder.erase(0, 4);
  return {volume_stem(folder), name_below(name, path.filename().string())};
}

}  // namespace

std::string volume_stem(std::string_view volume) {
  std::string out = Path(volume).filename().string();
  for (const std::string_view ending : {".gz", ".nii"}) {
    if (out.ends_with(ending)) out.resize(out.size() - ending.size());
  }
  return out;
}

// An archive that is read on from where the last volume ended, and once more from its front.
class MaskLibrary::Archive {
 public:
  explicit Archive(Path path) : path_(std::move(path)) {}

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
        return found;
      }
      const TarMember member = **next;
      const MemberPlace place = place_of(member.name);
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
    add_hashed(member.name, std::make_unique<BorrowedStream>(reader_->content()), masks,
               [&](std::unique_ptr<ByteStream> bytes) {
                 masks.add_file(name, NiftiStream::open(std::move(bytes), member.size));
               });
  }

  Path path_;
  std::unique_ptr<TarReader> reader_;
  std::optional<TarMember> held_;  // found, and not yet read
};

MaskLibrary::MaskLibrary() = default;
MaskLibrary::MaskLibrary(MaskLibrary&&) noexcept = default;
MaskLibrary& MaskLibrary::operator=(MaskLibrary&&) noexcept = default;
MaskLibrary::~MaskLibrary() = default;

Result<MaskLibrary> MaskLibrary::open(const Path& folder_or_archive) {
  MaskLibrary library;
  std::error_code ignored;
  if (is_plain_file(folder_or_archive)) {
    if (!is_archive_file(folder_or_archive.filename().string())) {
      return Error(ErrorCode::invalid_data,
                   "expected a folder of masks, or a .tar or .tar.gz archive of them",
                   Place{.path = folder_or_archive.string()});
    }
    library.archives_.push_back(std::make_unique<Archive>(folder_or_archive));
    return library;
  }
  if (!std::filesystem::is_directory(folder_or_archive, ignored)) {
    return Error(ErrorCode::invalid_data, "no such folder or archive of masks",
                 Place{.path = folder_or_archive.string()});
  }
  library.folders_.push_back(folder_or_archive);
  FIDUCIAL_TRY_DONE(library.find_archives(folder_or_archive));
  return library;
}

Outcome MaskLibrary::find_archives(const Path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const Path& path = entry.path();
    if (is_mask_folder(path)) folders_.push_back(path);
    if (is_archive_file(path.filename().string()) && is_plain_file(path)) {
      archives_.push_back(std::make_unique<Archive>(path));
    }
  }
  std::sort(folders_.begin() + 1, folders_.end());
  return done();
}

Outcome MaskLibrary::read_folder(const Path& folder, const std::vector<std::string>& wanted,
                                 CaseMasks& masks) const {
  for (const Path& path : sorted_entries(folder)) {
    const std::string name = path.filename().string();
    const std::string what = name_below(folder.parent_path().filename().string(), name);
    if (!is_mask_file(name) || !is_wished(what, wanted)) continue;
    add_hashed_file(path, folders_.front(), masks,
                    [&](Result<NiftiStream> file) { masks.add_file(what, std::move(file)); });
  }
  return done();
}

Outcome MaskLibrary::read_label_map(const Path& file, CaseMasks& masks) const {
  LabelNames names = total_label_names();
  for (const Path& path :
       {file.parent_path() / (volume_stem(file.string()) + ".json"), file.parent_path() / "labels.json"}) {
    if (!is_plain_file(path)) continue;
    FIDUCIAL_TRY(const std::string text, read_text_file(path, std::uint64_t{16} << 20));
    FIDUCIAL_TRY(names, parse_label_names(text).in_file(path.string()));
    masks.note_file(path.lexically_relative(folders_.front()).generic_string(), sha256(as_bytes(text)));
    break;
  }
  add_hashed_file(file, folders_.front(), masks,
                  [&](Result<NiftiStream> stream) { masks.add_label_map(std::move(stream), names); });
  return done();
}

Result<bool> MaskLibrary::read_plain(const std::string& stem, const std::vector<std::string>& wanted,
                                     CaseMasks& masks) const {
  std::error_code ignored;
  bool found = false;
  for (const Path& folder : folders_) {
    for (const std::string& name : {"seg_" + stem, "seg_" + stem + ".nii.gz", stem, stem + ".nii.gz"}) {
      const Path path = folder / name;
      if (!std::filesystem::is_directory(path, ignored)) continue;
      FIDUCIAL_TRY_DONE(read_folder(path, wanted, masks));
      found = true;
    }
    for (const std::string& name : {stem + ".nii.gz", stem + ".nii"}) {
      if (!is_plain_file(folder / name)) continue;
      FIDUCIAL_TRY_DONE(read_label_map(folder / name, masks));
      found = true;
    }
  }
  return found;
}

std::vector<std::string> MaskLibrary::volumes_in_folders() const {
  std::vector<std::string> out;
  std::error_code ignored;
  for (const Path& folder : folders_) {
    for (const Path& path : sorted_entries(folder)) {
      std::string name = path.filename().string();
      const bool is_folder = std::filesystem::is_directory(path, ignored);
      if (is_folder ? is_mask_folder(path) : !is_mask_file(name)) continue;
      if (name.starts_with("seg_")) name.erase(0, 4);
      out.push_back(volume_stem(name));
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Result<CaseMasks> MaskLibrary::read_case(const std::string& volume, const std::optional<Grid>& grid,
                                         const std::vector<std::string>& wanted) {
  CaseMasks masks(grid);
  const std::string stem = volume_stem(volume);
  const std::vector<std::string> wishes = all_wishes(wanted);
  FIDUCIAL_TRY(const bool found, read_plain(stem, wishes, masks));
  if (found) return masks;
  for (const std::unique_ptr<Archive>& archive : archives_) {
    FIDUCIAL_TRY(const bool in_archive, archive->read(stem, wishes, masks));
    if (in_archive) break;
  }
  return masks;
}

}  // namespace fiducial
