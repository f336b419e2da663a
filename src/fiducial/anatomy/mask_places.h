#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/anatomy/case_masks.h"
#include "fiducial/base/byte_stream.h"

namespace fiducial {

bool is_mask_file(std::string_view name);
// Archives by the name of their file; the first of several parts, NAME_aa, is one.
bool is_tar_name(std::string_view name);

// Where one file of all masks of a volume may lie in a folder: V.nii.gz, seg_V.nii.gz, V.fmask, ...
std::vector<std::filesystem::path> label_map_files(const std::filesystem::path& folder,
                                                   const std::string& stem);

// Whether a file or region of that name is a mask of something that the anatomy knows.
bool is_known_mask(const std::string& file);

// Masks of whole regions lie apart from those of structures that have the same name: the name of a file
// below a folder.
std::string name_below(const std::string& folder, const std::string& file);

// The volume a member of an archive belongs to, and what it is a mask of: "seg_train_1_a_1/aorta.nii.gz".
struct MemberPlace {
  std::string stem;
  std::string file;
};
MemberPlace place_of_member(const std::string& name);

// The structures that are wanted, with all that they may be made of.
std::vector<std::string> all_wishes(const std::vector<std::string>& wanted);
bool is_wished(const std::string& file, const std::vector<std::string>& wishes);

// Hands a mask's bytes on, and notes their hash.
template <typename Add>
void add_hashed(const std::string& name, std::unique_ptr<ByteStream> stored, CaseMasks& masks,
                const Add& add) {
  HashingStream bytes(std::move(stored));
  add(std::make_unique<BorrowedStream>(bytes));
  if (const Result<Digest> digest = bytes.finish(); digest.ok()) masks.note_file(name, *digest);
}

// A volume's name without its folder and .nii or .nii.gz.
std::string volume_stem(std::string_view volume);

}  // namespace fiducial
