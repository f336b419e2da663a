#pragma once

#include <cstddef>
#include <cstdint>

// The records of a zip archive (APPNOTE.TXT 6.3): signatures, fixed sizes and the offsets of their fields.
namespace fiducial::zip {

inline constexpr std::uint32_t local_signature = 0x04034b50;
inline constexpr std::uint32_t central_signature = 0x02014b50;
inline constexpr std::uint32_t end_signature = 0x06054b50;
inline constexpr std::uint32_t end64_signature = 0x06064b50;
inline constexpr std::uint32_t locator_signature = 0x07064b50;

inline constexpr std::uint16_t stored = 0;
inline constexpr std::uint16_t deflated = 8;

// Bits of the general purpose flags.
inline constexpr std::uint16_t encrypted_flag = 1U << 0;
inline constexpr std::uint16_t descriptor_flag = 1U << 3;  // sizes follow the data
inline constexpr std::uint16_t patch_flag = 1U << 5;
inline constexpr std::uint16_t strong_encryption_flag = 1U << 6;
inline constexpr std::uint16_t utf8_flag = 1U << 11;
inline constexpr std::uint16_t masked_flag = 1U << 13;

// A field that holds all ones has its value in the zip64 record or extra field.
inline constexpr std::uint16_t full16 = 0xFFFF;
inline constexpr std::uint32_t full32 = 0xFFFFFFFF;
inline constexpr std::uint16_t zip64_extra = 0x0001;
inline constexpr std::uint16_t unicode_path_extra = 0x7075;

struct LocalLayout {
  static constexpr std::size_t size = 30, version = 4, flags = 6, method = 8, date = 12, crc = 14,
                               compressed = 18, uncompressed = 22, name_length = 26, extra_length = 28;
};
struct CentralLayout {
  static constexpr std::size_t size = 46, made_by = 4, version = 6, flags = 8, method = 10, date = 14,
                               crc = 16, compressed = 20, uncompressed = 24, name_length = 28,
                               extra_length = 30, comment_length = 32, disk = 34, attributes = 38,
                               offset = 42;
};
struct EndLayout {
  static constexpr std::size_t size = 22, disk = 4, directory_disk = 6, disk_entries = 8, entries = 10,
                               directory_size = 12, directory_offset = 16, comment_length = 20;
};
struct LocatorLayout {
  static constexpr std::size_t size = 20, disk = 4, offset = 8, disks = 16;
};
struct End64Layout {
  static constexpr std::size_t size = 56, record_size = 4, made_by = 12, version = 14, disk = 16,
                               directory_disk = 20, disk_entries = 24, entries = 32, directory_size = 40,
                               directory_offset = 48;
};

// The kind of file in the Unix mode, which stands in the upper half of the external attributes.
inline constexpr std::uint32_t mode_kind = 0170000;
inline constexpr std::uint32_t mode_folder = 0040000;
inline constexpr std::uint32_t mode_regular = 0100000;
inline constexpr std::uint32_t mode_link = 0120000;

}  // namespace fiducial::zip
