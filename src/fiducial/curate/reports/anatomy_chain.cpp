#include "fiducial/curate/reports/anatomy_chain.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

std::vector<std::string> names_of_path(const std::string& path) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    std::string name = path.substr(begin, end - begin);
    if (out.empty() || out.back() != name) out.push_back(std::move(name));  // "lung/lung" is one place
    begin = end + 1;
  }
  return out;
}

// By side before by level: a lobe's chain goes through its lung.
bool goes_by_side(const std::vector<std::string>& names) {
  return names.size() > 1 && !side_of_structure(names[1]).empty();
}

// The names that all places share, from the region down; of places that end alike the one by side.
std::vector<std::string> shared_names(const std::vector<std::string>& places) {
  std::vector<std::vector<std::string>> routes;
  for (const std::string& place : places) {
    std::vector<std::string> names = names_of_path(place);
    const auto same_end = std::find_if(routes.begin(), routes.end(), [&names](const auto& route) {
      return route.back() == names.back() && route.front() == names.front();
    });
    if (same_end == routes.end()) {
      routes.push_back(std::move(names));
    } else if (goes_by_side(names) && !goes_by_side(*same_end)) {
      *same_end = std::move(names);
    }
  }
  if (routes.empty()) return {};
  std::vector<std::string> shared = routes.front();
  for (const auto& route : routes) {
    const auto [end, ignored] = std::mismatch(shared.begin(), shared.end(), route.begin(), route.end());
    shared.erase(end, shared.end());
  }
  return shared;
}

std::string level_of(const std::string& name, std::size_t depth) {
  if (depth == 0) return "region";
  if (name == "left lung" || name == "right lung") return "side";
  return name.find("lobe") != std::string::npos ? "lobe" : "structure";
}

bool holds(const VoxelBox& outer, const VoxelBox& inner) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (inner.low[i] < outer.low[i] || inner.high[i] > outer.high[i]) return false;
  }
  return true;
}

// The box grown by a margin, as far as the outer one reaches; never less than the box itself.
VoxelBox with_margin(const VoxelBox& box, std::int64_t margin, const VoxelBox& outer) {
  VoxelBox out = box;
  for (std::size_t i = 0; i < 3; ++i) {
    out.low[i] = std::min(box.low[i], std::max(box.low[i] - margin, outer.low[i]));
    out.high[i] = std::max(box.high[i], std::min(box.high[i] + margin, outer.high[i]));
  }
  return out;
}

ChainStep step_of(const StructureMask& mask, std::string level) {
  ChainStep step{.level = std::move(level), .structure = mask.name, .source = mask.source};
  if (mask.present()) {
    step.box = mask.mask->bounds();
    step.masks = mask.parts.empty() ? std::vector<std::string>{mask.name} : mask.parts;
    step.reason = mask.detail;
    return step;
  }
  if (step.source.empty()) step.source = "text";
  step.reason = std::string(to_string(mask.status)) + (mask.detail.empty() ? "" : ": " + mask.detail);
  return step;
}

Vec3 box_centre(const VoxelBox& box) {
  Vec3 out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = (static_cast<double>(box.low[i] + box.high[i]) - 1) / 2;
  return out;
}

// Where on the way from the right lung (0) to the left one (1) a box lies; nothing without both lungs.
std::optional<double> leftness(const CaseMasks& masks, const VoxelBox& box) {
  const StructureMask left = masks.resolve("left lung");
  const StructureMask right = masks.resolve("right lung");
  if (!left.present() || !right.present()) return std::nullopt;
  const Vec3 a = box_centre(right.mask->bounds());
  const Vec3 b = box_centre(left.mask->bounds());
  const Vec3 p = box_centre(box);
  double along = 0;
  double length = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    along += (p[i] - a[i]) * (b[i] - a[i]);
    length += (b[i] - a[i]) * (b[i] - a[i]);
  }
  if (length == 0) return std::nullopt;
  return along / length;
}

// "" unless the finding lies wholly beyond the other lung's middle.
std::string side_problem(const CaseMasks& masks, const std::vector<std::string>& names, const VoxelBox& box) {
  const std::string_view side = names.empty() ? std::string_view() : side_of_structure(names.back());
  const auto where = leftness(masks, box);
  if (side.empty() || !where) return {};
  if (side == "left" && *where < 0.25) return "the text says left, the finding lies on the right";
  if (side == "right" && *where > 0.75) return "the text says right, the finding lies on the left";
  return {};
}

// "" unless the left lung lies to the right of the right one, in the patient.
std::string swapped_lungs(const CaseMasks& masks) {
  const StructureMask left = masks.resolve("left lung");
  const StructureMask right = masks.resolve("right lung");
  if (!masks.places_known() || !left.present() || !right.present()) return {};
  const Affine& affine = masks.grid()->affine;
  const double x_left = affine.apply(box_centre(left.mask->bounds()))[0];
  const double x_right = affine.apply(box_centre(right.mask->bounds()))[0];
  return x_left < x_right ? "" : "the mask of the left lung lies on the patient's right";
}

void check_containment(AnatomyChain& chain) {
  const VoxelBox* outer = nullptr;
  for (ChainStep& step : chain.steps) {
    if (!step.box) continue;
    if (outer != nullptr && !holds(*outer, *step.box)) {
      step.contained = false;
      chain.status = ChainStatus::not_contained;
      chain.reason = "the box of " + step.structure + " leaves the one before";
    }
    outer = &*step.box;
  }
}

std::string box_text(const VoxelBox& box) {
  std::string out;
  for (std::size_t i = 0; i < 3; ++i) {
    out += (i == 0 ? "[" : ", ") + decimal(box.low[i]) + ":" + decimal(box.high[i]);
  }
  return out + "]";
}

std::string sentence_of(const ChainStep& step) {
  if (!step.box) return "The " + step.structure + " cannot be located (" + step.reason + ").";
  if (step.level == "scan") return "The scan spans " + box_text(*step.box) + ".";
  const std::string verb = step.level == "finding" ? " lies in " : " spans ";
  return "The " + step.structure + verb + box_text(*step.box) + ".";
}

Json corner_json(const std::array<std::int64_t, 3>& corner) {
  return Json::array({corner[0], corner[1], corner[2]});
}

// The outer faces of the box's voxels, towards right, front and head.
Json millimetre_box(const VoxelBox& box, const Affine& affine) {
  constexpr double far = 1e300;
  Vec3 low{far, far, far};
  Vec3 high{-far, -far, -far};
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 voxel{};
    for (std::size_t i = 0; i < 3; ++i) {
      voxel[i] = static_cast<double>((corner >> i & 1) != 0 ? box.high[i] : box.low[i]) - 0.5;
    }
    const Vec3 place = affine.apply(voxel);
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], place[i]);
      high[i] = std::max(high[i], place[i]);
    }
  }
  const auto rounded = [](double mm) { return std::round(mm * 1000) / 1000 + 0.0; };
  return Json::array({Json::array({rounded(low[0]), rounded(low[1]), rounded(low[2])}),
                      Json::array({rounded(high[0]), rounded(high[1]), rounded(high[2])})});
}

}  // namespace

std::string_view to_string(ChainStatus status) {
  constexpr std::string_view names[] = {"located", "abstained", "no_place", "not_contained", "side_conflict"};
  return names[static_cast<std::size_t>(status)];
}

AnatomyChain make_chain(const CaseMasks& masks, const std::vector<std::string>& places,
                        const std::optional<FindingMask>& finding) {
  AnatomyChain chain{.places = places};
  const std::vector<std::string> names = shared_names(places);
  if (masks.grid()) {
    const Extent& extent = masks.grid()->extent;
    chain.steps.push_back({.level = "scan",
                           .structure = "scan",
                           .source = "volume",
                           .box = VoxelBox{{0, 0, 0}, {extent.x, extent.y, extent.z}}});
  } else {
    chain.steps.push_back({.level = "scan",
                           .structure = "scan",
                           .source = "text",
                           .reason = "missing: neither the volume nor a mask of it is there"});
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    chain.steps.push_back(step_of(masks.resolve(names[i]), level_of(names[i], i)));
  }
  chain.status = names.empty() ? ChainStatus::no_place : ChainStatus::abstained;
  if (!names.empty() && chain.steps.back().box) chain.status = ChainStatus::located;
  if (chain.status == ChainStatus::abstained) chain.reason = chain.steps.back().reason;
  if (finding && !finding->mask->empty()) {
    const VoxelBox box = finding->mask->bounds();
    VoxelBox outer = box;
    for (const ChainStep& step : chain.steps) outer = step.box.value_or(outer);
    chain.steps.push_back({.level = "finding",
                           .structure = "finding",
                           .source = "mask",
                           .box = with_margin(box, finding->margin_voxels, outer)});
    chain.status = ChainStatus::located;
  }
  check_containment(chain);
  std::string conflict = swapped_lungs(masks);
  if (conflict.empty() && finding && !finding->mask->empty()) {
    conflict = side_problem(masks, names, finding->mask->bounds());
  }
  if (!conflict.empty() && !names.empty()) {
    chain.status = ChainStatus::side_conflict;
    chain.reason = conflict;
  }
  return chain;
}

Json chain_json(const AnatomyChain& chain, const CaseMasks& masks) {
  Json steps = Json::Array{};
  std::string text;
  for (const ChainStep& step : chain.steps) {
    Json line =
        Json::object({{"level", step.level},
                      {"structure", step.structure},
                      {"source", step.source},
                      {"status", step.box ? (step.contained ? "located" : "not_contained") : "abstained"},
                      {"box", nullptr},
                      {"box_mm", nullptr}});
    if (step.box) {
      line.set("box", Json::array({corner_json(step.box->low), corner_json(step.box->high)}));
      if (masks.places_known()) line.set("box_mm", millimetre_box(*step.box, masks.grid()->affine));
    }
    if (!step.masks.empty()) line.set("masks", Json::strings(step.masks));
    if (!step.reason.empty()) line.set("reason", step.reason);
    line.set("sentence", sentence_of(step));
    append_joined(text, sentence_of(step), " ");
    steps.push(std::move(line));
  }
  Json places = Json::strings(chain.places);
  Json out = Json::object({{"status", std::string(to_string(chain.status))},
                           {"places", std::move(places)},
                           {"frame", masks.places_known() ? Json("RAS") : Json()},
                           {"steps", std::move(steps)},
                           {"text", text}});
  if (!chain.reason.empty()) out.set("reason", chain.reason);
  return out;
}

}  // namespace fiducial
