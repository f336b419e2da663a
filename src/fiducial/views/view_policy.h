#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"

namespace fiducial {

// The ways of looking at a scan: from below, from the front, from the patient's left.
enum class ViewPlane { axial, coronal, sagittal };
std::string_view to_string(ViewPlane plane);

// Which Hounsfield units are shown from black to white.
struct ViewWindow {
  std::string name;  // as the picture's label says it; "" gives centre and width
  std::int64_t centre_hu = 0;
  std::int64_t width_hu = 1;

  std::string text() const;
};

// Which slices of a plane are shown.
struct SliceRule {
  enum class Kind { uniform, every_mm, through };
  Kind kind = Kind::uniform;
  std::int64_t count = 0;  // of uniform and through: at most
  std::int64_t step_um = 0;
  std::int64_t most = 0;  // of every_mm: more are refused
  std::string of;         // of through: "asked", or a structure or region
};

// A part of the body as a prompt in the picture.
struct RegionRule {
  enum class Kind { outline, crop, mask };
  Kind kind = Kind::outline;
  std::string of;  // "asked": what the question is about; else a structure or region
  std::int64_t margin_mm = 0;
  bool whole_scan_if_absent = false;  // else a question about what has no mask cannot be asked
};

struct PictureCodec {
  enum class Format { png, jpeg, as_is };
  Format format = Format::png;
  int quality = 90;
};

struct GreyWindow {
  std::int64_t black = 0;
  std::int64_t white = 255;
};

// How cases become pictures: read from a file, or one of ours. Everything a picture depends on besides the
// case stands here, so that equal policies show equal pictures.
struct ViewPolicy {
  enum class Kind { scans, images };

  std::string name;
  std::string title;
  Kind kind = Kind::scans;
  PictureCodec codec;
  std::int64_t longest_px = 0;  // of a picture's longer side; of images an upper limit, 0: none

  // Of scans.
  std::vector<ViewPlane> planes;
  std::vector<ViewWindow> windows;
  bool windows_as_channels = false;
  SliceRule slices;
  std::optional<RegionRule> region;
  std::int64_t montage_columns = 1;
  std::int64_t montage_rows = 1;
  bool side_letters = true;

  // Of images.
  std::optional<GreyWindow> grey_window;
  std::optional<std::uint8_t> background;  // the grey that transparent pixels lie on

  // Refuses members that are not known, values out of range, and what does not go together.
  static Result<ViewPolicy> parse(std::string_view text, const std::string& place);
  // A policy by its name, or from a file whose name ends in .json.
  static Result<ViewPolicy> load(const std::string& name_or_file);

  Json json() const;           // canonical: what is not said is there as it is by default
  std::string sha256() const;  // of json() without name and title
  bool changes_nothing() const { return kind == Kind::images && codec.format == PictureCodec::Format::as_is; }
  // Whether pictures depend on what a question is about.
  bool shows_asked_region() const;
};

// The policies that are compiled in, in the order they are listed.
const std::vector<ViewPolicy>& all_view_policies();

}  // namespace fiducial
