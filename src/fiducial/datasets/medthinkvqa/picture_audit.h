#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/datasets/lint_report.h"
#include "fiducial/datasets/medthinkvqa/picture_files.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"
#include "fiducial/image/picture_hash.h"
#include "fiducial/image/text_overlay.h"

namespace fiducial::medthinkvqa {

// What is known of one image once its pixels are forgotten again.
struct PictureFacts {
  std::string path;
  std::string problem;  // why it cannot be shown; empty if it can
  bool is_missing = false;
  PictureFormat format = PictureFormat::unknown;
  bool is_decoded = false;
  Digest bytes;
  Digest pixels;                       // of a decoded one
  std::optional<std::uint64_t> looks;  // perceptual hash of a decoded one that is not flat
  std::vector<TextOverlay> overlays;
};

// The same for another process.
Json kept_picture(const PictureFacts& facts);
Result<PictureFacts> parse_kept_picture(const Json& value);

// Reads and decodes an image: of the bytes embedded in its row, else of its file. Safe from several threads.
PictureFacts examine_picture(const PictureFiles& files, const RawSlot& slot);

// Holds every image against the rules about images, and against all images before it. Keeps hashes only: some
// 200 bytes an image.
class PictureAudit {
 public:
  void add(std::int64_t case_number, const PictureFacts& facts, LintProblems& problems);

  std::int64_t count() const { return static_cast<std::int64_t>(seen_.size()) + unreadable_; }
  const std::vector<std::string>& missing() const { return missing_; }
  Json json() const;
  std::string text() const;  // two lines

 private:
  // Pairs of an image with one before it.
  struct Pairs {
    std::int64_t within_case = 0;
    std::int64_t across_cases = 0;

    Json json() const;
  };
  struct Seen {
    std::int64_t case_number = 0;
    std::string path;
    std::optional<std::uint64_t> looks;
  };
  static constexpr std::size_t bands = alike_bits + 1;
  using Band = std::unordered_map<std::uint64_t, std::vector<std::size_t>>;

  void tell(const LintRule& rule, Pairs& pairs, std::size_t other, LintProblems& problems,
            const std::string& how);
  std::optional<std::size_t> most_alike(std::uint64_t looks) const;
  void remember(const PictureFacts& facts);

  std::map<std::string, std::int64_t> formats_;
  std::int64_t unreadable_ = 0;
  std::vector<std::string> missing_;
  std::int64_t decoded_ = 0;
  std::int64_t with_overlay_ = 0;
  Pairs same_bytes_;
  Pairs same_pixels_;
  Pairs alike_;
  std::vector<Seen> seen_;
  std::map<std::array<std::uint8_t, 32>, std::size_t> by_bytes_;
  std::map<std::array<std::uint8_t, 32>, std::size_t> by_pixels_;
  std::array<Band, bands> by_looks_;  // two hashes that differ in few bits agree in one band
};

}  // namespace fiducial::medthinkvqa
