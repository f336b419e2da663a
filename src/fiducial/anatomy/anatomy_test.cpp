#include "fiducial/anatomy/anatomy.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

const Anatomy& anatomy() { return Anatomy::chest_ct(); }

std::string_view node(std::string_view path) { return path.substr(path.rfind('/') + 1); }

TEST(Anatomy, has_the_published_paths_nodes_and_masks) {
  std::set<std::string_view> nodes;
  for (const std::string& path : anatomy().paths()) nodes.insert(node(path));
  EXPECT_EQ(anatomy().paths().size(), 174U);
  EXPECT_EQ(nodes.size(), 139U);
  std::int64_t masks = 0;
  std::int64_t direct = 0;
  std::int64_t unused = 0;
  for (const Structure& structure : anatomy().structures()) {
    if (!structure.published) continue;
    ++masks;
    if (structure.total_class) ++direct;
    if (!nodes.contains(structure.name)) ++unused;
  }
  EXPECT_EQ(masks, 210);
  EXPECT_EQ(direct, 101);
  EXPECT_EQ(unused, 77);
  EXPECT_EQ(anatomy().regions().size(), 11U);
}

TEST(Anatomy, has_every_beginning_of_a_path_and_refuses_malformed_ones) {
  for (const std::string& path : anatomy().paths()) {
    EXPECT_EQ(anatomy().status_of(path), PathStatus::listed);
    if (path.find('/') != std::string::npos) {
      EXPECT_EQ(anatomy().status_of(path.substr(0, path.rfind('/'))), PathStatus::listed) << path;
    }
  }
  for (const char* path :
       {"", "lungs", "lung/left lung", "lung/lung/", "/lung", "lung/lung/left lung/right lung lower lobe",
        "bone/bone/rib/rib 3/left rib 4", "bone/bone/rib/left rib/left rib 13"}) {
    EXPECT_EQ(anatomy().status_of(path), PathStatus::unknown) << path;
  }
}

TEST(Anatomy, accepts_siblings_that_the_published_tables_lack) {
  for (const char* path :
       {"bone/bone/rib/left rib/left rib 3", "bone/bone/rib/rib 12/left rib 12",
        "bone/bone/vertebrae/cervical vertebrae/cervical vertebrae 3 (c3)",
        "heart/heart/heart atrium/left heart atrium", "heart/heart/heart ventricle/left heart ventricle"}) {
    EXPECT_EQ(anatomy().status_of(path), PathStatus::sibling) << path;
  }
}

TEST(Anatomy, knows_structures_by_the_names_of_other_tools) {
  const std::pair<const char*, const char*> names[] = {{"lung_upper_lobe_left", "left lung upper lobe"},
                                                       {"Left_Lung.nii.gz", "left lung"},
                                                       {"lung_right", "right lung"},
                                                       {"rib_left_4", "left rib 4"},
                                                       {"vertebrae_T4", "thoracic vertebrae 4 (t4)"},
                                                       {"vertebrae_S1", "sacral vertebrae 1 (s1)"},
                                                       {"clavicula_right", "right clavicle"},
                                                       {"atrial_appendage_left", "left auricle of heart"},
                                                       {"costal_cartilages", "costal cartilage"},
                                                       {"hip_left", "left hip"},
                                                       {"heart_atrium_left", "left heart atrium"},
                                                       {"oesophagus", "esophagus"}};
  for (const auto& [other, own] : names) {
    const Structure* found = anatomy().find(other);
    ASSERT_NE(found, nullptr) << other;
    EXPECT_EQ(found->name, own);
  }
  EXPECT_EQ(anatomy().find("left nothing"), nullptr);
  EXPECT_EQ(anatomy().find(""), nullptr);
  EXPECT_EQ(anatomy().find("Thoracic_vertebrae_4")->name, "thoracic vertebrae 4 (t4)");
}

TEST(Anatomy, names_all_classes_of_totalsegmentator_with_codes) {
  ASSERT_EQ(anatomy().total_classes().size(), 117U);
  for (const TotalClass& one : anatomy().total_classes()) {
    ASSERT_NE(anatomy().find(one.name), nullptr) << one.name;
    EXPECT_FALSE(one.snomed_code.empty()) << one.name;
    EXPECT_EQ(anatomy().total_class(one.label), &one);
  }
  EXPECT_EQ(anatomy().total_class(5)->snomed_code, "10200004");
  EXPECT_EQ(anatomy().total_class(118), nullptr);
}

TEST(Anatomy, unions_name_masks_only) {
  for (const Structure& structure : anatomy().structures()) {
    for (const Structure::Part& part : structure.parts) {
      const Structure* found = anatomy().find(part.name);
      ASSERT_NE(found, nullptr) << part.name;
      EXPECT_EQ(found->name, part.name);
    }
  }
}

// Counts of the specification, on the published table.
TEST(Anatomy, resolves_every_path_of_the_published_table_as_published) {
  const auto table = data_pack_file("radgenome/vqa_abnormality.csv.gz");
  if (!table) GTEST_SKIP() << "data pack file radgenome/vqa_abnormality.csv.gz not found";
  InflateStream stream(FileStream::open(*table).value(), DeflateWrapper::gzip);
  std::string text(std::size_t{16} << 20, '\0');
  text.resize(stream.read(std::as_writable_bytes(std::span(text))).value());
  std::map<std::string, int> counts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with("train_")) continue;
    const std::size_t first = line.find(',') + 1;
    const std::string_view path = line.substr(first, line.find(',', first) - first);
    const PathMask mask = anatomy().mask_of(path);
    const char* kinds[] = {"structure", "region ", "whole", "none"};
    ++counts[kinds[static_cast<std::size_t>(mask.kind)] +
             (mask.kind == PathMask::Kind::region ? mask.name : "")];
  }
  EXPECT_EQ(counts["structure"], 30553);
  EXPECT_EQ(counts["region abdomen"], 3620);
  EXPECT_EQ(counts["region pleura"], 3024);
  EXPECT_EQ(counts["region mediastinum"], 1916);
  EXPECT_EQ(counts["region trachea and bronchie"], 1023);
  EXPECT_EQ(counts["whole"], 101);
  EXPECT_EQ(counts["none"], 4);
}

}  // namespace
}  // namespace fiducial
