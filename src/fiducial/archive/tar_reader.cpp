#include "fiducial/archive/tar_reader.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "fiducial/archive/zip_name.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"

namespace fiducial {

namespace {

constexpr std::uint64_t tar_block = 512;
constexpr std::uint64_t longest_tar_text = std::uint64_t{64} << 10;

using TarBlock = std::array<std::byte, tar_block>;

// Several streams, one after the other.
class JoinedStream final : public ByteStream {
 public:
  explicit JoinedStream(std::vector<Path> parts) : parts_(std::move(parts)) {}

  Result<std::size_t> read(std::span<std::byte> out) override {
    std::size_t filled = 0;
    while (filled < out.size()) {
      if (!open_) {
        if (next_ == parts_.size()) break;
        FIDUCIAL_TRY(open_, FileStream::open(parts_[next_]));
        ++next_;
      }
      FIDUCIAL_TRY(const std::size_t got, open_->read(out.subspan(filled)));
      filled += got;
      if (filled < out.size()) open_.reset();
    }
    return filled;
  }

 private:
  std::vector<Path> parts_;
  std::size_t next_ = 0;
  std::unique_ptr<FileStream> open_;
};

// Two bytes that were looked at, then the rest.
class PeekedStream final : public ByteStream {
 public:
  PeekedStream(Bytes first, std::unique_ptr<ByteStream> rest)
      : first_(std::move(first)), unread_(first_), rest_(std::move(rest)) {}

  Result<std::size_t> read(std::span<std::byte> out) override {
    FIDUCIAL_TRY(const std::size_t front, unread_.read(out));
    if (front == out.size()) return front;
    FIDUCIAL_TRY(const std::size_t more, rest_->read(out.subspan(front)));
    return front + more;
  }

 private:
  Bytes first_;
  MemoryStream unread_;
  std::unique_ptr<ByteStream> rest_;
};

std::string_view tar_field(const TarBlock& block, std::size_t offset, std::size_t length) {
  const std::string_view text = as_text(ByteView(block)).substr(offset, length);
  return text.substr(0, text.find('\0'));
}

// Octal text, or with the high bit set a number in base 256.
std::optional<std::uint64_t> tar_number(const TarBlock& block, std::size_t offset, std::size_t length) {
  std::uint64_t value = 0;
  if ((block[offset] & std::byte{0x80}) != std::byte{0}) {
    for (std::size_t i = 0; i < length; ++i) {
      const auto byte = static_cast<std::uint64_t>(block[offset + i]) & (i == 0 ? 0x7F : 0xFF);
      if (value >> 55 != 0) return std::nullopt;
      value = value << 8 | byte;
    }
    return value;
  }
  bool any = false;
  for (const char c : tar_field(block, offset, length)) {
    if (c == ' ' && any) break;
    if (c == ' ') continue;
    if (c < '0' || c > '7' || value >> 60 != 0) return std::nullopt;
    value = value * 8 + static_cast<std::uint64_t>(c - '0');
    any = true;
  }
  return value;
}

bool sum_agrees(const TarBlock& block) {
  const auto stated = tar_number(block, 148, 8);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    sum += i >= 148 && i < 156 ? std::uint64_t{' '} : static_cast<std::uint64_t>(block[i]);
  }
  return stated && *stated == sum;
}

std::uint64_t padding_after(std::uint64_t size) { return (tar_block - size % tar_block) % tar_block; }

bool is_blank(const TarBlock& block) {
  return std::all_of(block.begin(), block.end(), [](std::byte one) { return one == std::byte{0}; });
}

std::string without_leading_dot(std::string name) {
  while (name.starts_with("./")) name.erase(0, 2);
  return name;
}

}  // namespace

struct TarReader::Header {
  char type = '0';
  std::string name;
  std::uint64_t size = 0;

  bool is_file() const { return type == '0' || type == '\0' || type == '7'; }
  bool is_link_or_sparse() const { return type == '1' || type == '2' || type == 'S'; }
};

// The member that is being read: ends where its size says.
class TarReader::Content final : public ByteStream {
 public:
  explicit Content(ByteStream& bytes) : bytes_(bytes) {}

  void begin(std::uint64_t size) { left_ = size; }
  std::uint64_t left() const { return left_; }

  Result<std::size_t> read(std::span<std::byte> out) override {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), left_));
    FIDUCIAL_TRY(const std::size_t got, bytes_.read(out.first(wanted)));
    left_ -= got;
    if (got < wanted) {
      return invalid_data("the archive ends " + decimal(left_) + " bytes before the end of this member");
    }
    return got;
  }

 private:
  ByteStream& bytes_;
  std::uint64_t left_ = 0;
};

TarReader::TarReader(std::unique_ptr<ByteStream> bytes)
    : bytes_(std::move(bytes)), content_(std::make_unique<Content>(*bytes_)) {}
TarReader::TarReader(TarReader&&) noexcept = default;
TarReader& TarReader::operator=(TarReader&&) noexcept = default;
TarReader::~TarReader() = default;

ByteStream& TarReader::content() { return *content_; }

Result<TarReader> TarReader::open(std::unique_ptr<ByteStream> bytes) {
  Bytes start(2);
  FIDUCIAL_TRY(const std::size_t got, bytes->read(start));
  start.resize(got);
  const bool compressed = got == 2 && start[0] == std::byte{0x1f} && start[1] == std::byte{0x8b};
  bytes = std::make_unique<PeekedStream>(std::move(start), std::move(bytes));
  if (compressed) bytes = std::make_unique<InflateStream>(std::move(bytes), DeflateWrapper::gzip);
  return TarReader(std::move(bytes));
}

Result<TarReader> TarReader::open(const Path& path) {
  FIDUCIAL_TRY(std::vector<Path> parts, archive_parts(path));
  return open(std::make_unique<JoinedStream>(std::move(parts))).in_file(path.string());
}

Error TarReader::broken(std::string message) const {
  std::string text = "tar archive: " + std::move(message);
  if (!name_.empty()) text += " (after member " + quoted_name(name_) + ")";
  return Error(ErrorCode::invalid_data, std::move(text), Place{.byte = place_});
}

// False at the end of the archive's bytes.
Result<bool> TarReader::read_block(std::array<std::byte, 512>& block) {
  FIDUCIAL_TRY(const std::size_t got, bytes_->read(block));
  if (got == 0) return false;
  if (got < block.size()) return broken("ends inside a header");
  place_ += got;
  return true;
}

Result<TarReader::Header> TarReader::parse_header(const std::array<std::byte, 512>& block) const {
  if (!sum_agrees(block)) return broken("the sum of a header is wrong; no tar archive, or a damaged one");
  Header header{.type = static_cast<char>(block[156]), .name = std::string(tar_field(block, 0, 100))};
  const bool ustar = tar_field(block, 257, 5) == "ustar";
  // GNU tar keeps times where POSIX has the front of a long name.
  const bool gnu = as_text(ByteView(block)).substr(257, 8) == "ustar  ";
  const std::string_view front = tar_field(block, 345, 155);
  if (ustar && !gnu && !front.empty()) header.name = std::string(front) + "/" + header.name;
  const auto size = tar_number(block, 124, 12);
  if (!size) return broken("the size of a member is no number");
  header.size = *size;
  return header;
}

Result<std::string> TarReader::read_text(const Header& header) {
  if (header.size > longest_tar_text) {
    return broken("a name or its attributes take " + decimal(header.size) + " bytes; at most " +
                  decimal(longest_tar_text) + " are read");
  }
  std::string text(static_cast<std::size_t>(header.size), '\0');
  FIDUCIAL_TRY(const std::size_t got, bytes_->read(std::as_writable_bytes(std::span(text))));
  if (got < text.size()) return broken("ends inside a long name");
  place_ += got;
  FIDUCIAL_TRY_DONE(skip(padding_after(header.size)));
  return text;
}

// Records "LENGTH KEY=VALUE\n", the length counting itself.
Outcome TarReader::take_pax(std::string_view records) {
  while (!records.empty() && records.front() != '\0') {
    const std::size_t space = records.find(' ');
    const auto length = parse_unsigned(records.substr(0, std::min(space, std::size_t{20})));
    if (space == std::string_view::npos || !length || *length <= space + 1 || *length > records.size()) {
      return broken("extended attributes of a member are damaged");
    }
    const std::string_view record = records.substr(space + 1, static_cast<std::size_t>(*length) - space - 2);
    records.remove_prefix(static_cast<std::size_t>(*length));
    const std::size_t equals = record.find('=');
    if (equals == std::string_view::npos) return broken("extended attributes of a member are damaged");
    const std::string_view key = record.substr(0, equals);
    if (key == "path") long_name_ = std::string(record.substr(equals + 1));
    if (key != "size") continue;
    long_size_ = parse_unsigned(record.substr(equals + 1));
    if (!long_size_) return broken("the size of a member is no number");
  }
  return done();
}

Outcome TarReader::skip(std::uint64_t count) {
  Bytes buffer(static_cast<std::size_t>(std::min<std::uint64_t>(count, 256 << 10)));
  while (count > 0) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, buffer.size()));
    FIDUCIAL_TRY(const std::size_t got, bytes_->read(std::span(buffer).first(wanted)));
    place_ += got;
    if (got < wanted) return broken("ends inside a member");
    count -= got;
  }
  return done();
}

Outcome TarReader::finish_member() {
  const std::uint64_t left = content_->left();
  const std::uint64_t read = member_bytes_ - left;
  place_ += read;
  content_->begin(0);
  const std::uint64_t rest = left + padding_after(member_bytes_);
  member_bytes_ = 0;
  return skip(rest);
}

Result<std::optional<TarMember>> TarReader::next() {
  FIDUCIAL_TRY_DONE(finish_member());
  TarBlock block;
  while (!ended_) {
    FIDUCIAL_TRY(const bool more, read_block(block));
    if (!more) return broken(place_ == 0 ? "is empty" : "ends without the blank block that closes it");
    if (is_blank(block)) {
      ended_ = true;
      break;
    }
    FIDUCIAL_TRY(Header header, parse_header(block));
    if (header.type == 'L' || header.type == 'x') {
      FIDUCIAL_TRY(std::string text, read_text(header));
      if (header.type == 'x') {
        FIDUCIAL_TRY_DONE(take_pax(text));
      } else {
        long_name_ = text.substr(0, text.find('\0'));
      }
      continue;
    }
    if (!long_name_.empty()) header.name = std::exchange(long_name_, {});
    if (long_size_) header.size = *std::exchange(long_size_, std::nullopt);
    if (!header.is_file()) {
      // Links and folders have no bytes, whatever their size says; long link names and others do.
      if (header.is_link_or_sparse()) {
        return broken("member " + quoted_name(header.name) +
                      " is a link or a sparse file; only plain files are read");
      }
      const bool has_bytes = header.type == 'K' || header.type == 'g';
      if (has_bytes) FIDUCIAL_TRY_DONE(skip(header.size + padding_after(header.size)));
      continue;
    }
    header.name = without_leading_dot(std::move(header.name));
    if (header.name.ends_with('/')) continue;
    if (const auto objection = zip_name_objection(header.name)) {
      return broken("a member is called " + quoted_name(header.name) + ": " + *objection);
    }
    if (!seen_.insert(std::hash<std::string>()(header.name)).second) {
      return broken("member " + quoted_name(header.name) + " is there twice");
    }
    name_ = header.name;
    member_bytes_ = header.size;
    content_->begin(header.size);
    return std::optional(TarMember{.name = header.name, .size = header.size, .offset = place_});
  }
  return std::optional<TarMember>();
}

Result<std::vector<Path>> archive_parts(const Path& path) {
  const std::string name = path.filename().string();
  const std::size_t size = name.size();
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool may_be_part =
      size > 3 && name[size - 3] == '_' && is_letter(name[size - 2]) && is_letter(name[size - 1]);
  if (!may_be_part) return std::vector<Path>{path};
  const auto part = [base = path.parent_path() / name.substr(0, size - 2)](int number) {
    Path out = base;
    out += std::string{static_cast<char>('a' + number / 26), static_cast<char>('a' + number % 26)};
    return out;
  };
  // Of a name that ends so by itself nothing begins with aa.
  if (name[size - 2] != 'a' && !is_there(part(0))) return std::vector<Path>{path};
  std::vector<Path> parts;
  for (int number = 0; number < 26 * 26; ++number) {
    if (!is_there(part(number))) continue;
    if (static_cast<std::size_t>(number) != parts.size()) {
      return Error(ErrorCode::invalid_data, "this part of the split archive is missing",
                   Place{.path = part(static_cast<int>(parts.size())).string()});
    }
    parts.push_back(part(number));
  }
  if (parts.empty()) parts.push_back(path);
  return parts;
}

}  // namespace fiducial
