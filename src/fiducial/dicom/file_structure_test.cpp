#include "fiducial/dicom/file_structure.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::string little(std::uint32_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
  return out;
}

std::string tag(std::uint32_t value) { return little(value >> 16U, 2) + little(value & 0xFFFFU, 2); }

std::string element(std::uint32_t number, const std::string& kind, const std::string& value) {
  const bool wide = kind == "OW" || kind == "SQ" || kind == "UN";
  const auto length = static_cast<std::uint32_t>(value.size());
  return tag(number) + kind + (wide ? little(0, 2) + little(length, 4) : little(length, 2)) + value;
}

std::string file_of(const std::string& data_set, const std::string& syntax = "1.2.840.10008.1.2.1") {
  return std::string(128, '\0') + "DICM" + element(0x00020010, "UI", syntax) + data_set;
}

Result<std::optional<DicomStructure>> structure(const std::string& bytes) {
  return read_dicom_structure(MemorySource(as_bytes(bytes)));
}

const std::string nested = tag(0x00081140) + "SQ" + little(0, 2) + little(0xFFFFFFFF, 4) + tag(0xFFFEE000) +
                           little(0xFFFFFFFF, 4) + element(0x00081150, "UI", "1.2.3.") + tag(0xFFFEE00D) +
                           little(0, 4) + tag(0xFFFEE0DD) + little(0, 4);
const std::string fragments = tag(0x7FE00010) + "OB" + little(0, 2) + little(0xFFFFFFFF, 4) +
                              tag(0xFFFEE000) + little(0, 4) + tag(0xFFFEE000) + little(6, 4) + "pixels" +
                              tag(0xFFFEE0DD) + little(0, 4);

TEST(DicomStructure, finds_syntax_and_pixels) {
  const std::string header = file_of(element(0x00080060, "CS", "CT") + nested);
  const auto found = structure(header + element(0x7FE00010, "OW", "pixels"));
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->transfer_syntax, "1.2.840.10008.1.2.1");
  EXPECT_EQ((*found)->pixel_data_at, header.size());
  EXPECT_EQ((*found)->native_bytes, 6U);
  EXPECT_TRUE((*found)->followed);
}

TEST(DicomStructure, of_any_shorter_file_is_an_error_or_has_no_pixels) {
  for (const std::string& pixels : {element(0x7FE00010, "OW", "pixels"), fragments}) {
    const std::string whole = file_of(element(0x00080060, "CS", "CT") + nested + pixels);
    ASSERT_TRUE(structure(whole).ok());
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto found = structure(whole.substr(0, size));
      EXPECT_FALSE(found.ok() && found->has_value() && (*found)->pixel_data_at) << size;
    }
  }
}

TEST(DicomStructure, allows_padding_after_the_pixels) {
  for (const char* padding : {"\n", "garbage that is no element"}) {
    const auto found = structure(file_of(fragments) + padding);
    ASSERT_TRUE(found.ok() && found->has_value());
    EXPECT_TRUE((*found)->pixel_data_at && (*found)->followed);
  }
}

TEST(DicomStructure, is_nothing_for_other_files) {
  for (const std::string& text : {std::string("a text"), std::string(200, 'x')}) {
    const auto found = structure(text);
    ASSERT_TRUE(found.ok());
    EXPECT_FALSE(found->has_value());
  }
}

TEST(DicomStructure, of_an_element_without_a_kind_is_left_to_others) {
  const auto found = structure(file_of(tag(0x00080060) + little(2, 4) + "CT" + fragments));
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_FALSE((*found)->followed);
}

TEST(DicomStructure, stops_at_bottomless_nesting) {
  std::string deep;
  for (int i = 0; i < 10'000; ++i) {
    deep += tag(0x00081140) + "SQ" + little(0, 2) + little(0xFFFFFFFF, 4) + tag(0xFFFEE000) +
            little(0xFFFFFFFF, 4);
  }
  const auto found = structure(file_of(deep));
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_FALSE((*found)->followed);
}

}  // namespace
}  // namespace fiducial
