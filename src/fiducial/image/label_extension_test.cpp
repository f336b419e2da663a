#include "fiducial/image/label_extension.h"

#include <cstring>

#include <gtest/gtest.h>

#include "fiducial/image/nifti_header.h"

namespace fiducial {
namespace {

using Names = std::map<std::int32_t, std::string>;

// As TotalSegmentator writes it.
constexpr const char* total_table =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?> <CaretExtension>  <VolumeInformation Index=\"0\">   "
    "<LabelTable>\n"
    "<Label Key=\"1\" Red=\"0.1\" Green=\"0.2\" Blue=\"0.3\" Alpha=\"1\"><![CDATA[lung_left]]></Label>\n"
    "<Label Key=\"2\" Red=\"0.1\" Green=\"0.2\" Blue=\"0.3\" Alpha=\"1\"><![CDATA[lung_right]]></Label>\n"
    "  </LabelTable>  <VolumeType><![CDATA[Label]]></VolumeType>   </VolumeInformation></CaretExtension>";

Bytes file_with(const std::string& extension) {
  Bytes out = nifti_header_bytes(NiftiHeader{});
  const auto offset = static_cast<float>(352 + extension.size());
  std::memcpy(out.data() + 108, &offset, sizeof offset);
  for (const char c : extension) out.push_back(static_cast<std::byte>(c));
  out.push_back(std::byte{1});
  return out;
}

TEST(LabelExtension, names_the_labels_of_a_caret_table) {
  EXPECT_EQ(*parse_label_table(total_table), (Names{{1, "lung_left"}, {2, "lung_right"}}));
}

TEST(LabelExtension, refuses_two_names_for_one_label) {
  const auto refused = parse_label_table("<Label Key=\"1\">heart</Label><Label Key=\"1\">liver</Label>");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(), "label 1 has two names: \"heart\" and \"liver\"");
  EXPECT_TRUE(parse_label_table("<Label Key=\"1\">heart</Label><Label Key=\"1\">heart</Label>").ok());
}

TEST(LabelExtension, takes_names_without_cdata_and_passes_over_what_is_no_label) {
  EXPECT_EQ(*parse_label_table("<Label Key=\"7\"> heart </Label><Label Key=\"x\">a</Label><Label>b</Label>"
                               "<Label Key=\"-1\">c</Label><Label Key=\"8\"></Label><Label Key=\"9\">open"),
            (Names{{7, "heart"}}));
}

TEST(LabelExtension, is_read_from_the_front_of_a_file) {
  const Bytes named = file_with(std::string("\x01\0\0\0\x08\0\0\0", 8) + total_table);
  const auto names = read_label_extension(std::make_unique<MemoryStream>(named));
  ASSERT_TRUE(names.ok()) << names.error().text();
  EXPECT_EQ(names->size(), 2U);
  const Bytes plain = file_with("");
  EXPECT_TRUE(read_label_extension(std::make_unique<MemoryStream>(plain))->empty());
}

}  // namespace
}  // namespace fiducial
