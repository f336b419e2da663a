#include "fiducial/dicom/reader_records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 16;  // the longest line too
constexpr std::int64_t most_frames = 100'000;
constexpr std::int64_t longest_edge = 65'535;  // rows and columns are 16-bit numbers
constexpr double largest_place_mm = 1e6;
constexpr double least_spacing_mm = 1e-6;
constexpr double largest_rescale = 1e9;
// Directions whose length is further from 1 were not meant as directions.
constexpr double direction_length_tolerance = 1e-2;
constexpr double right_angle_tolerance = 1e-3;

// A line that does not follow the protocol.
Error broken(const std::string& message) {
  return invalid_data("the DICOM reader's answer is broken: " + message);
}

Result<std::string> text_field(const Json& record, const std::string& key) {
  const std::string* text = find_string(record, key);
  if (text == nullptr) return broken("no text " + key);
  return *text;
}

Result<std::int64_t> integer_field(const Json& record, const std::string& key, std::int64_t least,
                                   std::int64_t most) {
  const Json* value = record.find(key);
  const std::int64_t* number = value == nullptr ? nullptr : value->as_integer();
  if (number == nullptr || *number < least || *number > most) {
    return broken("expected " + key + " from " + decimal(least) + " to " + decimal(most));
  }
  return *number;
}

Result<bool> flag_field(const Json& record, const std::string& key) {
  const std::optional<bool> flag = flag_at(record, key);
  if (!flag) return broken("no flag " + key);
  return *flag;
}

constexpr std::string_view dicom_padding(" \0", 2);

// A decimal string of DICOM: blanks around it and a plus sign are allowed.
std::optional<double> decimal_string(std::string_view text) {
  text = trimmed(text, dicom_padding);
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::optional<double> value = parse_double(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// The numbers of an attribute, written with backslashes between them.
template <std::size_t count>
Result<std::array<double, count>> numbers(const Json& record, const std::string& key, const char* attribute) {
  FIDUCIAL_TRY(const std::string text, text_field(record, key));
  if (trimmed(text, dicom_padding).empty()) return invalid_data("no " + std::string(attribute));
  std::array<double, count> out{};
  std::string_view rest = text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = rest.find('\\');
    const bool last = end == std::string_view::npos;
    const auto value = decimal_string(rest.substr(0, end));
    if (!value || std::abs(*value) > largest_place_mm || last != (i + 1 == count)) {
      return invalid_data(std::string(attribute) + ": expected " + decimal(count) + " numbers, found \"" +
                          text + "\"");
    }
    out[i] = *value;
    rest.remove_prefix(last ? rest.size() : end + 1);
  }
  return out;
}

// A number that may be absent.
Result<std::optional<double>> optional_number(const Json& record, const std::string& key,
                                              const char* attribute) {
  FIDUCIAL_TRY(const std::string text, text_field(record, key));
  if (trimmed(text, dicom_padding).empty()) return std::optional<double>();
  const auto value = decimal_string(text);
  if (!value || std::abs(*value) > largest_rescale)
    return invalid_data(std::string(attribute) + ": expected a number, found \"" + text + "\"");
  return value;
}

Result<Vec3> unit_vector(const Vec3& v) {
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (std::abs(length - 1) > direction_length_tolerance) {
    return invalid_data("ImageOrientationPatient: expected directions of length 1, found length " +
                        shortest(length));
  }
  return Vec3{v[0] / length, v[1] / length, v[2] / length};
}

Outcome read_place(const Json& record, SliceHeader& out) {
  FIDUCIAL_TRY(const std::string position, text_field(record, "position"));
  if (out.frames > 1 && position.empty()) {
    return invalid_data(decimal(out.frames) + " frames without a place of their own are not supported");
  }
  FIDUCIAL_TRY(out.position_mm, numbers<3>(record, "position", "ImagePositionPatient"));
  FIDUCIAL_TRY(const auto directions, numbers<6>(record, "orientation", "ImageOrientationPatient"));
  FIDUCIAL_TRY(out.row_direction, unit_vector({directions[0], directions[1], directions[2]}));
  FIDUCIAL_TRY(out.column_direction, unit_vector({directions[3], directions[4], directions[5]}));
  double cosine = 0;
  for (std::size_t i = 0; i < 3; ++i) cosine += out.row_direction[i] * out.column_direction[i];
  if (std::abs(cosine) > right_angle_tolerance) {
    return invalid_data(
        "ImageOrientationPatient: expected rows and columns at right angles, found a cosine of " +
        shortest(cosine));
  }
  FIDUCIAL_TRY(const auto spacing, numbers<2>(record, "spacing", "PixelSpacing"));
  if (spacing[0] < least_spacing_mm || spacing[1] < least_spacing_mm) {
    return invalid_data("PixelSpacing: expected positive numbers, found " + shortest(spacing[0]) + " and " +
                        shortest(spacing[1]));
  }
  out.row_spacing_mm = spacing[0];
  out.column_spacing_mm = spacing[1];
  FIDUCIAL_TRY(const auto step, optional_number(record, "step", "SpacingBetweenSlices"));
  FIDUCIAL_TRY(const auto thickness, optional_number(record, "thickness", "SliceThickness"));
  out.stated_step_mm = std::abs(step.value_or(thickness.value_or(0)));
  return done();
}

// What the values mean; refuses those that are no grey values of one sample.
Outcome read_values(const Json& record, SliceHeader& out) {
  FIDUCIAL_TRY(const std::int64_t samples, integer_field(record, "samples", 0, longest_edge));
  FIDUCIAL_TRY(const std::string photometric, text_field(record, "photometric"));
  const bool grey = samples == 1 && (photometric == "MONOCHROME1" || photometric == "MONOCHROME2");
  if (!grey) {
    return invalid_data("expected grey values (MONOCHROME2), found " + photometric + " with " +
                        decimal(samples) + " samples a pixel");
  }
  out.shown_inverted = photometric == "MONOCHROME1";
  FIDUCIAL_TRY(const std::int64_t stored, integer_field(record, "bits_stored", 0, longest_edge));
  FIDUCIAL_TRY(const std::int64_t high, integer_field(record, "high_bit", 0, longest_edge));
  if (stored < 2 || stored > 32 || high != stored - 1) {
    return invalid_data("expected 2 to 32 bits stored below the high bit, found " + decimal(stored) +
                        " stored and high bit " + decimal(high));
  }
  FIDUCIAL_TRY(const bool lookup_table, flag_field(record, "lookup_table"));
  if (lookup_table)
    return invalid_data("a modality lookup table instead of slope and intercept is not supported");
  FIDUCIAL_TRY(const auto slope, optional_number(record, "slope", "RescaleSlope"));
  FIDUCIAL_TRY(const auto intercept, optional_number(record, "intercept", "RescaleIntercept"));
  out.rescale_given = slope.has_value() && intercept.has_value();
  out.slope = slope.value_or(1);
  out.intercept = intercept.value_or(0);
  if (out.slope == 0) return invalid_data("RescaleSlope is 0: no values are left");
  return done();
}

Result<SliceHeader> slice_of(const Json& record, std::size_t file, int frame) {
  SliceHeader out{.file = file, .frame = frame};
  FIDUCIAL_TRY(const std::int64_t found_frame, integer_field(record, "frame", frame, frame));
  FIDUCIAL_TRY(const std::int64_t frames, integer_field(record, "frames", found_frame + 1, most_frames));
  out.frames = static_cast<int>(frames);
  FIDUCIAL_TRY(out.series, text_field(record, "series"));
  FIDUCIAL_TRY(out.frame_of_reference, text_field(record, "frame_of_reference"));
  FIDUCIAL_TRY(out.modality, text_field(record, "modality"));
  FIDUCIAL_TRY(out.transfer_syntax, text_field(record, "syntax"));
  FIDUCIAL_TRY(out.decodable, flag_field(record, "decodable"));
  FIDUCIAL_TRY(out.lossy, flag_field(record, "lossy"));
  FIDUCIAL_TRY(out.rows, integer_field(record, "rows", 1, longest_edge));
  FIDUCIAL_TRY(out.columns, integer_field(record, "columns", 1, longest_edge));
  for (const Outcome& outcome : {read_place(record, out), read_values(record, out)}) {
    if (outcome.ok()) continue;
    out.refusal = outcome.error().message();
    break;
  }
  return out;
}

}  // namespace

Result<Json> RecordStream::next_object() {
  std::string line;
  for (;;) {
    const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto end = buffer_.begin() + static_cast<std::ptrdiff_t>(end_);
    const auto found = std::find(begin, end, std::byte{'\n'});
    line.append(as_text(ByteView(buffer_).subspan(begin_, static_cast<std::size_t>(found - begin))));
    begin_ += static_cast<std::size_t>(found - begin);
    if (line.size() > buffer_bytes) return broken("a line is too long");
    if (found != end) break;
    FIDUCIAL_TRY_DONE(refill());
    if (begin_ == end_) return broken("it ends too early");
  }
  ++begin_;
  auto parsed = parse_json(line);
  if (!parsed.ok() || parsed->as_object() == nullptr) return broken("a line is no JSON object");
  return parsed;
}

Outcome RecordStream::refill() {
  buffer_.resize(buffer_bytes);
  FIDUCIAL_TRY(end_, bytes_.read(buffer_));
  begin_ = 0;
  return done();
}

Outcome RecordStream::read_bytes(std::span<std::byte> out) {
  const std::size_t held = std::min(out.size(), end_ - begin_);
  if (held > 0) std::memcpy(out.data(), buffer_.data() + begin_, held);
  begin_ += held;
  FIDUCIAL_TRY(const std::size_t got, bytes_.read(out.subspan(held)));
  if (got + held < out.size()) return broken("it ends inside the values of a slice");
  return done();
}

Outcome RecordReader::read_start() {
  FIDUCIAL_TRY(const Json record, records_.next_object());
  FIDUCIAL_TRY(const std::int64_t version, integer_field(record, "fiducial-dicom", 0, INT64_MAX));
  if (version == reader_protocol_version) return done();
  return broken("expected version " + decimal(reader_protocol_version) + ", found " + decimal(version));
}

Outcome RecordReader::read_end() {
  FIDUCIAL_TRY(const Json record, records_.next_object());
  FIDUCIAL_TRY(const bool end, flag_field(record, "end"));
  return end ? done() : Outcome(broken("no end"));
}

Outcome RecordReader::check_file(const Json& record) const {
  const auto number = static_cast<std::int64_t>(answered_);
  FIDUCIAL_TRY([[maybe_unused]] const std::int64_t file, integer_field(record, "file", number, number));
  if (record.find("error") == nullptr) return done();
  FIDUCIAL_TRY(std::string message, text_field(record, "error"));
  return Error(ErrorCode::invalid_data, std::move(message), Place{.path = files_[answered_]});
}

Result<HeaderRecords> RecordReader::read_headers() {
  FIDUCIAL_TRY_DONE(read_start());
  HeaderRecords out;
  int frame = 0;
  while (answered_ < files_.size()) {
    FIDUCIAL_TRY(const Json record, records_.next_object());
    FIDUCIAL_TRY_DONE(check_file(record));
    if (const Json* skipped = record.find("skipped"); skipped != nullptr && frame == 0) {
      FIDUCIAL_TRY(std::string reason, text_field(record, "skipped"));
      out.skipped.push_back({answered_, std::move(reason)});
      ++answered_;
      continue;
    }
    FIDUCIAL_TRY(SliceHeader slice, slice_of(record, answered_, frame));
    if (frame > 0 && slice.frames != out.slices.back().frames) return broken("frames change their number");
    if (static_cast<std::int64_t>(out.slices.size()) == most_frames) return broken("too many slices");
    frame = slice.frames == frame + 1 ? 0 : frame + 1;
    if (frame == 0) ++answered_;
    out.slices.push_back(std::move(slice));
  }
  FIDUCIAL_TRY_DONE(read_end());
  return out;
}

Outcome RecordReader::read_pixels(std::span<const FileSlices> expected, const SliceSink& sink) {
  FIDUCIAL_TRY_DONE(read_start());
  while (answered_ < files_.size()) {
    FIDUCIAL_TRY_DONE(read_file_pixels(expected[answered_], sink));
    ++answered_;
  }
  return read_end();
}

Outcome RecordReader::read_file_pixels(const FileSlices& expected, const SliceSink& sink) {
  Bytes bytes;
  for (int frame = 0; frame < expected.frames; ++frame) {
    FIDUCIAL_TRY(const Json record, records_.next_object());
    FIDUCIAL_TRY_DONE(check_file(record));
    FIDUCIAL_TRY([[maybe_unused]] const auto number, integer_field(record, "frame", frame, frame));
    FIDUCIAL_TRY([[maybe_unused]] const auto frames,
                 integer_field(record, "frames", expected.frames, expected.frames));
    FIDUCIAL_TRY(const std::int64_t size, integer_field(record, "bytes_per_value", 1, 4));
    FIDUCIAL_TRY(const std::int64_t bits, integer_field(record, "bits_stored", 1, size * 8));
    StoredSlice slice{.file = answered_, .frame = frame, .bits_stored = static_cast<int>(bits)};
    slice.bytes_per_value = static_cast<int>(size);
    if (size == 3) return broken("values of 3 bytes");
    FIDUCIAL_TRY(slice.is_signed, flag_field(record, "signed"));
    const std::int64_t total = expected.values * size;
    FIDUCIAL_TRY([[maybe_unused]] const auto count, integer_field(record, "bytes", total, total));
    bytes.resize(static_cast<std::size_t>(total));
    FIDUCIAL_TRY_DONE(records_.read_bytes(bytes));
    slice.bytes = bytes;
    FIDUCIAL_TRY_DONE(sink(slice));
  }
  return done();
}

}  // namespace fiducial
