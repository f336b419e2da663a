#include "fiducial/anatomy/mask_places.h"

#include <algorithm>

#include "fiducial/masks/mask_format.h"

namespace fiducial {

namespace {

std::string plain_mask_name(std::string_view file) {
  const std::string_view name = without_mask_ending(file);
  const Structure* structure = Anatomy::chest_ct().find(name);
  return structure != nullptr ? structure->name : plain_structure_name(name);
}

void add_wish(std::string_view name, std::vector<std::string>& wishes) {
  const Structure* structure = Anatomy::chest_ct().find(name);
  const std::string plain = plain_mask_name(name);
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

}  // namespace

bool is_mask_file(std::string_view name) { return has_mask_ending(name); }

bool is_tar_name(std::string_view name) {
  return name.ends_with(".tar") || name.ends_with(".tar.gz") || name.ends_with(".tgz") ||
         name.ends_with("_aa");
}

std::vector<std::filesystem::path> label_map_files(const std::filesystem::path& folder,
                                                   const std::string& stem) {
  std::vector<std::filesystem::path> out;
  for (const std::string& name : mask_names(stem)) {
    out.push_back(folder / name);
    out.push_back(folder / ("seg_" + name));
  }
  return out;
}

bool is_known_mask(const std::string& file) {
  const std::string_view name = without_mask_ending(file);
  return name.size() < file.size() && (Anatomy::chest_ct().find(name) != nullptr ||
                                       Anatomy::chest_ct().is_region(plain_structure_name(name)));
}

std::string name_below(const std::string& folder, const std::string& file) {
  return folder.find("region_mask") == std::string::npos ? file : std::string(region_prefix) + file;
}

MemberPlace place_of_member(const std::string& name) {
  const std::filesystem::path path(name);
  std::string folder = path.parent_path().filename().string();
  if (folder.starts_with("seg_")) folder.erase(0, 4);
  return {volume_stem(folder), name_below(name, path.filename().string())};
}

std::vector<std::string> all_wishes(const std::vector<std::string>& wanted) {
  std::vector<std::string> out;
  for (const std::string& name : wanted) add_wish(name, out);
  return out;
}

bool is_wished(const std::string& file, const std::vector<std::string>& wishes) {
  return wishes.empty() || std::find(wishes.begin(), wishes.end(), plain_mask_name(file)) != wishes.end();
}

std::string volume_stem(std::string_view volume) {
  const std::string name = std::filesystem::path(volume).filename().string();
  return std::string(without_mask_ending(name));
}

}  // namespace fiducial
