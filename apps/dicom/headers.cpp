#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <sstream>

#include <gdcmJPEG2000Codec.h>
#include <gdcmJPEGCodec.h>
#include <gdcmJPEGLSCodec.h>
#include <gdcmMediaStorage.h>
#include <gdcmRAWCodec.h>
#include <gdcmRLECodec.h>
#include <gdcmReader.h>
#include <gdcmSequenceOfItems.h>

#include "fiducial/base/number_text.h"
#include "fiducial/dicom/file_structure.h"

#include "answer.h"
#include "questions.h"

namespace fiducial::dicom_reader {

namespace {

using gdcm::DataSet;
using gdcm::Tag;

constexpr std::string_view directory_class = "1.2.840.10008.1.3.10";
constexpr std::size_t longest_text = 1024;
constexpr std::int64_t most_frames = 100'000;

constexpr std::uint16_t functional_groups = 0x5200;
constexpr std::uint16_t shared_groups = 0x9229;
constexpr std::uint16_t groups_of_frames = 0x9230;

// The bytes of an element; nothing where it is absent.
std::optional<std::string> bytes_of(const DataSet& data, const Tag& tag) {
  if (!data.FindDataElement(tag)) return std::nullopt;
  const gdcm::ByteValue* value = data.GetDataElement(tag).GetByteValue();
  if (value == nullptr || value->GetPointer() == nullptr) return std::string();
  return std::string(value->GetPointer(), std::size_t{value->GetLength()});
}

// Text without padding; characters that identifiers and numbers never have become '?'.
std::string plain_text(std::string out) {
  out.resize(std::min(out.size(), longest_text));
  while (!out.empty() && (out.back() == ' ' || out.back() == '\0')) out.pop_back();
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

std::string text_of(const DataSet& data, const Tag& tag) {
  return plain_text(bytes_of(data, tag).value_or(""));
}

// A 16-bit number; 0 where there is none.
int short_of(const DataSet& data, const Tag& tag) {
  const std::string bytes = bytes_of(data, tag).value_or("");
  std::uint16_t out = 0;
  if (bytes.size() == sizeof out) std::memcpy(&out, bytes.data(), sizeof out);
  return out;
}

// The data set of an item of a sequence; items count from 1. Nothing where there is none.
const DataSet* item_of(const DataSet& data, const Tag& sequence, std::size_t item,
                       std::vector<gdcm::SmartPointer<gdcm::SequenceOfItems>>& keep) {
  if (!data.FindDataElement(sequence)) return nullptr;
  auto items = data.GetDataElement(sequence).GetValueAsSQ();
  if (!items || items->GetNumberOfItems() < item) return nullptr;
  keep.push_back(items);
  return &items->GetItem(item).GetNestedDataSet();
}

// The attributes of one frame: its own, those that all frames of the file share, or those of the file.
class FrameAttributes {
 public:
  FrameAttributes(const DataSet& file, std::size_t frame) : file_(file) {
    own_ = item_of(file, Tag(functional_groups, groups_of_frames), frame + 1, keep_);
    shared_ = item_of(file, Tag(functional_groups, shared_groups), 1, keep_);
  }

  bool grouped() const { return own_ != nullptr; }

  std::string text(const Tag& group, const Tag& attribute) {
    for (const DataSet* groups : {own_, shared_}) {
      if (groups == nullptr) continue;
      const DataSet* found = item_of(*groups, group, 1, keep_);
      if (found != nullptr && found->FindDataElement(attribute)) return text_of(*found, attribute);
    }
    return text_of(file_, attribute);
  }

 private:
  const DataSet& file_;
  const DataSet* own_ = nullptr;
  const DataSet* shared_ = nullptr;
  std::vector<gdcm::SmartPointer<gdcm::SequenceOfItems>> keep_;
};

bool decodable(const gdcm::TransferSyntax& syntax) {
  return gdcm::RAWCodec().CanDecode(syntax) || gdcm::JPEGCodec().CanDecode(syntax) ||
         gdcm::JPEG2000Codec().CanDecode(syntax) || gdcm::JPEGLSCodec().CanDecode(syntax) ||
         gdcm::RLECodec().CanDecode(syntax);
}

// The elements before the pixels, where the structure says where these are; else the whole file.
Result<std::string> header_bytes(const ByteSource& file, const DicomStructure& structure) {
  std::string out(structure.pixel_data_at.value_or(file.size()), '\0');
  FIDUCIAL_TRY(const std::size_t got,
               file.read_at(0, {reinterpret_cast<std::byte*>(out.data()), out.size()}));
  out.resize(got);
  return out;
}

bool named_as_dicom(const std::string& file) {
  const std::size_t dot = file.find_last_of("./");
  if (dot == std::string::npos) return false;
  std::string ending = file.substr(dot);
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return ending == ".dcm" || ending == ".dicom" || ending == ".ima";
}

std::int64_t frames_of(const DataSet& data) {
  const std::string text = text_of(data, Tag(0x0028, 0x0008));
  if (text.empty()) return 1;
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? 1 : parse_integer(std::string_view(text).substr(begin)).value_or(0);
}

// What is wrong with a file that should hold slices.
std::string problem_of(const DataSet& data, const DicomStructure& structure) {
  const std::int64_t rows = short_of(data, Tag(0x0028, 0x0010));
  const std::int64_t columns = short_of(data, Tag(0x0028, 0x0011));
  const std::int64_t frames = frames_of(data);
  if (rows == 0 || columns == 0) return "no Rows and Columns: the file is truncated or holds no image";
  if (frames < 1 || frames > most_frames) return "NumberOfFrames: expected 1 to " + decimal(most_frames);
  const bool has_pixels = structure.pixel_data_at || data.FindDataElement(Tag(0x7FE0, 0x0010));
  if (!has_pixels) return "no pixel data: the file is truncated or holds a header only";
  if (!structure.native_bytes) return {};
  const std::int64_t bits =
      std::int64_t{short_of(data, Tag(0x0028, 0x0100))} * std::max(1, short_of(data, Tag(0x0028, 0x0002)));
  const std::int64_t needed = (rows * columns * frames * bits + 7) / 8;
  if (static_cast<std::int64_t>(*structure.native_bytes) >= needed) return {};
  return "truncated: expected " + decimal(needed) + " bytes of pixel data, found " +
         decimal(*structure.native_bytes);
}

Json slice_record(const DataSet& data, std::size_t frame, std::int64_t frames) {
  FrameAttributes attributes(data, frame);
  const Tag position_group(0x0020, 0x9113);
  const Tag orientation_group(0x0020, 0x9116);
  const Tag measures_group(0x0028, 0x9110);
  const Tag values_group(0x0028, 0x9145);
  const bool placed = frames == 1 || attributes.grouped();
  return Json::object(
      {{"series", text_of(data, Tag(0x0020, 0x000E))},
       {"frame_of_reference", text_of(data, Tag(0x0020, 0x0052))},
       {"modality", text_of(data, Tag(0x0008, 0x0060))},
       {"lossy", text_of(data, Tag(0x0028, 0x2110)) == "01"},
       {"rows", short_of(data, Tag(0x0028, 0x0010))},
       {"columns", short_of(data, Tag(0x0028, 0x0011))},
       {"samples", short_of(data, Tag(0x0028, 0x0002))},
       {"photometric", text_of(data, Tag(0x0028, 0x0004))},
       {"bits_stored", short_of(data, Tag(0x0028, 0x0101))},
       {"high_bit", short_of(data, Tag(0x0028, 0x0102))},
       {"lookup_table", data.FindDataElement(Tag(0x0028, 0x3000))},
       {"position", placed ? attributes.text(position_group, Tag(0x0020, 0x0032)) : std::string()},
       {"orientation", attributes.text(orientation_group, Tag(0x0020, 0x0037))},
       {"spacing", attributes.text(measures_group, Tag(0x0028, 0x0030))},
       {"step", attributes.text(measures_group, Tag(0x0018, 0x0088))},
       {"thickness", attributes.text(measures_group, Tag(0x0018, 0x0050))},
       {"slope", attributes.text(values_group, Tag(0x0028, 0x1053))},
       {"intercept", attributes.text(values_group, Tag(0x0028, 0x1052))}});
}

// Reads the header of a file that is DICOM and answers for each of its slices.
bool answer_slices(std::size_t number, const ByteSource& source, const DicomStructure& structure) {
  auto bytes = header_bytes(source, structure);
  if (!bytes.ok()) {
    answer_error(number, bytes.error().message());
    return false;
  }
  std::istringstream stream(*std::move(bytes));
  gdcm::Reader reader;
  reader.SetStream(stream);
  if (!reader.Read()) {
    answer_error(number, "cannot be read as DICOM: it is damaged or of a kind that GDCM does not know");
    return false;
  }
  const DataSet& data = reader.GetFile().GetDataSet();
  const gdcm::MediaStorage::MSType kind = gdcm::MediaStorage::GetMSType(structure.media_class.c_str());
  const bool sized = data.FindDataElement(Tag(0x0028, 0x0010)) || data.FindDataElement(Tag(0x0028, 0x0011));
  if (!sized && !structure.pixel_data_at && !gdcm::MediaStorage::IsImage(kind)) {
    answer_skipped(number, "holds no image");
    return true;
  }
  if (const std::string problem = problem_of(data, structure); !problem.empty()) {
    answer_error(number, problem);
    return false;
  }
  const gdcm::TransferSyntax syntax = reader.GetFile().GetHeader().GetDataSetTransferSyntax();
  const std::int64_t frames = frames_of(data);
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    Json record = slice_record(data, static_cast<std::size_t>(frame), frames);
    record.set("file", number).set("frame", frame).set("frames", frames);
    record.set("syntax", std::string_view(syntax.GetString())).set("decodable", decodable(syntax));
    answer(record);
  }
  return true;
}

}  // namespace

bool answer_headers(std::size_t number, const std::string& file) {
  auto source = FileSource::open(file);
  auto structure =
      source.ok() ? read_dicom_structure(**source) : Result<std::optional<DicomStructure>>(source.error());
  if (!structure.ok()) {
    answer_error(number, structure.error().message());
    return false;
  }
  if (!*structure) {
    if (!named_as_dicom(file)) {
      answer_skipped(number, "no DICOM file");
      return true;
    }
    answer_error(number, "expected a DICOM file by its name, found other content");
    return false;
  }
  const DicomStructure& found = **structure;
  if (found.media_class == directory_class) {
    answer_skipped(number, "a DICOM directory");
    return true;
  }
  const bool known =
      found.transfer_syntax.empty() ||
      gdcm::TransferSyntax::GetTSType(found.transfer_syntax.c_str()) != gdcm::TransferSyntax::TS_END;
  if (!known) {
    answer_error(number, "unknown transfer syntax " + plain_text(found.transfer_syntax));
    return false;
  }
  return answer_slices(number, **source, found);
}

}  // namespace fiducial::dicom_reader
