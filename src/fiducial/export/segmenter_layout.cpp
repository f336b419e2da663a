#include "fiducial/export/segmenter_layout.h"

#include <algorithm>
#include <map>
#include <memory>

#include "fiducial/anatomy/case_masks.h"
#include "fiducial/anatomy/mask_places.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/image/label_extension.h"

namespace fiducial {

namespace {

constexpr SegmenterLayout known_layouts[] = {
    {.id = "voxtell", .title = "VoxTell: CASE_SENTENCE.nii.gz", .folders = false, .prefixed_files = true},
    {.id = "sat", .title = "SAT: DATASET/seg_CASE/NAME.nii.gz", .folder_prefix = "seg_", .loses_place = true},
    {.id = "nnunet", .title = "nnU-Net: CASE.nii.gz and dataset.json", .folders = false, .label_maps = true},
    {.id = "totalsegmentator",
     .title = "TotalSegmentator: CASE/CLASS.nii.gz, or label maps CASE.nii.gz",
     .label_maps = true},
    {.id = "folder",
     .title = "any folder: CASE/NAME.nii.gz, CASE_NAME.nii.gz or label maps CASE.nii.gz",
     .prefixed_files = true,
     .label_maps = true},
};

// The case a name begins with, the longest where several fit: CASE_NAME.
const std::string* case_before(std::string_view name, std::span<const std::string> stems) {
  const std::string* out = nullptr;
  for (const std::string& stem : stems) {
    if (name.size() <= stem.size() || !name.starts_with(stem) || name[stem.size()] != '_') continue;
    if (out == nullptr || stem.size() > out->size()) out = &stem;
  }
  return out;
}

// Names of a label map's labels: CASE.json, an extension of its header, labels.json or dataset.json beside
// it.
Result<LabelNames> names_of_labels(const Path& file, const std::string& stem) {
  const Path beside = file.parent_path() / (stem + ".json");
  if (is_file(beside)) {
    FIDUCIAL_TRY(const std::string text, read_text_file(beside));
    return parse_label_names(text).in_file(beside.string());
  }
  FIDUCIAL_TRY(std::unique_ptr<FileStream> stored, FileStream::open(file));
  FIDUCIAL_TRY(LabelNames own, read_label_extension(std::move(stored)).in_file(file.string()));
  if (!own.empty()) return own;
  for (const char* name : {"labels.json", "dataset.json"}) {
    const Path shared = file.parent_path() / name;
    if (!is_file(shared)) continue;
    FIDUCIAL_TRY(const std::string text, read_text_file(shared));
    return parse_label_names(text).in_file(shared.string());
  }
  return LabelNames();
}

// Collects what belongs to each case, and what belongs to none.
class OutputFinder {
 public:
  OutputFinder(const SegmenterLayout& layout, std::span<const std::string> stems)
      : layout_(layout), stems_(stems) {
    for (const std::string& stem : stems) found_[stem].stem = stem;
  }

  Outcome add(const Path& root, const Path& file) {
    const std::string stem = volume_stem(file.filename().string());
    const std::string folder = file.parent_path() == root ? "" : file.parent_path().filename().string();
    if (layout_.folders && folder.starts_with(layout_.folder_prefix)) {
      if (const auto of = found_.find(folder.substr(layout_.folder_prefix.size())); of != found_.end()) {
        of->second.masks.push_back({stem, file, std::nullopt});
        return done();
      }
    }
    if (layout_.label_maps && found_.contains(stem)) return add_label_map(file, stem);
    if (const std::string* of = layout_.prefixed_files ? case_before(stem, stems_) : nullptr) {
      found_[*of].masks.push_back({stem.substr(of->size() + 1), file, std::nullopt});
      return done();
    }
    // SAT's sums of labels and its images say nothing that its masks do not.
    if (layout_.loses_place && !folder.starts_with(layout_.folder_prefix)) return done();
    strangers_.push_back(file.lexically_relative(root).string());
    return done();
  }

  Result<std::vector<CaseOutputs>> finish(const Path& root) {
    if (!strangers_.empty()) {
      return Error(ErrorCode::invalid_data,
                   decimal(strangers_.size()) + " files belong to no case of the split, such as " +
                       strangers_.front() + ": they are of other patients, or named otherwise than " +
                       std::string(layout_.title) +
                       (layout_.prefixed_files && found_.contains(volume_stem(strangers_.front()))
                            ? "; several structures in one map lose what overlaps"
                            : ""),
                   Place{.path = root.string()});
    }
    std::vector<CaseOutputs> out;
    out.reserve(stems_.size());
    for (const std::string& stem : stems_) {
      CaseOutputs& each = found_[stem];
      std::sort(each.masks.begin(), each.masks.end(), [](const NamedOutput& a, const NamedOutput& b) {
        return a.name != b.name ? a.name < b.name : a.file < b.file;
      });
      out.push_back(std::move(each));
    }
    return out;
  }

 private:
  Outcome add_label_map(const Path& file, const std::string& stem) {
    FIDUCIAL_TRY(LabelNames names, names_of_labels(file, stem));
    if (names.empty() && layout_.id == "totalsegmentator") names = total_label_names();
    if (names.empty()) {
      return Error(ErrorCode::invalid_data,
                   "nothing names the labels of this map: neither its header nor " + stem +
                       ".json, labels.json or dataset.json beside it",
                   Place{.path = file.string()});
    }
    for (const auto& [label, name] : names) found_[stem].masks.push_back({name, file, label});
    return done();
  }

  const SegmenterLayout& layout_;
  std::span<const std::string> stems_;
  std::map<std::string, CaseOutputs> found_;
  std::vector<std::string> strangers_;
};

}  // namespace

std::span<const SegmenterLayout> segmenter_layouts() { return known_layouts; }

Result<const SegmenterLayout*> find_segmenter_layout(std::string_view id) {
  std::vector<std::string> known;
  known.reserve(std::size(known_layouts));
  for (const SegmenterLayout& layout : known_layouts) {
    if (layout.id == id) return &layout;
    known.emplace_back(layout.id);
  }
  return bad_usage(unknown_name("segmenter", id, known));
}

Result<std::vector<CaseOutputs>> find_segmenter_outputs(const Path& folder, const SegmenterLayout& layout,
                                                        std::span<const std::string> stems) {
  FIDUCIAL_TRY(std::vector<Path> files, files_below(folder));
  std::sort(files.begin(), files.end());
  OutputFinder finder(layout, stems);
  for (const Path& file : files) {
    if (is_mask_file(file.filename().string())) FIDUCIAL_TRY_DONE(finder.add(folder, file));
  }
  return finder.finish(folder);
}

}  // namespace fiducial
