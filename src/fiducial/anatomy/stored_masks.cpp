#include "fiducial/anatomy/stored_masks.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "fiducial/anatomy/label_names.h"
#include "fiducial/anatomy/mask_places.h"
#include "fiducial/archive/tar_reader.h"
#include "fiducial/archive/zip_reader.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/dicom/data_set.h"
#include "fiducial/masks/mask_format.h"

namespace fiducial {

namespace {

constexpr std::uint64_t most_listing_bytes = std::uint64_t{64} << 20;

// One file of masks, read to its end, and the hash of its bytes.
struct ReadFile {
  MaskCollection masks;
  Digest digest;
};

Outcome check_whole(const LabelValueFacts& values) {
  if (values.fractional == 0 && values.not_finite == 0) return done();
  return invalid_data("expected masks of whole numbers, found probabilities: " + decimal(values.fractional) +
                      " voxels are fractions, " + decimal(values.not_finite) + " are no numbers");
}

Result<ReadFile> read_file(StoredFile file) {
  HashingStream hashed(std::move(file.bytes));
  FIDUCIAL_TRY(
      const std::unique_ptr<MaskReader> reader,
      open_masks({.file = {std::make_unique<BorrowedStream>(hashed), file.size}, .places = nullptr}));
  FIDUCIAL_TRY(ReadCollection read, read_collection_and_values(*reader));
  FIDUCIAL_TRY_DONE(check_whole(read.values));
  FIDUCIAL_TRY(const Digest digest, hashed.finish());
  return ReadFile{std::move(read.masks), digest};
}

Result<StoredFile> open_stored(const Path& path) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  const std::uint64_t size = file->size();
  return StoredFile{std::move(file), size};
}

std::optional<MaskCode> code_of(const std::string& name) {
  const Structure* structure = Anatomy::chest_ct().find(name);
  if (structure == nullptr || !structure->total_class) return std::nullopt;
  const TotalClass& total = Anatomy::chest_ct().total_classes()[*structure->total_class];
  if (total.snomed_code.empty()) return std::nullopt;
  return MaskCode{"SCT", total.snomed_code, total.snomed_meaning};
}

// The files of one case, each a mask, put together.
class CaseCollector {
 public:
  // Of a listing of masks (masks.json): numbers, codes and order.
  Outcome take_listing(std::string_view text) {
    FIDUCIAL_TRY(const Json document, parse_json(text));
    FIDUCIAL_TRY(const Json* const masks, required_field(document, "masks", ""));
    FIDUCIAL_TRY(const Json::Array* const list, expect_array(*masks, "/masks"));
    if (text_at(document, "arrangement") == "findings") out_.arrangement = MaskArrangement::findings;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Json& one = (*list)[i];
      const std::string pointer = "/masks/" + decimal(i);
      ListedMask about;
      FIDUCIAL_TRY(about.name, required_string(one, "name", pointer));
      FIDUCIAL_TRY(const std::int64_t id, required_integer(one, "id", pointer));
      if (id < 0 || id > UINT32_MAX) return at_pointer(pointer + "/id", "expected 0 to 2^32 - 1");
      about.id = static_cast<std::uint32_t>(id);
      if (const Json* code = one.find("code"))
        about.code = MaskCode{text_at(*code, "scheme"), text_at(*code, "value"), text_at(*code, "meaning")};
      listed_.push_back(std::move(about));
    }
    return done();
  }

  Outcome add(const std::string& file_name, StoredFile file) {
    Result<ReadFile> read = read_file(std::move(file)).in_file(file_name);
    if (!read.ok()) return std::move(read).error();
    if (read->masks.arrangement != MaskArrangement::labels)
      return Error(ErrorCode::invalid_data, "a file of several masks among files of one mask each",
                   Place{.path = file_name});
    if (out_.masks.empty()) {
      out_.grid = read->masks.grid;
      out_.claims_place = read->masks.claims_place;
      first_ = file_name;
    } else if (!same_grid(read->masks.grid, out_.grid)) {
      return Error(ErrorCode::invalid_data,
                   "lies on another grid (" + read->masks.grid.extent.text() + " voxels) than " + first_ +
                       " (" + out_.grid.extent.text() + " voxels)",
                   Place{.path = file_name});
    }
    std::string name(without_mask_ending(Path(file_name).filename().string()));
    LabelMap labels = read->masks.masks.front().labels.on_grid(out_.grid.affine);
    out_.masks.push_back({{.name = std::move(name), .id = 0, .code = {}}, std::move(labels)});
    out_.origins.push_back({Path(file_name).filename().string(), read->digest});
    return done();
  }

  Result<MaskCollection> finish() {
    if (out_.masks.empty()) return invalid_data("no file of a mask there");
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < listed_.size(); ++i) place.emplace(listed_[i].name, i);
    const auto place_of = [&](const MaskCollection::Member& member) {
      const auto found = place.find(member.about.name);
      return found == place.end() ? listed_.size() : found->second;
    };
    std::stable_sort(out_.masks.begin(), out_.masks.end(), [&](const auto& a, const auto& b) {
      return std::pair(place_of(a), a.about.name) < std::pair(place_of(b), b.about.name);
    });
    std::uint32_t next = 1;
    for (const ListedMask& listed : listed_) next = std::max(next, listed.id + 1);
    for (MaskCollection::Member& member : out_.masks) {
      if (const std::size_t at = place_of(member); at < listed_.size()) {
        member.about = listed_[at];
      } else {
        member.about.id = next++;
        member.about.code = code_of(member.about.name);
      }
    }
    return std::move(out_);
  }

 private:
  MaskCollection out_;
  std::string first_;
  std::vector<ListedMask> listed_;
};

Result<MaskCollection> read_folder_masks(const Path& folder) {
  FIDUCIAL_TRY(std::vector<FolderEntry> entries, entries_of(folder));
  std::ranges::sort(entries, {}, &FolderEntry::path);
  CaseCollector collector;
  if (is_file(folder / masks_file)) {
    FIDUCIAL_TRY(const std::string text, read_text_file(folder / masks_file, most_listing_bytes));
    FIDUCIAL_TRY_DONE(collector.take_listing(text).in_file((folder / masks_file).string()));
  }
  for (const FolderEntry& entry : entries) {
    if (entry.is_folder || !has_mask_ending(entry.path.filename().string())) continue;
    FIDUCIAL_TRY(StoredFile file, open_stored(entry.path));
    FIDUCIAL_TRY_DONE(collector.add(entry.path.string(), std::move(file)));
  }
  return collector.finish().in_file(folder.string());
}

// Chooses the files of one volume among those of an archive.
class ArchivedCase {
 public:
  explicit ArchivedCase(const std::string& volume)
      : wanted_(volume_stem(volume)), is_asked_(!volume.empty()) {}

  // Whether the member belongs to the case; an error where nobody said which of two.
  Result<bool> has(const std::string& member) {
    const std::string stem = place_of_member(member).stem;
    met_.insert(stem);
    if (is_asked_) return stem == wanted_;
    if (met_.size() == 1) return true;
    return bad_usage("holds masks of several volumes: " +
                     joined(std::vector(met_.begin(), met_.end()), ", ") + ", ...; --volume chooses one");
  }

  Outcome take(const std::string& member, StoredFile file) {
    if (Path(member).filename() != masks_file) return collector_.add(member, std::move(file));
    if (file.size > most_listing_bytes) return invalid_data(member + ": too large");
    std::string text(static_cast<std::size_t>(file.size), '\0');
    FIDUCIAL_TRY(const std::size_t got, file.bytes->read(std::as_writable_bytes(std::span(text))));
    text.resize(got);
    return collector_.take_listing(text).in_file(member);
  }

  Result<MaskCollection> finish() {
    if (is_asked_ && !met_.contains(wanted_))
      return bad_usage("has no masks of \"" + wanted_ + "\"").because(ErrorReason::unknown_name);
    return collector_.finish();
  }

 private:
  std::string wanted_;
  bool is_asked_;
  std::set<std::string> met_;
  CaseCollector collector_;
};

bool is_case_file(const std::string& name) {
  return has_mask_ending(name) || Path(name).filename() == masks_file;
}

Result<MaskCollection> read_tar_masks(const Path& path, const std::string& volume) {
  FIDUCIAL_TRY(TarReader tar, TarReader::open(path));
  ArchivedCase chosen(volume);
  while (true) {
    FIDUCIAL_TRY(const std::optional<TarMember> member, tar.next());
    if (!member) return chosen.finish();
    if (!is_case_file(member->name)) continue;
    FIDUCIAL_TRY(const bool is_of_case, chosen.has(member->name));
    if (!is_of_case) continue;
    FIDUCIAL_TRY_DONE(
        chosen.take(member->name, {std::make_unique<BorrowedStream>(tar.content()), member->size}));
  }
}

Result<MaskCollection> read_zip_masks(const Path& path, const std::string& volume) {
  FIDUCIAL_TRY(const ZipReader zip, ZipReader::open(path));
  ArchivedCase chosen(volume);
  for (std::size_t i = 0; i < zip.entries().size(); ++i) {
    const ZipEntry& entry = zip.entries()[i];
    if (!is_case_file(entry.name)) continue;
    FIDUCIAL_TRY(const bool is_of_case, chosen.has(entry.name));
    if (!is_of_case) continue;
    FIDUCIAL_TRY(std::unique_ptr<ByteStream> bytes, zip.open_entry(i));
    FIDUCIAL_TRY_DONE(chosen.take(entry.name, {std::move(bytes), entry.size}));
  }
  return chosen.finish();
}

// The labels of an array as structures of their own, named where anything names them.
void split_by_names(const LabelNames& names, MaskCollection& masks) {
  const LabelMap array = std::move(masks.masks.front().labels);
  masks.masks.clear();
  masks.arrangement = MaskArrangement::structures;
  std::map<std::int32_t, std::vector<LabelRun>> runs;
  for (const auto& [label, name] : names) runs[label];
  for (const LabelRun& run : array.runs()) runs[run.label].push_back({run.row, run.begin, run.end, 1});
  for (auto& [label, each] : runs) {
    const auto named = names.find(label);
    const std::string name = named == names.end() ? "label " + decimal(label) : named->second;
    masks.masks.push_back({{.name = name, .id = static_cast<std::uint32_t>(label), .code = code_of(name)},
                           LabelMap(array.grid(), std::move(each))});
  }
}

Result<MaskCollection> read_single(const StoredMasksRequest& request) {
  FIDUCIAL_TRY(StoredFile file, open_stored(request.source));
  FIDUCIAL_TRY(ReadFile read, read_file(std::move(file)).in_file(request.source.string()));
  MaskCollection& masks = read.masks;
  const std::string name = request.source.filename().string();
  const bool names_itself = std::ranges::none_of(
      masks.masks, [](const MaskCollection::Member& member) { return member.about.name.empty(); });
  if (masks.origins.empty()) masks.origins.push_back({name, read.digest});
  if (names_itself && !request.names) return std::move(masks);
  if (masks.arrangement != MaskArrangement::labels) {
    if (request.names) return bad_usage("names are given for the labels of a label map; this file is none");
    for (MaskCollection::Member& member : masks.masks)
      member.about.name = "finding_" + decimal(member.about.id);
    return std::move(masks);
  }
  NamesBeside beside;
  if (request.names) {
    beside.names = *request.names;
  } else {
    FIDUCIAL_TRY(beside, names_beside(request.source, request.source.parent_path()));
  }
  masks.origins.insert(masks.origins.end(), beside.files.begin(), beside.files.end());
  if (beside.names.empty()) {
    masks.masks.front().about.name = without_mask_ending(name);
  } else {
    split_by_names(beside.names, masks);
  }
  return std::move(masks);
}

// Files of DICOM have names of every kind.
bool is_dicom_file(const Path& path) {
  const auto file = FileStream::open(path);
  Bytes first(mask_format_bytes);
  if (!file.ok() || !(*file)->read(first).ok()) return false;
  return begins_as_dicom(first);
}

}  // namespace

bool is_masks_source(const Path& path) {
  if (is_folder(path)) {
    const Result<std::vector<FolderEntry>> entries = entries_of(path);
    return entries.ok() && std::ranges::any_of(*entries, [](const FolderEntry& entry) {
             return !entry.is_folder && has_mask_ending(entry.path.filename().string());
           });
  }
  const std::string name = path.filename().string();
  const MaskFormat* const format = find_mask_format(name);
  return is_tar_name(name) || name.ends_with(".zip") || (format != nullptr && format->keeps_names) ||
         is_dicom_file(path);
}

Result<MaskCollection> read_stored_masks(const StoredMasksRequest& request) {
  const std::string name = request.source.filename().string();
  const std::string path = request.source.string();
  FIDUCIAL_TRY_DONE(check_reachable(request.source));
  const bool is_several = is_tar_name(name) || name.ends_with(".zip");
  if (!request.volume.empty() && !is_several)
    return Error(ErrorCode::bad_usage, "--volume chooses from an archive", Place{.path = path});
  if (is_folder(request.source)) return read_folder_masks(request.source);
  if (is_tar_name(name)) return read_tar_masks(request.source, request.volume).in_file(path);
  if (name.ends_with(".zip")) return read_zip_masks(request.source, request.volume).in_file(path);
  return read_single(request);
}

}  // namespace fiducial
