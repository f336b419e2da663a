#include "fiducial/masks/mask_format.h"

#include <algorithm>
#include <utility>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

// The start that was looked at, and then the rest.
class RestartedStream final : public ByteStream {
 public:
  RestartedStream(Bytes start, std::unique_ptr<ByteStream> rest)
      : start_(std::move(start)), rest_(std::move(rest)) {}

  Result<std::size_t> read(std::span<std::byte> out) override {
    const std::size_t first = std::min(out.size(), start_.size() - given_);
    std::copy_n(start_.begin() + static_cast<std::ptrdiff_t>(given_), first, out.begin());
    given_ += first;
    if (first == out.size()) return first;
    FIDUCIAL_TRY(const std::size_t then, rest_->read(out.subspan(first)));
    return first + then;
  }

 private:
  Bytes start_;
  std::size_t given_ = 0;
  std::unique_ptr<ByteStream> rest_;
};

struct Ended {
  const MaskFormat* format = nullptr;
  std::size_t ending = 0;  // its length
};

Ended ending_of(std::string_view name) {
  Ended out;
  for (const MaskFormat& format : all_mask_formats()) {
    for (const std::string& ending : format.endings) {
      if (name.ends_with(ending) && ending.size() > out.ending) out = {&format, ending.size()};
    }
  }
  return out;
}

}  // namespace

const MaskFormat* find_mask_format(std::string_view file_name) { return ending_of(file_name).format; }

bool has_mask_ending(std::string_view file_name) { return find_mask_format(file_name) != nullptr; }

std::string_view without_mask_ending(std::string_view file_name) {
  file_name.remove_suffix(ending_of(file_name).ending);
  return file_name;
}

std::vector<std::string> mask_names(std::string_view stem) {
  std::vector<std::string> out;
  for (const MaskFormat& format : all_mask_formats()) {
    for (const std::string& ending : format.endings) out.push_back(std::string(stem) + ending);
  }
  return out;
}

std::optional<std::string> other_format_of(const std::string& name,
                                           const std::function<bool(const std::string& name)>& is_there) {
  const MaskFormat* const own = find_mask_format(name);
  if (own == nullptr) return std::nullopt;
  for (std::string& other : mask_names(without_mask_ending(name))) {
    if (find_mask_format(other) != own && is_there(other)) return std::move(other);
  }
  return std::nullopt;
}

std::string all_mask_endings() { return joined(mask_names(""), ", "); }

std::string written_mask_endings() {
  std::vector<std::string> out;
  for (const MaskFormat& format : all_mask_formats()) {
    if (format.encode != nullptr) out.insert(out.end(), format.endings.begin(), format.endings.end());
  }
  return joined(out, ", ");
}

Result<std::unique_ptr<MaskReader>> open_masks(MaskSource source) {
  Bytes start(mask_format_bytes);
  FIDUCIAL_TRY(const std::size_t got, source.file.bytes->read(start));
  start.resize(got);
  const std::vector<MaskFormat>& all = all_mask_formats();
  const auto found =
      std::ranges::find_if(all, [&start](const MaskFormat& format) { return format.begins(start); });
  source.file.bytes = std::make_unique<RestartedStream>(std::move(start), std::move(source.file.bytes));
  return (found == all.end() ? all.front() : *found).open(std::move(source));
}

Result<std::unique_ptr<MaskReader>> open_masks(const Path& path) {
  const MaskFormat* const named = find_mask_format(path.filename().string());
  if (named != nullptr && named->reads_anywhere) {
    FIDUCIAL_TRY(std::shared_ptr<const ByteSource> places, FileSource::open(path));
    const std::uint64_t size = places->size();
    return named->open({.file = {nullptr, size}, .places = std::move(places)}).in_file(path.string());
  }
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  const std::uint64_t size = file->size();
  return open_masks({.file = {std::move(file), size}, .places = nullptr}).in_file(path.string());
}

}  // namespace fiducial
