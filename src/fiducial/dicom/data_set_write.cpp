#include <algorithm>
#include <array>

#include "fiducial/dicom/data_set.h"

namespace fiducial {

namespace {

constexpr std::array<std::string_view, 13> long_kinds = {"OB", "OD", "OF", "OL", "OV", "OW", "SQ",
                                                         "SV", "UC", "UN", "UR", "UT", "UV"};

void append16(std::string& out, std::uint16_t value) {
  out += static_cast<char>(value & 0xFFU);
  out += static_cast<char>(value >> 8U);
}

void append32(std::string& out, std::uint32_t value) {
  append16(out, static_cast<std::uint16_t>(value & 0xFFFFU));
  append16(out, static_cast<std::uint16_t>(value >> 16U));
}

void append_tag(std::string& out, DicomTag tag) {
  append16(out, static_cast<std::uint16_t>(tag >> 16U));
  append16(out, static_cast<std::uint16_t>(tag & 0xFFFFU));
}

void append_front(std::string& out, DicomTag tag, std::string_view kind, std::size_t length) {
  append_tag(out, tag);
  const bool is_long = std::find(long_kinds.begin(), long_kinds.end(), kind) != long_kinds.end();
  // A text too long for its kind becomes one of unlimited length.
  const bool grows = !is_long && length > 0xFFFF;
  out += grows ? std::string_view("UN") : kind;
  if (is_long || grows) {
    append16(out, 0);
    append32(out, static_cast<std::uint32_t>(length));
  } else {
    append16(out, static_cast<std::uint16_t>(length));
  }
}

std::string encoded(const DicomDataSet& data) {
  std::string out;
  for (const DicomElement& element : data.elements()) {
    if (!element.is_sequence()) {
      append_front(out, element.tag, element.kind, element.value.size());
      out += element.value;
      continue;
    }
    std::string items;
    for (const DicomDataSet& item : element.items) {
      const std::string content = encoded(item);
      append_tag(items, 0xFFFEE000);
      append32(items, static_cast<std::uint32_t>(content.size()));
      items += content;
    }
    append_front(out, element.tag, "SQ", items.size());
    out += items;
  }
  return out;
}

}  // namespace

Bytes dicom_bytes(const DicomFile& file) {
  FIDUCIAL_ASSERT(file.fragments.empty());
  DicomDataSet meta = file.meta;
  meta.put({0x00020001, "OB", std::string("\0\1", 2), {}});
  meta.set(0x00020002, "UI", file.data.text(0x00080016));
  meta.set(0x00020003, "UI", file.data.text(0x00080018));
  meta.set(0x00020010, "UI", explicit_little_endian);
  meta.erase(0x00020000);
  const std::string meta_text = encoded(meta);
  std::string out(128, '\0');
  out += "DICM";
  append_front(out, 0x00020000, "UL", 4);
  append32(out, static_cast<std::uint32_t>(meta_text.size()));
  out += meta_text;
  out += encoded(file.data);
  if (file.pixels) {
    append_front(out, 0x7FE00010, file.pixels_kind, file.pixels->size());
    out += *file.pixels;
  }
  return {as_bytes(out).begin(), as_bytes(out).end()};
}

}  // namespace fiducial
