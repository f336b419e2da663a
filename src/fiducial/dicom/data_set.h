#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/bytes.h"
#include "fiducial/base/result.h"

namespace fiducial {

// A tag as one number: group, then element, 0x00080018.
using DicomTag = std::uint32_t;

// "(0008,0018)".
std::string dicom_tag_text(DicomTag tag);

class DicomDataSet;

// An attribute: its kind (VR, two letters) and its value, or the items of a sequence.
struct DicomElement {
  DicomTag tag = 0;
  std::string kind;
  std::string value;  // bytes as they are encoded, little endian
  std::vector<DicomDataSet> items;

  bool is_sequence() const { return kind == "SQ"; }
};

// The attributes of a file or of an item, in the order of their tags, each once.
class DicomDataSet {
 public:
  const std::vector<DicomElement>& elements() const { return elements_; }
  std::vector<DicomElement>& elements() { return elements_; }
  const DicomElement* find(DicomTag tag) const;
  // Text without the padding; empty where there is none.
  std::string text(DicomTag tag) const;
  // The backslash-separated parts of a text.
  std::vector<std::string> texts(DicomTag tag) const;
  // A text of numbers, exactly as many as wanted.
  Result<std::vector<double>> numbers(DicomTag tag, std::size_t wanted) const;
  // The first 16-bit number of a value; nothing where there is none.
  std::optional<std::uint16_t> number16(DicomTag tag) const;
  // A text that is a whole number.
  std::optional<std::int64_t> integer_text(DicomTag tag) const;
  // The items of a sequence; none where there is none.
  const std::vector<DicomDataSet>& items(DicomTag tag) const;
  // The only item of a sequence or nothing.
  const DicomDataSet* first_item(DicomTag tag) const;

  // Sets an attribute, in its place. Texts are padded to an even length.
  void set(DicomTag tag, std::string_view kind, std::string_view value);
  void set16(DicomTag tag, std::initializer_list<std::uint16_t> values);
  void set32(DicomTag tag, std::initializer_list<std::uint32_t> values);
  void set_items(DicomTag tag, std::vector<DicomDataSet> items);
  void put(DicomElement element);
  void erase(DicomTag tag);

 private:
  std::vector<DicomElement> elements_;
};

// A file of one data set.
struct DicomFile {
  std::string transfer_syntax;
  DicomDataSet meta;  // group 0002
  DicomDataSet data;  // without pixels
  // Pixels that are not compressed, or the fragments of those that are, the first one being the offset table.
  std::optional<std::string> pixels;
  std::string pixels_kind = "OB";
  std::vector<std::string> fragments;
};

inline constexpr std::string_view explicit_little_endian = "1.2.840.10008.1.2.1";
inline constexpr std::string_view implicit_little_endian = "1.2.840.10008.1.2";
inline constexpr std::string_view deflated_little_endian = "1.2.840.10008.1.2.1.99";
inline constexpr std::string_view rle_lossless = "1.2.840.10008.1.2.5";

// Whether a file begins as DICOM files with meta information do.
bool begins_as_dicom(ByteView first_bytes);

// Reads a whole file. Every length is held against the bytes that are there; nesting and the number of
// elements are bounded; big endian files are refused. The data sets of files of any compression are read,
// their pixels stay as they are.
Result<DicomFile> parse_dicom(ByteView file);

// A file in explicit little endian, with its meta information and lengths as the standard wants them. Pixels
// that are not compressed only.
Bytes dicom_bytes(const DicomFile& file);

}  // namespace fiducial
