#include "fiducial/segment/text_region.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/segment/voxel_bits.h"
#include "fiducial/spatial/components.h"
#include "fiducial/text/words.h"

namespace fiducial {

std::string_view embedded_text_regions();

namespace {

struct Attenuation {
  float least_hu = 0;
  float greatest_hu = 0;
  double thickness_mm = 0;
  std::int32_t most_components = 1;
};

std::vector<std::string> fields_of_line(std::string_view line) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t at = std::min(line.find(" | "), line.size());
    out.emplace_back(line.substr(0, at));
    if (at == line.size()) return out;
    line.remove_prefix(at + 3);
  }
}

const std::map<std::string, Attenuation>& attenuations() {
  static const std::map<std::string, Attenuation> all = [] {
    std::map<std::string, Attenuation> out;
    std::string_view text = embedded_text_regions();
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.empty() || line.front() == '#') continue;
      const std::vector<std::string> fields = fields_of_line(line);
      FIDUCIAL_ASSERT(fields.size() == 5);
      const auto number = [&fields](std::size_t i) { return parse_double(fields[i]).value_or(0); };
      out[fields[0]] = {.least_hu = static_cast<float>(number(1)),
                        .greatest_hu = static_cast<float>(number(2)),
                        .thickness_mm = number(3),
                        .most_components = static_cast<std::int32_t>(number(4))};
    }
    return out;
  }();
  return all;
}

// The mask of a path, or of what is above it.
std::optional<Mask> mask_of_place(const CaseMasks& masks, std::string path) {
  while (!path.empty()) {
    const StructureMask found = masks.resolve(node_of(path));
    if (found.present()) return found.mask;
    const std::size_t slash = path.rfind('/');
    path = slash == std::string::npos ? "" : path.substr(0, slash);
  }
  return std::nullopt;
}

bool says_word(std::string_view sentence, std::string_view word) {
  const std::string text = ascii_lower(sentence);
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

// The lungs that a sentence about the pleura means: that of the only side it names, else both.
StructureMask lungs_beside(std::string_view sentence, const CaseMasks& masks) {
  const bool left = says_word(sentence, "left");
  const bool right = says_word(sentence, "right");
  if (left == right) return masks.resolve("lung");
  return masks.resolve(left ? "left lung" : "right lung");
}

// Fluid lies around the lungs: a shell of 25 mm outside them, without the organs that are known to be there,
// stands for the pleural space.
std::optional<Mask> pleural_space(std::string_view sentence, const CaseMasks& masks) {
  constexpr double shell_mm = 25;
  const StructureMask lungs = lungs_beside(sentence, masks);
  if (!lungs.present()) return std::nullopt;
  const Grid& grid = lungs.mask->grid();
  const PointLattice inside = bits_of_mask(*lungs.mask);
  Mask out = mask_of_bits(without(grown(inside, grid.affine.spacing_mm(), shell_mm), inside), grid.affine);
  for (const std::string& name : masks.names()) {
    const Structure* structure = Anatomy::chest_ct().find(name);
    const bool is_organ = structure != nullptr && (structure->total_class || name == "bone" ||
                                                   name == "left lung" || name == "right lung");
    const StructureMask organ = is_organ ? masks.resolve(name) : StructureMask();
    if (organ.present()) out = subtracted(out, *organ.mask);
  }
  return out;
}

Mask in_window(const Mask& place, const FloatVolume& hu, const Attenuation& looks) {
  const Grid& grid = place.grid();
  std::vector<MaskRun> runs;
  for (const MaskRun& run : place.runs()) {
    const float* row =
        hu.values.data() + static_cast<std::size_t>(run.row) * static_cast<std::size_t>(grid.extent.x);
    for (std::int32_t x = run.begin; x < run.end; ++x) {
      if (row[x] >= looks.least_hu && row[x] <= looks.greatest_hu) runs.push_back({run.row, x, x + 1});
    }
  }
  Mask found = Mask::from_sorted_runs(grid, std::move(runs));
  if (looks.thickness_mm == 0) return found;
  const PointLattice bits = bits_of_mask(found);
  const PointLattice thick = both_of(opened(bits, grid.affine.spacing_mm(), looks.thickness_mm / 2), bits);
  return mask_of_bits(thick, grid.affine);
}

Mask largest_parts(const Mask& mask, std::int32_t most) {
  constexpr std::int64_t least_voxels = 10;
  const Components parts = without_small(components(mask, Connectivity::edges18), least_voxels);
  return largest(parts, most).labels.foreground();
}

}  // namespace

TextRegion TextRegionPredictor::predict(std::string_view sentence, const FloatVolume& hu,
                                        const CaseMasks& masks) {
  FIDUCIAL_ASSERT(masks.grid() && masks.grid()->extent == hu.extent);
  TextRegion out{.mask = Mask(*masks.grid())};
  std::set<std::string> places;
  for (const GroundedFinding& found : grounder_.findings(sentence)) {
    if (!found.present) continue;
    places.insert(found.paths.begin(), found.paths.end());
    if (out.finding.empty() && attenuations().contains(found.name)) out.finding = found.name;
  }
  out.places = deepest({places.begin(), places.end()});
  if (out.places.empty()) out.places = grounder_.paths(sentence);
  std::optional<Mask> place;
  for (const std::string& path : out.places) {
    const std::optional<Mask> one =
        path == "pleura/pleura" ? pleural_space(sentence, masks) : mask_of_place(masks, path);
    if (one) place = place ? united(*place, *one) : *one;
  }
  if (!place) {
    out.reason = out.places.empty() ? "the sentence names no place" : "no mask of the place it names";
    return out;
  }
  if (out.finding.empty()) {
    out.mask = *place;
    out.reason = "no attenuation is known of what it names: the whole place";
    return out;
  }
  const Attenuation& looks = attenuations().at(out.finding);
  out.mask = largest_parts(in_window(*place, hu, looks), looks.most_components);
  if (out.mask.empty()) out.reason = "nothing in the place has the attenuation of " + out.finding;
  return out;
}

}  // namespace fiducial
