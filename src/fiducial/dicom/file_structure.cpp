#include "fiducial/dicom/file_structure.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::size_t preamble_bytes = 128;
constexpr std::uint32_t undefined_length = 0xFFFFFFFF;
constexpr std::uint32_t transfer_syntax_tag = 0x00020010;
constexpr std::uint32_t media_class_tag = 0x00020002;
constexpr std::uint32_t item_tag = 0xFFFEE000;
constexpr std::uint32_t item_end_tag = 0xFFFEE00D;
constexpr std::uint32_t sequence_end_tag = 0xFFFEE0DD;
constexpr std::uint32_t pixel_data_tag = 0x7FE00010;
constexpr int deepest_nesting = 64;

constexpr std::string_view implicit_syntax = "1.2.840.10008.1.2";
constexpr std::string_view big_endian_syntax = "1.2.840.10008.1.2.2";
constexpr std::string_view deflated_syntax = "1.2.840.10008.1.2.1.99";

struct Encoding {
  bool explicit_kind = true;
  bool swapped = false;
};

struct Element {
  std::uint64_t at = 0;
  std::uint32_t tag = 0;
  std::uint32_t length = 0;
  std::uint64_t value_at = 0;
  bool encoding_broken = false;
  bool holds_implicit = false;  // an unknown kind of undefined length is encoded without kinds
};

std::string tag_text(std::uint32_t tag) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "(";
  for (int shift = 28; shift >= 0; shift -= 4) {
    out += digits[tag >> static_cast<unsigned>(shift) & 0xFU];
    if (shift == 16) out += ',';
  }
  return out + ")";
}

bool has_long_length(std::string_view kind) {
  constexpr std::array<std::string_view, 13> kinds = {"OB", "OD", "OF", "OL", "OV", "OW", "SQ",
                                                      "SV", "UC", "UN", "UR", "UT", "UV"};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

class Walker {
 public:
  explicit Walker(const ByteSource& file) : file_(file) {}

  // The element at a place; where the file ends inside its front an error.
  Result<Element> element_at(std::uint64_t at, Encoding encoding) const {
    std::array<std::byte, 12> front{};
    FIDUCIAL_TRY(const std::size_t got, file_.read_at(at, front));
    if (got < 8) return ends_inside(at, "an element");
    const ByteView bytes(front);
    Element out{.at = at, .value_at = at + 8};
    out.tag = std::uint32_t{load<std::uint16_t>(bytes, 0, encoding.swapped)} << 16U |
              load<std::uint16_t>(bytes, 2, encoding.swapped);
    const bool bare = !encoding.explicit_kind || out.tag >> 16U == item_tag >> 16U;
    if (bare) {
      out.length = load<std::uint32_t>(bytes, 4, encoding.swapped);
      return out;
    }
    const std::string_view kind = as_text(bytes.subspan(4, 2));
    out.encoding_broken = !std::all_of(kind.begin(), kind.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!has_long_length(kind)) {
      out.length = load<std::uint16_t>(bytes, 6, encoding.swapped);
      return out;
    }
    if (got < 12) return ends_inside(at, "element " + tag_text(out.tag));
    out.length = load<std::uint32_t>(bytes, 8, encoding.swapped);
    out.value_at = at + 12;
    out.holds_implicit = kind == "UN";
    return out;
  }

  // The first byte after an element and all that is in it; nothing where the encoding is broken.
  Result<std::optional<std::uint64_t>> end_of(const Element& element, Encoding encoding, int depth) const {
    if (element.encoding_broken || depth > deepest_nesting) return std::optional<std::uint64_t>();
    if (element.length != undefined_length) {
      const std::uint64_t end = element.value_at + element.length;
      if (end <= file_.size()) return std::optional(end);
      return cut_off(element.at, "element " + tag_text(element.tag) + " needs " + decimal(element.length) +
                                     " bytes from byte " + decimal(element.value_at) +
                                     " on, but the file ends at " + decimal(file_.size()));
    }
    if (element.holds_implicit) encoding.explicit_kind = false;
    return end_of_nested(element, encoding, depth);
  }

  Result<std::string> text_of(const Element& element) const {
    std::string out(std::min<std::size_t>(element.length, 64), '\0');
    FIDUCIAL_TRY(const std::size_t got,
                 file_.read_at(element.value_at, {reinterpret_cast<std::byte*>(out.data()), out.size()}));
    out.resize(got);
    while (!out.empty() && (out.back() == '\0' || out.back() == ' ')) out.pop_back();
    return out;
  }

  std::uint64_t size() const { return file_.size(); }

  static Error cut_off(std::uint64_t at, std::string message) {
    return {ErrorCode::invalid_data, "truncated: " + std::move(message), Place{.byte = at}};
  }

 private:
  Error ends_inside(std::uint64_t at, const std::string& what) const {
    return cut_off(
        at, what + " starts at byte " + decimal(at) + ", but the file ends at " + decimal(file_.size()));
  }

  // Items of a sequence, elements of an item or fragments of pixel data, up to their delimiter.
  Result<std::optional<std::uint64_t>> end_of_nested(const Element& outer, Encoding encoding,
                                                     int depth) const {
    const std::uint32_t delimiter = outer.tag == item_tag ? item_end_tag : sequence_end_tag;
    std::uint64_t at = outer.value_at;
    for (;;) {
      FIDUCIAL_TRY(const Element inner, element_at(at, encoding));
      if (inner.tag == delimiter) return std::optional(inner.value_at);
      FIDUCIAL_TRY(const std::optional<std::uint64_t> next, end_of(inner, encoding, depth + 1));
      if (!next) return next;
      at = *next;
    }
  }

  const ByteSource& file_;
};

// Where the meta information starts, if the file is DICOM.
Result<std::optional<std::uint64_t>> find_start(const ByteSource& file) {
  std::array<std::byte, preamble_bytes + 4> front{};
  FIDUCIAL_TRY(const std::size_t got, file.read_at(0, front));
  const ByteView bytes = ByteView(front).first(got);
  if (got == front.size() && as_text(bytes.subspan(preamble_bytes)) == "DICM") {
    return std::optional<std::uint64_t>(front.size());
  }
  // Old files start with their first element; its group is 0002 or 0008, its number small and even.
  const bool bare = got == front.size() && (bytes[0] == std::byte{2} || bytes[0] == std::byte{8}) &&
                    bytes[1] == std::byte{0} && bytes[3] == std::byte{0} &&
                    (bytes[2] & std::byte{0xE0}) == std::byte{0};
  if (bare) return std::optional<std::uint64_t>(0);
  const bool zeros = std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
  if (got < front.size() && zeros) {
    return Walker::cut_off(got, "expected a DICOM file, found " + decimal(got) + " bytes");
  }
  return std::optional<std::uint64_t>();
}

// Reads the elements of group 2, which are always little endian with kinds; returns where they end.
Result<std::optional<std::uint64_t>> read_meta(const Walker& walker, std::uint64_t at, DicomStructure& out) {
  while (at < walker.size()) {
    FIDUCIAL_TRY(const Element element, walker.element_at(at, {}));
    if (element.tag >> 16U != 2) break;
    FIDUCIAL_TRY(const std::optional<std::uint64_t> next, walker.end_of(element, {}, 0));
    if (!next) return next;
    if (element.tag == transfer_syntax_tag) {
      FIDUCIAL_TRY(out.transfer_syntax, walker.text_of(element));
    } else if (element.tag == media_class_tag) {
      FIDUCIAL_TRY(out.media_class, walker.text_of(element));
    }
    at = *next;
  }
  return std::optional(at);
}

Outcome follow_elements(const Walker& walker, std::uint64_t at, DicomStructure& out) {
  const Encoding encoding{.explicit_kind = out.transfer_syntax != implicit_syntax,
                          .swapped = out.transfer_syntax == big_endian_syntax};
  while (at < walker.size()) {
    const Result<Element> element = walker.element_at(at, encoding);
    // Some writers pad the file after the pixels.
    if (!element.ok() && out.pixel_data_at) break;
    if (!element.ok()) return element.error();
    if (element->tag == pixel_data_tag) {
      out.pixel_data_at = at;
      if (element->length != undefined_length) out.native_bytes = element->length;
    }
    const bool padding = out.pixel_data_at && *out.pixel_data_at < at;
    const auto next = walker.end_of(*element, encoding, 0);
    if (!next.ok() && padding) break;
    if (!next.ok()) return next.error();
    if (!*next) {
      if (!padding) out.pixel_data_at.reset();
      if (!padding) return done();
      break;
    }
    at = **next;
  }
  out.followed = true;
  return done();
}

}  // namespace

Result<std::optional<DicomStructure>> read_dicom_structure(const ByteSource& file) {
  FIDUCIAL_TRY(const std::optional<std::uint64_t> start, find_start(file));
  if (!start) return std::optional<DicomStructure>();
  const Walker walker(file);
  DicomStructure out;
  FIDUCIAL_TRY(const std::optional<std::uint64_t> data_set, read_meta(walker, *start, out));
  // Without meta information nobody says how elements are encoded; a deflated data set cannot be followed.
  const bool encoding_known = !out.transfer_syntax.empty() && out.transfer_syntax != deflated_syntax;
  if (data_set && *data_set >= file.size()) {
    return Walker::cut_off(*data_set, "nothing follows the meta information");
  }
  if (data_set && encoding_known) FIDUCIAL_TRY_DONE(follow_elements(walker, *data_set, out));
  return std::optional(std::move(out));
}

}  // namespace fiducial
