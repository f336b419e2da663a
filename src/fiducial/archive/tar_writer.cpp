#include "fiducial/archive/tar_writer.h"

#include <algorithm>
#include <array>
#include <string>

#include "fiducial/archive/zip_name.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::size_t block_bytes = 512;
constexpr std::size_t longest_tar_name = 100;
constexpr std::size_t longest_tar_prefix = 155;
constexpr std::uint64_t most_tar_bytes = std::uint64_t{1} << 33;  // eleven octal digits

using HeaderBlock = std::array<char, block_bytes>;

void put_text(HeaderBlock& block, std::size_t at, std::string_view text) {
  std::ranges::copy(text, block.begin() + static_cast<std::ptrdiff_t>(at));
}

void put_octal(HeaderBlock& block, std::size_t at, std::size_t digits, std::uint64_t value) {
  for (std::size_t i = 0; i < digits; ++i, value /= 8)
    block.at(at + digits - 1 - i) = static_cast<char>('0' + value % 8);
}

// A long name is cut at a slash: what is before it is the prefix.
Result<std::pair<std::string_view, std::string_view>> split_name(std::string_view name) {
  if (name.size() <= longest_tar_name) return std::pair(std::string_view(), name);
  for (std::size_t at = name.find('/'); at != std::string_view::npos; at = name.find('/', at + 1)) {
    if (at <= longest_tar_prefix && name.size() - at - 1 <= longest_tar_name)
      return std::pair(name.substr(0, at), name.substr(at + 1));
  }
  return invalid_data("the name " + quoted_name(name) + " is too long for a tar archive");
}

}  // namespace

Outcome TarWriter::add(std::string_view name, ByteView content) {
  if (auto objection = zip_name_objection(name))
    return invalid_data("the name " + quoted_name(name) + " cannot be in an archive: " + *objection);
  FIDUCIAL_TRY(const auto parts, split_name(name));
  if (content.size() >= most_tar_bytes)
    return invalid_data(quoted_name(name) + " has " + decimal(content.size()) +
                        " bytes; tar holds less than 8 GiB");
  HeaderBlock block{};
  put_text(block, 0, parts.second);
  put_text(block, 100, "0000644");
  put_text(block, 108, "0000000");
  put_text(block, 116, "0000000");
  put_octal(block, 124, 11, content.size());
  put_octal(block, 136, 11, 0);
  put_text(block, 148, "        ");  // the sum counts itself as spaces
  block[156] = '0';
  put_text(block, 257, std::string_view("ustar\00000", 8));
  put_text(block, 345, parts.first);
  std::uint64_t sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put_octal(block, 148, 6, sum);
  block[154] = '\0';
  const ByteView head = std::as_bytes(std::span(block));
  bytes_.insert(bytes_.end(), head.begin(), head.end());
  bytes_.insert(bytes_.end(), content.begin(), content.end());
  bytes_.resize((bytes_.size() + block_bytes - 1) / block_bytes * block_bytes);
  return done();
}

Bytes TarWriter::finish() {
  bytes_.resize(bytes_.size() + 2 * block_bytes);
  return std::move(bytes_);
}

}  // namespace fiducial
