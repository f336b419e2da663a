#include "fiducial/datasets/prediction_files.h"

#include <algorithm>
#include <system_error>

#include "fiducial/archive/zip_reader.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/store.h"
#include "fiducial/base/system_error.h"
#include "fiducial/masks/mask_format.h"

namespace fiducial {

namespace {

// A link that leads out of what was handed in could be anything, the reference among it. Archives with links
// are refused, too.
Outcome refuse_link_out(const Path& link, const Path& folder) {
  std::error_code failure;
  const Path inside = std::filesystem::canonical(folder, failure) / "";
  const Path target = failure ? Path() : std::filesystem::weakly_canonical(link, failure);
  if (!failure && target.string().starts_with(inside.string())) return done();
  return Error(ErrorCode::invalid_data, "a link that leads out of the folder of predictions",
               Place{.path = link.string()});
}

// Links at any depth below a folder that stands beside the files.
Outcome refuse_links_below(const Path& beside, const Path& folder) {
  if (is_url(beside)) return done();
  if (std::filesystem::is_symlink(beside)) FIDUCIAL_TRY_DONE(refuse_link_out(beside, folder));
  std::error_code failure;
  for (auto entry = std::filesystem::recursive_directory_iterator(beside, failure);
       !failure && entry != std::filesystem::recursive_directory_iterator(); entry.increment(failure)) {
    if (entry->is_symlink(failure)) FIDUCIAL_TRY_DONE(refuse_link_out(entry->path(), folder));
  }
  if (failure) return system_error("list the folder", failure, beside);
  return done();
}

Result<std::vector<std::string>> file_names(const Path& folder) {
  std::vector<std::string> out;
  FIDUCIAL_TRY(const std::vector<FolderEntry> entries, entries_of(folder));
  for (const FolderEntry& entry : entries) {
    std::string name = entry.path.filename().string();
    if (entry.is_link) FIDUCIAL_TRY_DONE(refuse_link_out(entry.path, folder));
    // A folder that stands where a mask should be is an unreadable prediction, not a missing one.
    if (!entry.is_folder || has_mask_ending(name)) out.push_back(std::move(name));
  }
  return out;
}

// Folders of a folder that hold files of predictions: what is named when their parent is given instead of
// one.
std::vector<std::string> filled_folders(const Path& folder) {
  constexpr std::size_t most = 5;
  std::vector<std::string> out;
  const Result<std::vector<FolderEntry>> entries = entries_of(folder);
  if (!entries.ok()) return out;
  for (const FolderEntry& entry : *entries) {
    if (!entry.is_folder || out.size() == most) continue;
    const Result<std::vector<std::string>> names = file_names(entry.path);
    const auto is_prediction = [](const std::string& name) {
      return has_mask_ending(name) || name.ends_with(".jsonl") || name.ends_with(".csv");
    };
    if (names.ok() && std::any_of(names->begin(), names->end(), is_prediction))
      out.push_back(entry.path.string());
  }
  return out;
}

}  // namespace

PredictionFiles::PredictionFiles() = default;
PredictionFiles::PredictionFiles(PredictionFiles&&) noexcept = default;
PredictionFiles& PredictionFiles::operator=(PredictionFiles&&) noexcept = default;
PredictionFiles::~PredictionFiles() = default;

Result<PredictionFiles> PredictionFiles::open(const Path& folder_or_zip, const std::string& beside) {
  PredictionFiles out;
  out.folder_ = folder_or_zip;
  FIDUCIAL_TRY_DONE(check_reachable(folder_or_zip));
  if (is_folder(folder_or_zip)) {
    FIDUCIAL_TRY(out.names_, file_names(folder_or_zip));
    out.has_beside_ = !beside.empty() && is_folder(folder_or_zip / beside);
    if (out.has_beside_)
      FIDUCIAL_TRY_DONE(refuse_links_below((folder_or_zip / beside / "").parent_path(), folder_or_zip));
    if (!out.names_.empty() || out.has_beside_) return out;
    const std::vector<std::string> below = filled_folders(folder_or_zip);
    if (below.empty()) return out;
    return Error(ErrorCode::invalid_data,
                 "holds folders and no file; did you mean " + joined(below, " or ") + "?",
                 Place{.path = folder_or_zip.string()});
  }
  if (!is_there(folder_or_zip)) {
    return path_missing("no such folder or archive", folder_or_zip.string());
  }
  FIDUCIAL_TRY(ZipReader zip, ZipReader::open(folder_or_zip));
  std::vector<std::pair<std::string, std::size_t>> entries;
  for (std::size_t i = 0; i < zip.entries().size(); ++i) {
    const std::string& name = zip.entries()[i].name;
    if (!beside.empty() && name.starts_with(beside)) {
      out.has_beside_ = true;
      continue;
    }
    if (name.find('/') != std::string::npos) {
      return Error(ErrorCode::invalid_data, "archive is not flat: \"" + name + "\" lies in a folder",
                   Place{.path = folder_or_zip.string()});
    }
    entries.emplace_back(name, i);
  }
  std::sort(entries.begin(), entries.end());
  for (auto& [name, index] : entries) {
    out.names_.push_back(std::move(name));
    out.zip_entries_.push_back(index);
  }
  out.zip_ = std::make_unique<ZipReader>(std::move(zip));
  return out;
}

std::optional<std::string> PredictionFiles::find(const std::string& name) const {
  const auto is_here = [this](const std::string& each) {
    return std::binary_search(names_.begin(), names_.end(), each);
  };
  if (is_here(name)) return name;
  return other_format_of(name, is_here);
}

Result<StoredFile> PredictionFiles::open_file(const std::string& wanted) const {
  const std::optional<std::string> found = find(wanted);
  FIDUCIAL_ASSERT(found);
  const std::string& name = *found;
  if (zip_ == nullptr) {
    Result<std::unique_ptr<FileStream>> file = FileStream::open(folder_ / name);
    if (!file.ok()) return file.error().at(Place{.path = name});
    const std::uint64_t size = (*file)->size();
    return StoredFile{*std::move(file), size};
  }
  const auto at = std::lower_bound(names_.begin(), names_.end(), name) - names_.begin();
  const std::size_t entry = zip_entries_[static_cast<std::size_t>(at)];
  FIDUCIAL_TRY(std::unique_ptr<ByteStream> bytes, zip_->open_entry(entry).in_file(name));
  return StoredFile{std::move(bytes), zip_->entries()[entry].size};
}

}  // namespace fiducial
