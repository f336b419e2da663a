#include "fiducial/image/nifti_header.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fiducial/base/number_text.h"
#include "fiducial/image/nifti_affine.h"

namespace fiducial {

namespace {

// Byte offsets of the fields we use, in both versions of the format.
struct Layout {
  std::size_t size, magic, datatype, bitpix, dim, pixdim, vox_offset, slope, intercept, display_max,
      display_min;
  std::size_t description, qform_code, sform_code, quaternion, qoffset, sform, units, intent_code;
  std::size_t intent_parameters, intent_name;
};

constexpr Layout layout1{.size = 348,
                         .magic = 344,
                         .datatype = 70,
                         .bitpix = 72,
                         .dim = 40,
                         .pixdim = 76,
                         .vox_offset = 108,
                         .slope = 112,
                         .intercept = 116,
                         .display_max = 124,
                         .display_min = 128,
                         .description = 148,
                         .qform_code = 252,
                         .sform_code = 254,
                         .quaternion = 256,
                         .qoffset = 268,
                         .sform = 280,
                         .units = 123,
                         .intent_code = 68,
                         .intent_parameters = 56,
                         .intent_name = 328};
constexpr Layout layout2{.size = 540,
                         .magic = 4,
                         .datatype = 12,
                         .bitpix = 14,
                         .dim = 16,
                         .pixdim = 104,
                         .vox_offset = 168,
                         .slope = 176,
                         .intercept = 184,
                         .display_max = 192,
                         .display_min = 200,
                         .description = 240,
                         .qform_code = 344,
                         .sform_code = 348,
                         .quaternion = 352,
                         .qoffset = 376,
                         .sform = 400,
                         .units = 500,
                         .intent_code = 504,
                         .intent_parameters = 80,
                         .intent_name = 508};

constexpr std::int64_t max_dim = std::int64_t{1} << 31;
constexpr std::int64_t max_voxel_bytes = std::int64_t{1} << 46;

Error at_byte(std::size_t byte, std::string message) {
  return {ErrorCode::invalid_data, std::move(message), Place{.byte = byte}};
}

// Reads fields whose width depends on the version of the format.
class FieldReader {
 public:
  FieldReader(ByteView bytes, int version, bool swapped)
      : bytes_(bytes), version_(version), swapped_(swapped) {}

  std::int64_t dim(std::size_t offset, std::size_t index) const {
    return version_ == 1 ? load<std::int16_t>(bytes_, offset + 2 * index, swapped_)
                         : load<std::int64_t>(bytes_, offset + 8 * index, swapped_);
  }
  double real(std::size_t offset, std::size_t index = 0) const {
    return version_ == 1 ? static_cast<double>(load<float>(bytes_, offset + 4 * index, swapped_))
                         : load<double>(bytes_, offset + 8 * index, swapped_);
  }
  int code(std::size_t offset) const {
    return version_ == 1 ? load<std::int16_t>(bytes_, offset, swapped_)
                         : load<std::int32_t>(bytes_, offset, swapped_);
  }
  int short_code(std::size_t offset) const { return load<std::int16_t>(bytes_, offset, swapped_); }
  int units(std::size_t offset) const {
    return version_ == 1 ? load<std::uint8_t>(bytes_, offset) : load<std::int32_t>(bytes_, offset, swapped_);
  }
  double voxel_offset(std::size_t offset) const {
    return version_ == 1 ? real(offset) : static_cast<double>(load<std::int64_t>(bytes_, offset, swapped_));
  }
  std::string text(std::size_t offset, std::size_t length) const {
    const std::string_view field = as_text(bytes_.subspan(offset, length));
    return std::string(field.substr(0, field.find('\0')));
  }

 private:
  ByteView bytes_;
  int version_;
  bool swapped_;
};

Outcome check_magic(ByteView bytes, int version) {
  const std::size_t offset = version == 1 ? layout1.magic : layout2.magic;
  const std::string_view magic = as_text(bytes.subspan(offset, 4));
  const char digit = version == 1 ? '1' : '2';
  if (magic == std::string{'n', '+', digit, '\0'}) return done();
  if (magic == std::string{'n', 'i', digit, '\0'}) {
    return at_byte(offset, "header of a .hdr/.img pair; only single-file NIfTI (.nii, .nii.gz) is read");
  }
  return at_byte(offset, "no NIfTI magic; expected \"n+" + std::string(1, digit) + "\"");
}

Outcome read_dims(NiftiHeader& header, const FieldReader& fields, const Layout& layout) {
  const std::size_t width = header.version == 1 ? 2 : 8;
  header.dim.fill(1);
  header.dim[0] = fields.dim(layout.dim, 0);
  if (header.dim[0] < 1 || header.dim[0] > 7) {
    return at_byte(layout.dim, "dim[0] is " + decimal(header.dim[0]) + "; expected a rank of 1 to 7");
  }
  std::int64_t bytes = size_bytes(header.type);
  for (std::size_t i = 1; i <= static_cast<std::size_t>(header.dim[0]); ++i) {
    const std::int64_t value = fields.dim(layout.dim, i);
    const std::size_t place = layout.dim + width * i;
    if (value < 1)
      return at_byte(place, "dim[" + decimal(i) + "] is " + decimal(value) + "; expected at least 1");
    if (value >= max_dim || bytes > max_voxel_bytes / value) {
      return at_byte(place,
                     "dim[" + decimal(i) + "] is " + decimal(value) + ": the image would be too large");
    }
    header.dim[i] = value;
    bytes *= value;
  }
  return done();
}

Outcome read_type(NiftiHeader& header, const FieldReader& fields, const Layout& layout) {
  const int code = fields.short_code(layout.datatype);
  const auto type = voxel_type(code);
  if (!type) return at_byte(layout.datatype, "datatype " + decimal(code) + " is not a NIfTI voxel type");
  const int bits = fields.short_code(layout.bitpix);
  if (bits != size_bytes(*type) * 8) {
    return at_byte(layout.bitpix, "bitpix is " + decimal(bits) + "; " + std::string(to_string(*type)) +
                                      " has " + decimal(size_bytes(*type) * 8) + " bits");
  }
  header.type = *type;
  return done();
}

Outcome read_voxel_offset(NiftiHeader& header, const FieldReader& fields, const Layout& layout) {
  const double offset = fields.voxel_offset(layout.vox_offset);
  const double least = static_cast<double>(layout.size + 4);
  // Some writers leave the field at zero and put the voxels right behind the header.
  if (offset == 0) {
    header.voxel_offset = layout.size + 4;
    return done();
  }
  if (!(offset >= least) || offset > 1e12 || offset != std::floor(offset)) {
    return at_byte(layout.vox_offset, "vox_offset is " + shortest(offset) +
                                          "; expected a whole number of at least " + shortest(least));
  }
  header.voxel_offset = static_cast<std::uint64_t>(offset);
  return done();
}

Outcome read_geometry(NiftiHeader& header, const FieldReader& fields, const Layout& layout) {
  header.qform_code = fields.code(layout.qform_code);
  header.sform_code = fields.code(layout.sform_code);
  for (std::size_t i = 0; i < 3; ++i) {
    header.quaternion[i] = fields.real(layout.quaternion, i);
    header.qoffset_mm[i] = fields.real(layout.qoffset, i);
    for (std::size_t j = 0; j < 4; ++j) header.sform.m[i][j] = fields.real(layout.sform, 4 * i + j);
  }
  for (std::size_t i = 0; i < 8; ++i) header.pixdim[i] = fields.real(layout.pixdim, i);
  Outcome outcome = choose_affine(header);
  if (!outcome.ok()) {
    const std::size_t place = header.sform_code > 0   ? layout.sform
                              : header.qform_code > 0 ? layout.quaternion
                                                      : layout.pixdim;
    return at_byte(place, outcome.error().message());
  }
  return done();
}

void read_carried_fields(NiftiHeader& header, const FieldReader& fields, const Layout& layout) {
  header.slope = fields.real(layout.slope);
  header.intercept = fields.real(layout.intercept);
  header.xyzt_units = fields.units(layout.units);
  header.intent_code = fields.code(layout.intent_code);
  for (std::size_t i = 0; i < 3; ++i) header.intent_parameters[i] = fields.real(layout.intent_parameters, i);
  header.intent_name = fields.text(layout.intent_name, 16);
  header.description = fields.text(layout.description, 80);
  header.display_max = fields.real(layout.display_max);
  header.display_min = fields.real(layout.display_min);
}

// Writes fields whose width depends on the version of the format.
class FieldWriter {
 public:
  FieldWriter(std::span<std::byte> bytes, int version) : bytes_(bytes), version_(version) {}

  void dim(std::size_t offset, std::size_t index, std::int64_t value) {
    if (version_ == 1) {
      store(bytes_, offset + 2 * index, static_cast<std::int16_t>(value));
    } else {
      store(bytes_, offset + 8 * index, value);
    }
  }
  void real(std::size_t offset, std::size_t index, double value) {
    if (version_ == 1) {
      store(bytes_, offset + 4 * index, static_cast<float>(value));
    } else {
      store(bytes_, offset + 8 * index, value);
    }
  }
  void code(std::size_t offset, int value) {
    if (version_ == 1) {
      store(bytes_, offset, static_cast<std::int16_t>(value));
    } else {
      store(bytes_, offset, static_cast<std::int32_t>(value));
    }
  }
  void text(std::size_t offset, std::size_t length, std::string_view value) {
    const ByteView raw = as_bytes(value.substr(0, length - 1));
    std::copy(raw.begin(), raw.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
  }

 private:
  std::span<std::byte> bytes_;
  int version_;
};

void write_geometry(FieldWriter& fields, const Layout& layout, const NiftiHeader& header) {
  fields.code(layout.qform_code, header.qform_code);
  fields.code(layout.sform_code, header.sform_code);
  for (std::size_t i = 0; i < 3; ++i) {
    fields.real(layout.quaternion, i, header.quaternion[i]);
    fields.real(layout.qoffset, i, header.qoffset_mm[i]);
    for (std::size_t j = 0; j < 4; ++j) fields.real(layout.sform, 4 * i + j, header.sform.m[i][j]);
  }
  for (std::size_t i = 0; i < 8; ++i) fields.real(layout.pixdim, i, header.pixdim[i]);
}

}  // namespace

std::int64_t NiftiHeader::voxel_count() const {
  std::int64_t count = 1;
  for (std::size_t i = 1; i <= static_cast<std::size_t>(dim[0]); ++i) count *= dim[i];
  return count;
}

bool NiftiHeader::scales() const {
  return std::isfinite(slope) && slope != 0 && std::isfinite(intercept) && !(slope == 1 && intercept == 0);
}

std::string NiftiHeader::shape_text() const {
  std::string out;
  for (std::size_t i = 1; i <= static_cast<std::size_t>(dim[0]); ++i) {
    out += (i > 1 ? " x " : "") + decimal(dim[i]);
  }
  return out;
}

void NiftiHeader::set_affine(const Affine& value, int code) {
  affine = value;
  sform = value;
  sform_code = code;
  qform_code = 0;
  quaternion = {0, 0, 0};
  qoffset_mm = {0, 0, 0};
  pixdim[0] = 1;
  const Vec3 spacing = value.spacing_mm();
  for (std::size_t i = 0; i < 3; ++i) pixdim[i + 1] = spacing[i];
}

Result<std::size_t> nifti_header_size(ByteView first_bytes) {
  if (first_bytes.size() < 4) {
    return invalid_data("file has " + decimal(first_bytes.size()) +
                        " bytes; a NIfTI header has at least 348");
  }
  const auto size = load<std::int32_t>(first_bytes, 0);
  for (const std::int32_t candidate : {size, byte_swapped(size)}) {
    if (candidate == std::int32_t{nifti1_header_bytes}) return nifti1_header_bytes;
    if (candidate == std::int32_t{nifti2_header_bytes}) return nifti2_header_bytes;
  }
  return at_byte(0, "not a NIfTI file: the header size is " + decimal(size) + ", expected 348 or 540");
}

Result<NiftiHeader> parse_nifti_header(ByteView bytes) {
  FIDUCIAL_TRY(const std::size_t size, nifti_header_size(bytes));
  if (bytes.size() < size) {
    return invalid_data("header is cut off: " + decimal(bytes.size()) + " of " + decimal(size) + " bytes");
  }
  NiftiHeader header;
  header.version = size == nifti1_header_bytes ? 1 : 2;
  header.swapped = load<std::int32_t>(bytes, 0) != static_cast<std::int32_t>(size);
  FIDUCIAL_TRY_DONE(check_magic(bytes, header.version));
  const Layout& layout = header.version == 1 ? layout1 : layout2;
  const FieldReader fields(bytes, header.version, header.swapped);
  FIDUCIAL_TRY_DONE(read_type(header, fields, layout));
  FIDUCIAL_TRY_DONE(read_dims(header, fields, layout));
  FIDUCIAL_TRY_DONE(read_voxel_offset(header, fields, layout));
  FIDUCIAL_TRY_DONE(read_geometry(header, fields, layout));
  read_carried_fields(header, fields, layout);
  return header;
}

Bytes nifti_header_bytes(const NiftiHeader& header) {
  const Layout& layout = header.version == 1 ? layout1 : layout2;
  Bytes out(layout.size + 4);
  FieldWriter fields(out, header.version);
  store(std::span(out), 0, static_cast<std::int32_t>(layout.size));
  const std::string_view magic =
      header.version == 1 ? std::string_view("n+1\0", 4) : std::string_view("n+2\0\r\n\x1a\n", 8);
  std::copy(as_bytes(magic).begin(), as_bytes(magic).end(),
            out.begin() + static_cast<std::ptrdiff_t>(layout.magic));
  store(std::span(out), layout.datatype, static_cast<std::int16_t>(header.type));
  store(std::span(out), layout.bitpix, static_cast<std::int16_t>(size_bytes(header.type) * 8));
  for (std::size_t i = 0; i < 8; ++i) fields.dim(layout.dim, i, header.dim[i]);
  if (header.version == 1) {
    fields.real(layout.vox_offset, 0, static_cast<double>(layout.size + 4));
  } else {
    store(std::span(out), layout.vox_offset, static_cast<std::int64_t>(layout.size + 4));
  }
  fields.real(layout.slope, 0, header.slope);
  fields.real(layout.intercept, 0, header.intercept);
  write_geometry(fields, layout, header);
  if (header.version == 1) {
    store(std::span(out), layout.units, static_cast<std::uint8_t>(header.xyzt_units));
  } else {
    store(std::span(out), layout.units, static_cast<std::int32_t>(header.xyzt_units));
  }
  fields.code(layout.intent_code, header.intent_code);
  for (std::size_t i = 0; i < 3; ++i) fields.real(layout.intent_parameters, i, header.intent_parameters[i]);
  fields.text(layout.intent_name, 16, header.intent_name);
  fields.text(layout.description, 80, header.description);
  fields.real(layout.display_max, 0, header.display_max);
  fields.real(layout.display_min, 0, header.display_min);
  return out;
}

}  // namespace fiducial
