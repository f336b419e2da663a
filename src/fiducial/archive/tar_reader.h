#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// A file inside a tar archive.
struct TarMember {
  std::string name;  // a plain relative path
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  // of its first byte, in the archive after inflation
};

// A tar archive from anyone, plain or gzip, read front to back in constant memory but for a number a member.
//
// Reads ustar, GNU long names and pax paths and sizes. Folders and special files are passed over; links,
// sparse files, a name that comes twice or would leave a folder, headers whose sum is wrong and archives that
// end early are errors with the place. One thread at a time.
class TarReader {
 public:
  // The stream is opened at the first byte of the archive.
  static Result<TarReader> open(std::unique_ptr<ByteStream> bytes);
  // A file, or the first of several parts: NAME_aa is read with NAME_ab, NAME_ac, ... as one archive.
  static Result<TarReader> open(const Path& path);

  // The next file, or nothing after the last. What was not read of the one before is passed over.
  Result<std::optional<TarMember>> next();
  // The bytes of the member that next() returned; valid until it is called again.
  ByteStream& content();

  TarReader(TarReader&&) noexcept;
  TarReader& operator=(TarReader&&) noexcept;
  ~TarReader();

 private:
  class Content;
  struct Header;

  explicit TarReader(std::unique_ptr<ByteStream> bytes);
  Result<bool> read_block(std::array<std::byte, 512>& block);
  Result<Header> parse_header(const std::array<std::byte, 512>& block) const;
  Result<std::string> read_text(const Header& header);
  Outcome take_pax(std::string_view records);
  Outcome skip(std::uint64_t count);
  Outcome finish_member();
  Error broken(std::string message) const;

  std::unique_ptr<ByteStream> bytes_;
  std::unique_ptr<Content> content_;
  std::uint64_t place_ = 0;               // bytes read of the archive, of the member being read none
  std::uint64_t member_bytes_ = 0;        // of the member that is being read
  std::string name_;                      // of the member that is being read, for messages
  std::string long_name_;                 // for the member that follows
  std::unordered_set<std::size_t> seen_;  // hashes of the names so far
  std::optional<std::uint64_t> long_size_;
  bool ended_ = false;
};

// The parts of a split archive, from any of them: NAME_aa, NAME_ab, ... without a gap; the file itself where
// its name does not end so.
Result<std::vector<Path>> archive_parts(const Path& path);

}  // namespace fiducial
