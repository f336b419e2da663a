#include "fiducial/masks/mask_reader.h"

#include <algorithm>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

// Bytes that were read in order and can be had anywhere.
class KeptSource final : public ByteSource {
 public:
  explicit KeptSource(Bytes bytes) : bytes_(std::move(bytes)), view_(bytes_) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> out) const override {
    return view_.read_at(offset, out);
  }

 private:
  Bytes bytes_;
  MemorySource view_;
};

constexpr std::size_t piece = std::size_t{1} << 20;

}  // namespace

Result<LabelMap> WholeMaskReader::read_one(std::size_t index) {
  if (!kept_) {
    FIDUCIAL_TRY(kept_, read_all());
  }
  FIDUCIAL_ASSERT(index < kept_->channels.size());
  return kept_->channels[index];
}

Result<std::shared_ptr<const ByteSource>> anywhere(MaskSource source, std::uint64_t most) {
  if (source.places != nullptr) return std::move(source.places);
  Bytes bytes;
  for (std::size_t got = piece; got == piece;) {
    const std::size_t before = bytes.size();
    if (before > most)
      return invalid_data("a file of masks of more than " + decimal(most >> 20U) + " MiB in an archive");
    bytes.resize(before + piece);
    FIDUCIAL_TRY(got, source.file.bytes->read(std::span(bytes).subspan(before)));
    bytes.resize(before + got);
  }
  return {std::make_shared<const KeptSource>(std::move(bytes))};
}

}  // namespace fiducial
