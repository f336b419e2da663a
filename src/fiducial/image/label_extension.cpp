#include "fiducial/image/label_extension.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/image/nifti_prologue.h"

namespace fiducial {

namespace {

constexpr std::uint64_t most_extension_bytes = std::uint64_t{4} << 20;
constexpr std::size_t longest_label_name = 256;

// What stands between two marks.
std::optional<std::string_view> between(std::string_view text, std::string_view first,
                                        std::string_view last) {
  const std::size_t begin = text.find(first);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t end = text.find(last, begin + first.size());
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(begin + first.size(), end - begin - first.size());
}

std::optional<std::int32_t> key_of(std::string_view attributes) {
  const auto key = between(attributes, " Key=\"", "\"");
  const auto number = key ? parse_integer(*key) : std::nullopt;
  const bool fits = number && *number > 0 && *number <= std::numeric_limits<std::int32_t>::max();
  return fits ? std::optional(static_cast<std::int32_t>(*number)) : std::nullopt;
}

}  // namespace

Result<std::map<std::int32_t, std::string>> parse_label_table(std::string_view xml) {
  constexpr std::string_view opening = "<Label ";
  constexpr std::string_view closing = "</Label>";
  std::map<std::int32_t, std::string> out;
  while (true) {
    const std::size_t begin = xml.find(opening);
    if (begin == std::string_view::npos) return out;
    xml.remove_prefix(begin + opening.size() - 1);
    const std::size_t end = xml.find(closing);
    if (end == std::string_view::npos) return out;
    const std::string_view element = xml.substr(0, end);
    xml.remove_prefix(end + closing.size());
    const std::size_t head = element.find('>');
    if (head == std::string_view::npos) continue;
    const std::string_view content = element.substr(head + 1);
    const std::string name(trimmed(between(content, "<![CDATA[", "]]>").value_or(content)));
    const auto key = key_of(element.substr(0, head));
    if (!key || name.empty() || name.size() > longest_label_name) continue;
    const auto [other, added] = out.try_emplace(*key, name);
    if (!added && other->second != name) {
      return invalid_data("label " + decimal(*key) + " has two names: \"" + other->second + "\" and \"" +
                          name + "\"");
    }
  }
}

Result<std::map<std::int32_t, std::string>> read_label_extension(std::unique_ptr<ByteStream> stored) {
  FIDUCIAL_TRY(const NiftiBytes plain, inflated_nifti(std::move(stored)));
  FIDUCIAL_TRY(const NiftiHeader header, read_nifti_header(*plain.bytes));
  const std::uint64_t length = header.voxel_offset - header_bytes(header);
  if (length <= 4) return std::map<std::int32_t, std::string>();
  std::string text(static_cast<std::size_t>(std::min(length, most_extension_bytes)), '\0');
  FIDUCIAL_TRY(const std::size_t got, plain.bytes->read(std::as_writable_bytes(std::span(text))));
  text.resize(got);
  return parse_label_table(text);
}

}  // namespace fiducial
