#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/masks/mask_collection.h"
#include "fiducial/masks/mask_reader.h"

namespace fiducial {

// A kind of file that masks are kept in. The readers of masks know formats by this declaration alone:
// references and predictions, organ masks in folders and archives, the web app, the conversions.
struct MaskFormat {
  std::string id;                    // "nifti"
  std::string title;                 // "NIfTI"
  std::vector<std::string> endings;  // of file names, the one that is written first: ".nii.gz", ".nii"
  // Whether a file is one, by its first mask_format_bytes bytes (all of them, of a shorter file).
  bool (*begins)(ByteView first) = nullptr;
  // Whether it reads its file here and there: then a file with one of its endings is opened so, and one mask
  // costs what that mask costs. Others are read from front to back.
  bool reads_anywhere = false;
  // Reads and checks the head, and allocates nothing by what it merely promises.
  Result<std::unique_ptr<MaskReader>> (*open)(MaskSource source) = nullptr;
  // One file of all the masks, for a file of that name; none of formats that are only read.
  Result<Bytes> (*encode)(const MaskCollection& masks, std::string_view file_name) = nullptr;
  bool keeps_names = true;  // whether such a file says what its masks are of
};

inline constexpr std::size_t mask_format_bytes = 512;

// By their lines in all_mask_formats.def. The first one, NIfTI, also gets what nobody recognises: its errors
// say what is wrong with such a file.
const std::vector<MaskFormat>& all_mask_formats();

// By the ending of a file name; the longest ending that fits wins. Nothing for other names.
const MaskFormat* find_mask_format(std::string_view file_name);
bool has_mask_ending(std::string_view file_name);
// "case.nii.gz" -> "case"; other names as they are.
std::string_view without_mask_ending(std::string_view file_name);
// Every name that the masks of one stem may have, in the order of the formats: "case.nii.gz", "case.nii", ...
std::vector<std::string> mask_names(std::string_view stem);

// The same masks in another format: of "case.nii.gz" the first of "case.fmask", ... that is there. An ending
// of the same format is another name and no other format: "case.nii" is not meant by "case.nii.gz".
std::optional<std::string> other_format_of(const std::string& name,
                                           const std::function<bool(const std::string& name)>& is_there);

// ".nii.gz, .nii, .fmask", for messages.
std::string all_mask_endings();
std::string written_mask_endings();  // those that masks are written to

// Opens a file of masks by how it begins, whatever its name is.
Result<std::unique_ptr<MaskReader>> open_masks(MaskSource source);
// By its name where that says how it is read, else by how it begins.
Result<std::unique_ptr<MaskReader>> open_masks(const Path& path);

}  // namespace fiducial
