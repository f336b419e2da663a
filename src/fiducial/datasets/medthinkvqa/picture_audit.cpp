#include "fiducial/datasets/medthinkvqa/picture_audit.h"

#include <bit>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/medthinkvqa/lint_row.h"

namespace fiducial::medthinkvqa {

namespace {

// The bits of one of the bands that a hash is cut into.
std::uint64_t band_bits(std::uint64_t looks, std::size_t band, std::size_t bands) {
  const std::size_t begin = 64 * band / bands;
  const std::size_t end = 64 * (band + 1) / bands;
  return looks >> begin & ((std::uint64_t{1} << (end - begin)) - 1);
}

std::string rows_text(const std::vector<TextOverlay>& overlays) {
  return joined(overlays, ", ", [](const TextOverlay& overlay) {
    return decimal(overlay.top) + " to " + decimal(overlay.bottom);
  });
}

Json kept_overlays(const std::vector<TextOverlay>& overlays) {
  Json out{Json::Array{}};
  for (const TextOverlay& each : overlays)
    out.push(Json::array({each.top, each.bottom, each.left, each.right}));
  return out;
}

Result<std::vector<TextOverlay>> parse_overlays(const Json& value) {
  std::vector<TextOverlay> out;
  FIDUCIAL_TRY(const Json::Array* list, expect_array(value, "/overlays"));
  out.reserve(list->size());
  for (const Json& each : *list) {
    const Json::Array* sides = each.as_array();
    if (sides == nullptr || sides->size() != 4) return at_pointer("/overlays", "expected four sides");
    TextOverlay& overlay = out.emplace_back();
    std::size_t at = 0;
    for (std::int64_t* const side : {&overlay.top, &overlay.bottom, &overlay.left, &overlay.right}) {
      FIDUCIAL_TRY(*side, expect_integer((*sides)[at++], "/overlays"));
    }
  }
  return out;
}

Result<Digest> kept_digest(const Json& value, const std::string& name) {
  FIDUCIAL_TRY(const std::string text, required_string(value, name, ""));
  const auto digest = parse_digest(text);
  if (!digest) return at_pointer("/" + name, "expected a sha256, found \"" + text + "\"");
  return *digest;
}

}  // namespace

Json kept_picture(const PictureFacts& facts) {
  return Json::object({{"path", facts.path},
                       {"problem", facts.problem},
                       {"missing", facts.is_missing},
                       {"format", static_cast<std::int64_t>(facts.format)},
                       {"decoded", facts.is_decoded},
                       {"bytes", facts.bytes.hex()},
                       {"pixels", facts.pixels.hex()},
                       {"looks", facts.looks ? Json(decimal(*facts.looks)) : Json()},
                       {"overlays", kept_overlays(facts.overlays)}});
}

Result<PictureFacts> parse_kept_picture(const Json& value) {
  PictureFacts out;
  FIDUCIAL_TRY(out.path, required_string(value, "path", ""));
  FIDUCIAL_TRY(out.problem, required_string(value, "problem", ""));
  out.is_missing = flag_at(value, "missing").value_or(false);
  FIDUCIAL_TRY(const std::int64_t format, required_integer(value, "format", ""));
  if (format < 0 || format > static_cast<std::int64_t>(PictureFormat::unknown))
    return at_pointer("/format", "expected a format of pictures, found " + decimal(format));
  out.format = static_cast<PictureFormat>(format);
  out.is_decoded = flag_at(value, "decoded").value_or(false);
  FIDUCIAL_TRY(out.bytes, kept_digest(value, "bytes"));
  FIDUCIAL_TRY(out.pixels, kept_digest(value, "pixels"));
  out.looks = parse_unsigned(text_at(value, "looks"));
  FIDUCIAL_TRY(const Json* overlays, required_field(value, "overlays", ""));
  FIDUCIAL_TRY(out.overlays, parse_overlays(*overlays));
  return out;
}

PictureFacts examine_picture(const PictureFiles& files, const RawSlot& slot) {
  PictureFacts out{.path = std::string(slot.path)};
  std::optional<std::string> file;
  if (!slot.embedded) {
    Result<std::optional<std::string>> read = files.read(out.path);
    if (!read.ok() || !*read) {
      out.is_missing = read.ok();
      out.problem = read.ok() ? "expected a file, found none" : read.error().message();
      return out;
    }
    file = *std::move(read);
  }
  const ByteView bytes = as_bytes(slot.embedded ? *slot.embedded : *file);
  out.format = sniffed_format(bytes);
  out.bytes = sha256(bytes);
  const Result<Picture> picture = decode_picture(bytes);
  if (!picture.ok()) {
    // A picture of another kind may be whole; it is only not looked into.
    if (picture.error().code() != ErrorCode::unavailable) {
      out.problem = "expected a whole picture, but it does not decode: " + picture.error().message();
    }
    return out;
  }
  out.is_decoded = true;
  out.pixels = pixel_digest(*picture);
  const Picture shades = grey(*picture);
  out.looks = perceptual_hash(shades);
  out.overlays = text_overlays(shades);
  return out;
}

Json PictureAudit::Pairs::json() const {
  return Json::object({{"within_case", within_case}, {"across_cases", across_cases}});
}

void PictureAudit::tell(const LintRule& rule, Pairs& pairs, std::size_t other, LintProblems& problems,
                        const std::string& how) {
  if (seen_[other].path == seen_.back().path) return;  // one file in two slots breaks another rule
  const bool is_within = seen_[other].case_number == seen_.back().case_number;
  ++(is_within ? pairs.within_case : pairs.across_cases);
  problems.add(rule, {seen_.back().path, ""},
               "expected another picture in each place, found one " + how + " " + seen_[other].path +
                   (is_within ? " of the same case" : " of another case"));
}

std::optional<std::size_t> PictureAudit::most_alike(std::uint64_t looks) const {
  std::optional<std::size_t> best;
  int least = alike_bits + 1;
  for (std::size_t band = 0; band < bands; ++band) {
    const auto bucket = by_looks_[band].find(band_bits(looks, band, bands));
    if (bucket == by_looks_[band].end()) continue;
    for (const std::size_t other : bucket->second) {
      const int differ = std::popcount(looks ^ *seen_[other].looks);
      if (differ < least || (differ == least && best && other < *best)) {
        least = differ;
        best = other;
      }
    }
  }
  return best;
}

void PictureAudit::remember(const PictureFacts& facts) {
  const std::size_t index = seen_.size() - 1;
  by_bytes_.emplace(facts.bytes.bytes, index);
  if (facts.is_decoded) by_pixels_.emplace(facts.pixels.bytes, index);
  if (!facts.looks) return;
  for (std::size_t band = 0; band < bands; ++band) {
    by_looks_[band][band_bits(*facts.looks, band, bands)].push_back(index);
  }
}

void PictureAudit::add(std::int64_t case_number, const PictureFacts& facts, LintProblems& problems) {
  if (!facts.problem.empty()) {
    ++unreadable_;
    if (facts.is_missing) missing_.push_back(facts.path);
    return problems.add(lint_rules::s13_image_unreadable, {facts.path, ""}, facts.problem);
  }
  ++formats_[std::string(to_string(facts.format))];
  decoded_ += facts.is_decoded ? 1 : 0;
  if (facts.format != PictureFormat::jpeg) {
    problems.add(lint_rules::s13_image_format, {facts.path, ""},
                 "expected JPEG by its name, found " + std::string(to_string(facts.format)));
  }
  if (!facts.is_decoded) {
    problems.add(lint_rules::s13_image_undecoded, {facts.path, ""},
                 "pictures of this format are not decoded: nothing is known of its pixels");
  }
  if (!facts.overlays.empty()) {
    ++with_overlay_;
    problems.add(lint_rules::image_text_overlay, {facts.path, ""},
                 "thin strokes as of text in rows " + rows_text(facts.overlays) +
                     ": look for burned-in names and dates");
  }
  seen_.push_back({case_number, facts.path, facts.looks});
  if (const auto same = by_bytes_.find(facts.bytes.bytes); same != by_bytes_.end()) {
    tell(lint_rules::image_same_bytes, same_bytes_, same->second, problems, "with the bytes of");
    return;
  }
  const auto same = facts.is_decoded ? by_pixels_.find(facts.pixels.bytes) : by_pixels_.end();
  if (same != by_pixels_.end()) {
    tell(lint_rules::image_same_pixels, same_pixels_, same->second, problems, "with the pixels of");
  } else if (facts.looks) {
    if (const auto other = most_alike(*facts.looks)) {
      tell(lint_rules::image_alike, alike_, *other, problems, "that looks like");
    }
  }
  remember(facts);
}

Json PictureAudit::json() const {
  Json by_format = Json::object({});
  for (const auto& [format, count] : formats_) by_format.set(format, count);
  return Json::object({{"images", count()},
                       {"decoded", decoded_},
                       {"decoder", picture_decoders()},
                       {"formats", std::move(by_format)},
                       {"same_bytes", same_bytes_.json()},
                       {"same_pixels", same_pixels_.json()},
                       {"alike", alike_.json()},
                       {"alike_bits", alike_bits},
                       {"text_overlay", with_overlay_}});
}

std::string PictureAudit::text() const {
  std::string by_format;
  for (const auto& [format, number] : formats_) by_format += ", " + decimal(number) + " " + format;
  const auto pairs = [](const Pairs& counted) {
    return decimal(counted.within_case) + "/" + decimal(counted.across_cases);
  };
  return "images: " + decimal(count()) + ", " + decimal(decoded_) + " decoded" + by_format +
         "\nduplicates within/across cases: " + pairs(same_bytes_) + " by bytes, " + pairs(same_pixels_) +
         " by pixels, " + pairs(alike_) + " alike (at most " + decimal(alike_bits) + " of 64 bits differ)\n";
}

}  // namespace fiducial::medthinkvqa
