#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/result.h"

namespace fiducial {

// A class of TotalSegmentator's task `total`, with the SNOMED CT code that DICOM segmentations give it.
struct TotalClass {
  std::int32_t label = 0;
  std::string name;         // "lung_upper_lobe_left"
  std::string snomed_code;  // of the structure without its side
  std::string snomed_meaning;
  std::string side;  // "left", "right" or ""
};

// Something masks are made of.
struct Structure {
  struct Part {
    std::string name;
    bool optional = false;  // a body need not have it
  };

  std::string name;                        // "left lung upper lobe"
  std::optional<std::size_t> total_class;  // into Anatomy::total_classes()
  std::vector<Part> parts;                 // of which it is the union; empty: it is no union
  bool published = true;                   // one of the 210 masks of RadGenome-Chest CT
};

// How a path of the anatomy is known.
enum class PathStatus {
  listed,   // one of the 174 of the published tables
  sibling,  // not among them, but a member of the union above it: "bone/bone/rib/left rib/left rib 3"
  unknown,
};
std::string_view to_string(PathStatus status);

// The mask that stands for a path.
struct PathMask {
  enum class Kind { structure, region, whole_scan, none };

  Kind kind = Kind::none;
  std::string name;  // of the structure or region
};

// The anatomy of RadGenome-Chest CT: structures and their unions, regions, paths, and what other tools call
// them. Read from data/*.txt, which is compiled in. Immutable.
class Anatomy {
 public:
  static const Anatomy& chest_ct();

  const std::vector<Structure>& structures() const { return structures_; }
  const std::vector<TotalClass>& total_classes() const { return total_classes_; }
  const std::vector<std::string>& paths() const { return paths_; }      // the 174, parents before children
  const std::vector<std::string>& regions() const { return regions_; }  // the first names of paths

  // By any of its names: "left lung upper lobe", "lung_upper_lobe_left", "Lung-Left.nii.gz"; or nullptr.
  const Structure* find(std::string_view name) const;
  const TotalClass* total_class(std::int32_t label) const;

  PathStatus status_of(std::string_view path) const;
  // The last name of a path where there is a mask of it, else its region; "others" and the empty path are
  // the whole scan. Nothing for a name that has neither.
  PathMask mask_of(std::string_view path) const;
  // The structures below a region, without unions of others.
  std::vector<std::string> members_of_region(std::string_view region) const;
  bool is_region(std::string_view name) const;

 private:
  Anatomy();
  void read_total_classes(std::string_view text);
  void read_masks(std::string_view text);
  void read_names(std::string_view text);
  void read_paths(std::string_view text);
  void add_structure(Structure structure);
  void add_name(std::string_view other, std::size_t structure);
  bool has_part(std::string_view structure, std::string_view part) const;
  void add_leaves(const Structure& structure, std::vector<std::string>& out) const;

  std::vector<TotalClass> total_classes_;
  std::vector<Structure> structures_;
  std::vector<std::string> paths_;
  std::vector<std::string> regions_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
};

// A name as names are compared: lower case, words apart by one space, without .nii or .nii.gz.
std::string plain_structure_name(std::string_view name);

// "left", "right" or "": the side a structure's name says.
std::string_view side_of_structure(std::string_view name);

}  // namespace fiducial
