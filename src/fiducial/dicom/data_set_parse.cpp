#include <algorithm>
#include <array>

#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/printable.h"
#include "fiducial/dicom/data_set.h"
#include "fiducial/dicom/implicit_kinds.h"

namespace fiducial {

namespace {

constexpr std::size_t dicom_preamble = 128;
constexpr std::uint32_t until_delimiter = 0xFFFFFFFF;
constexpr DicomTag item_start = 0xFFFEE000;
constexpr DicomTag item_end = 0xFFFEE00D;
constexpr DicomTag sequence_end = 0xFFFEE0DD;
constexpr DicomTag pixel_data = 0x7FE00010;
constexpr DicomTag syntax_tag = 0x00020010;
constexpr int deepest_item = 16;
constexpr std::uint64_t most_elements = 20'000'000;
constexpr std::uint64_t most_disorder = 4096;
constexpr std::uint64_t most_inflated = std::uint64_t{4} << 30;

bool is_long_kind(std::string_view kind) {
  constexpr std::array<std::string_view, 13> kinds = {"OB", "OD", "OF", "OL", "OV", "OW", "SQ",
                                                      "SV", "UC", "UN", "UR", "UT", "UV"};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// The front of an element.
struct Front {
  DicomTag tag = 0;
  std::string kind;
  std::uint32_t length = 0;
  std::size_t at = 0;
};

class Parser {
 public:
  explicit Parser(ByteView bytes) : bytes_(bytes) {}

  std::size_t at() const { return at_; }
  bool ended(std::size_t end) const { return at_ >= end; }

  // Elements up to a place, or to the delimiter of an item.
  Outcome read_elements(std::size_t end, bool explicit_kinds, int depth, DicomDataSet& out) {
    while (at_ < end) {
      if (depth > 0 && peek_tag() == item_end) {
        at_ += std::min<std::size_t>(8, bytes_.size() - at_);
        return done();
      }
      FIDUCIAL_TRY(const Front front, read_front(explicit_kinds, end));
      const std::uint32_t group = front.tag >> 16U;
      if (group <= 2 || group == 0xFFFE) {
        return error(front.at, "element " + dicom_tag_text(front.tag) + " has no place in a data set");
      }
      FIDUCIAL_TRY_DONE(check_order(front, out));
      if (depth == 0 && front.tag == pixel_data) {
        FIDUCIAL_TRY_DONE(read_pixels(front, end));
        continue;
      }
      DicomElement element{front.tag, front.kind, {}, {}};
      FIDUCIAL_TRY_DONE(read_value(front, explicit_kinds, end, depth, element));
      // Group lengths say nothing, and are wrong as soon as something changes.
      if ((front.tag & 0xFFFFU) == 0 && front.tag >> 16U != 2) continue;
      out.put(std::move(element));
    }
    return done();
  }

  // The meta information, which is explicit little endian.
  Outcome read_meta(DicomDataSet& out) {
    at_ = dicom_preamble + 4;
    while (at_ + 8 <= bytes_.size() && (peek_tag() >> 16U) == 2) {
      FIDUCIAL_TRY(const Front front, read_front(true, bytes_.size()));
      DicomElement element{front.tag, front.kind, {}, {}};
      FIDUCIAL_TRY_DONE(read_value(front, true, bytes_.size(), 0, element));
      out.put(std::move(element));
    }
    return done();
  }

  std::optional<std::string> pixels;
  std::string pixels_kind;
  std::vector<std::string> fragments;

 private:
  DicomTag peek_tag() const {
    if (at_ + 4 > bytes_.size()) return 0;
    return std::uint32_t{load<std::uint16_t>(bytes_, at_)} << 16U | load<std::uint16_t>(bytes_, at_ + 2);
  }

  Error error(std::size_t at, std::string message) const {
    return {ErrorCode::invalid_data, std::move(message), Place{.byte = at}};
  }

  // Tags ascend; a few that do not are put in their place.
  Outcome check_order(const Front& front, const DicomDataSet& out) {
    const bool ascends = out.elements().empty() || out.elements().back().tag < front.tag;
    if (ascends || ++disorder_ <= most_disorder) return done();
    return error(front.at, "the elements are not in the order of their tags");
  }

  Result<Front> read_front(bool explicit_kinds, std::size_t end) {
    if (++elements_ > most_elements) return error(at_, "more than " + decimal(most_elements) + " elements");
    if (end - at_ < 8) return error(at_, "truncated: an element starts where the data end");
    Front out{.tag = peek_tag(), .kind = {}, .length = 0, .at = at_};
    const bool bare = !explicit_kinds || (out.tag >> 16U) == 0xFFFE;
    if (bare) {
      out.kind = std::string(implicit_kind(out.tag));
      out.length = load<std::uint32_t>(bytes_, at_ + 4);
      at_ += 8;
      return out;
    }
    out.kind = std::string(as_text(bytes_.subspan(at_ + 4, 2)));
    if (!std::all_of(out.kind.begin(), out.kind.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) {
      return error(at_, "element " + dicom_tag_text(out.tag) + " has no kind of two letters");
    }
    if (!is_long_kind(out.kind)) {
      out.length = load<std::uint16_t>(bytes_, at_ + 6);
      at_ += 8;
      return out;
    }
    if (end - at_ < 12)
      return error(at_, "truncated: element " + dicom_tag_text(out.tag) + " starts where the data end");
    out.length = load<std::uint32_t>(bytes_, at_ + 8);
    at_ += 12;
    return out;
  }

  Result<std::string> take(const Front& front, std::size_t end) {
    if (front.length > end - at_) {
      return error(front.at, "truncated: element " + dicom_tag_text(front.tag) + " needs " +
                                 decimal(front.length) + " bytes, " + decimal(end - at_) + " are left");
    }
    std::string out(as_text(bytes_.subspan(at_, front.length)));
    at_ += front.length;
    return out;
  }

  Outcome read_value(const Front& front, bool explicit_kinds, std::size_t end, int depth, DicomElement& out) {
    const bool open = front.length == until_delimiter;
    if (front.kind != "SQ" && !open) {
      FIDUCIAL_TRY(out.value, take(front, end));
      return done();
    }
    if (depth >= deepest_item) return error(front.at, "sequences are nested too deep");
    if (!open && front.length > end - at_) return take(front, end).error();
    out.kind = "SQ";
    // A value of unknown kind and length is a sequence without kinds.
    const bool kinds = explicit_kinds && front.kind != "UN";
    return read_items(front, open ? end : at_ + front.length, kinds, depth, out.items);
  }

  Outcome read_items(const Front& front, std::size_t end, bool kinds, int depth,
                     std::vector<DicomDataSet>& out) {
    while (at_ < end) {
      FIDUCIAL_TRY(const Front item, read_front(false, end));
      if (item.tag == sequence_end) return done();
      if (item.tag != item_start) {
        return error(item.at, "expected an item of " + dicom_tag_text(front.tag) + ", found " +
                                  dicom_tag_text(item.tag));
      }
      const bool open = item.length == until_delimiter;
      if (!open && item.length > end - at_) return take(item, end).error();
      out.emplace_back();
      FIDUCIAL_TRY_DONE(read_elements(open ? end : at_ + item.length, kinds, depth + 1, out.back()));
    }
    if (front.length != until_delimiter) return done();
    return error(front.at, "truncated: sequence " + dicom_tag_text(front.tag) + " has no end");
  }

  Outcome read_pixels(const Front& front, std::size_t end) {
    pixels_kind = front.kind == "UN" ? "OW" : front.kind;
    if (front.length != until_delimiter) {
      FIDUCIAL_TRY(pixels, take(front, end));
      return done();
    }
    while (at_ < end) {
      FIDUCIAL_TRY(const Front item, read_front(false, end));
      if (item.tag == sequence_end) return done();
      if (item.tag != item_start) return error(item.at, "expected a fragment of pixel data");
      FIDUCIAL_TRY(std::string fragment, take(item, end));
      fragments.push_back(std::move(fragment));
    }
    return error(front.at, "truncated: pixel data have no end");
  }

  ByteView bytes_;
  std::size_t at_ = 0;
  std::uint64_t elements_ = 0;
  std::uint64_t disorder_ = 0;
};

Result<Bytes> inflated(ByteView packed) {
  InflateStream stream(std::make_unique<MemoryStream>(packed), DeflateWrapper::none);
  Bytes out;
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t got = piece; got == piece;) {
    const std::size_t before = out.size();
    if (before > most_inflated) return invalid_data("a deflated data set of more than 4 GiB");
    out.resize(before + piece);
    FIDUCIAL_TRY(got, stream.read(std::span(out).subspan(before)));
    out.resize(before + got);
  }
  return out;
}

}  // namespace

bool begins_as_dicom(ByteView first_bytes) {
  return first_bytes.size() >= dicom_preamble + 4 &&
         as_text(first_bytes.subspan(dicom_preamble, 4)) == "DICM";
}

Result<DicomFile> parse_dicom(ByteView file) {
  if (!begins_as_dicom(file)) return invalid_data("not a DICOM file: \"DICM\" is missing at byte 128");
  DicomFile out;
  Parser meta(file);
  FIDUCIAL_TRY_DONE(meta.read_meta(out.meta));
  out.transfer_syntax = out.meta.text(syntax_tag);
  if (out.transfer_syntax.empty()) return invalid_data("no transfer syntax in the meta information");
  if (out.transfer_syntax == "1.2.840.10008.1.2.2") return invalid_data("big endian files are not read here");
  Bytes unpacked;
  ByteView data = file.subspan(meta.at());
  if (out.transfer_syntax == deflated_little_endian) {
    FIDUCIAL_TRY(unpacked, inflated(data));
    data = unpacked;
  }
  Parser parser(data);
  FIDUCIAL_TRY_DONE(
      parser.read_elements(data.size(), out.transfer_syntax != implicit_little_endian, 0, out.data));
  out.pixels = std::move(parser.pixels);
  out.pixels_kind = std::move(parser.pixels_kind);
  out.fragments = std::move(parser.fragments);
  return out;
}

}  // namespace fiducial
