#include "fiducial/anatomy/case_masks.h"

#include <utility>

#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/image/lattice_move.h"

namespace fiducial {

namespace {

StructureMask unusable(std::string name, MaskStatus status, std::string detail) {
  return {
      .name = std::move(name), .status = status, .source = "mask", .mask = {}, .detail = std::move(detail)};
}

// A name as the anatomy has it, else as it is compared.
std::string known_name(std::string_view name) {
  const Structure* structure = Anatomy::chest_ct().find(name);
  return structure != nullptr ? structure->name : plain_structure_name(name);
}

Result<LabelMap> read_labels(MaskReader& file) {
  const MaskHead& head = file.head();
  if (head.shape.channels != 1 || head.rank > 3)
    return invalid_data("array of shape " + head.shape_text + "; expected 3 axes");
  FIDUCIAL_TRY(LabelStack stack, file.read_all());
  const LabelValueFacts& values = stack.values;
  if (values.fractional > 0 || values.not_finite > 0) {
    return invalid_data(
        "expected a mask of whole numbers, found probabilities: " + decimal(values.fractional) +
        " voxels are fractions, " + decimal(values.not_finite) + " are no numbers");
  }
  return std::move(stack.channels.front());
}

// The masks of all labels in one pass over the runs.
std::map<std::int32_t, Mask> masks_by_label(const LabelMap& labels) {
  std::map<std::int32_t, std::vector<MaskRun>> runs;
  for (const LabelRun& run : labels.runs()) runs[run.label].push_back({run.row, run.begin, run.end});
  std::map<std::int32_t, Mask> out;
  for (auto& [label, each] : runs) {
    out.emplace(label, Mask::from_sorted_runs(labels.grid(), std::move(each)));
  }
  return out;
}

// Why labels that nothing names cannot be those of TotalSegmentator, if they cannot.
std::string misfit_of_total(const std::map<std::int32_t, Mask>& masks) {
  const char* remedy = "; name them in labels.json, dataset.json or an extension of the header";
  const LabelNames total = total_label_names();
  for (const auto& [label, mask] : masks) {
    if (!total.contains(label))
      return "nothing names its labels, and " + decimal(label) + " is none of TotalSegmentator's" + remedy;
  }
  if (masks.size() == 1 && masks.begin()->first == 1)
    return std::string("nothing names its only label, 1") + remedy;
  return {};
}

std::string grid_text(const Grid& grid) {
  const Vec3 mm = grid.affine.spacing_mm();
  return grid.extent.text() + " voxels of " + fixed(mm[0], 3) + " x " + fixed(mm[1], 3) + " x " +
         fixed(mm[2], 3) + " mm, " + OrientationCode::of(grid.affine).text() + ", from (" +
         fixed(grid.affine.m[0][3], 2) + ", " + fixed(grid.affine.m[1][3], 2) + ", " +
         fixed(grid.affine.m[2][3], 2) + ") mm";
}

MaskStatus status_of_mask(const Mask& mask) { return mask.empty() ? MaskStatus::empty : MaskStatus::present; }

// Nothing is chosen between two names of one label.
Outcome add_label_name(LabelNames& names, std::int64_t label, const std::string& name) {
  const auto [other, added] = names.try_emplace(static_cast<std::int32_t>(label), name);
  if (added || label == 0 || other->second == name) return done();
  return invalid_data("label " + decimal(label) + " has two names: \"" + other->second + "\" and \"" + name +
                      "\"");
}

Result<LabelNames> read_label_object(const Json::Object& object) {
  LabelNames names;
  for (const auto& [key, value] : object) {
    const auto number = parse_integer(key);
    if (number && value.as_string() != nullptr) {
      FIDUCIAL_TRY_DONE(add_label_name(names, *number, *value.as_string()));
    } else if (value.as_array() != nullptr) {
      continue;  // a region of several labels
    } else if (const std::int64_t* label = value.as_integer()) {
      FIDUCIAL_TRY_DONE(add_label_name(names, *label, key));
    } else if (const Json* name = value.find("name");
               number && name != nullptr && name->as_string() != nullptr) {
      FIDUCIAL_TRY_DONE(add_label_name(names, *number, *name->as_string()));
    } else {
      return invalid_data("expected labels and names, {\"10\": \"lung_upper_lobe_left\", ...}; found '" +
                          key + "' with a value of kind " + std::string(value.kind()));
    }
  }
  names.erase(0);
  if (names.empty()) return invalid_data("names no label");
  return names;
}

}  // namespace

std::string_view to_string(MaskStatus status) {
  constexpr std::string_view names[] = {"present", "empty", "missing", "other_grid", "broken"};
  return names[static_cast<std::size_t>(status)];
}

LabelNames total_label_names() {
  LabelNames names;
  for (const TotalClass& one : Anatomy::chest_ct().total_classes()) names[one.label] = one.name;
  return names;
}

Result<LabelNames> parse_label_names(std::string_view json) {
  FIDUCIAL_TRY(const Json document, parse_json(json));
  const Json* labels = document.find("labels");
  const Json::Object* object = labels != nullptr ? labels->as_object() : document.as_object();
  if (object == nullptr) return invalid_data("expected an object of labels and names");
  return read_label_object(*object);
}

Result<LabelNames> parse_dataset_label_names(std::string_view json) {
  FIDUCIAL_TRY(const Json document, parse_json(json));
  const Json* labels = document.find("labels");
  if (labels == nullptr || labels->as_object() == nullptr) return LabelNames();
  return read_label_object(*labels->as_object());
}

std::vector<std::string> CaseMasks::names() const {
  std::vector<std::string> out;
  for (const auto& [name, mask] : masks_) out.push_back(name);
  return out;
}

void CaseMasks::note_file(const std::string& name, const Digest& digest) {
  files_ += digest.hex() + "  " + name + "\n";
}

std::optional<Digest> CaseMasks::digest() const {
  return files_.empty() ? std::nullopt : std::optional(sha256(as_bytes(files_)));
}

void CaseMasks::add(StructureMask mask) {
  std::string name = known_name(mask.name);
  mask.name = name;
  masks_.insert_or_assign(std::move(name), std::move(mask));
}

StructureMask CaseMasks::on_volume(std::string name, const LabelMap& labels, const MaskHead& head) {
  Mask mask = labels.foreground();
  StructureMask out{.name = std::move(name), .status = status_of_mask(mask), .source = "mask"};
  const Grid found{mask.extent(), head.affine};
  if (!volume_) {
    volume_ = found;
    places_known_ = head.claims_place;
  }
  if (!head.claims_place) {
    if (found.extent != volume_->extent) {
      return unusable(
          out.name, MaskStatus::other_grid,
          "expected " + volume_->extent.text() + " voxels, found " + found.extent.text() +
              " without a place in the patient: only a record of what was done to it "
              "(\"fiducial resample MASK OUT.nii.gz --transform RECORD --inverse\") puts it back");
    }
    if (found.affine != volume_->affine) out.detail = "no place of its own; takes the grid of the volume";
    out.mask = Mask::from_sorted_runs(*volume_, {mask.runs().begin(), mask.runs().end()});
    return out;
  }
  if (!places_known_) return unplaced(std::move(out), mask);
  const auto move = lattice_move(found, *volume_);
  if (!move) {
    return unusable(
        out.name, MaskStatus::other_grid,
        "expected " + grid_text(*volume_) + "; found " + grid_text(found) +
            "; \"fiducial resample MASK OUT.nii.gz --like CT --labels\" brings it onto that grid");
  }
  if (move->is_identity() && found.extent == volume_->extent) {
    out.mask = Mask::from_sorted_runs(*volume_, {mask.runs().begin(), mask.runs().end()});
    return out;
  }
  out.mask = moved(mask, *move, *volume_);
  out.status = status_of_mask(*out.mask);
  out.detail = "on the volume's grid by whole voxels: " + move->text();
  if (out.mask->count() < mask.count()) {
    out.detail += "; " + decimal(mask.count() - out.mask->count()) + " voxels lie outside it";
  }
  return out;
}

// A mask that says where it lies, of a volume that does not.
StructureMask CaseMasks::unplaced(StructureMask out, const Mask& mask) const {
  if (mask.extent() != volume_->extent) {
    return unusable(out.name, MaskStatus::other_grid,
                    "expected " + volume_->extent.text() + " voxels, found " + mask.extent().text() +
                        "; the volume's masks lost their place: it cannot be put onto them");
  }
  out.detail = "the volume's masks lost their place; taken voxel by voxel";
  out.mask = Mask::from_sorted_runs(*volume_, {mask.runs().begin(), mask.runs().end()});
  return out;
}

void CaseMasks::add_file(const std::string& name, Result<std::unique_ptr<MaskReader>> file) {
  if (!file.ok()) return add(unusable(name, MaskStatus::broken, file.error().text()));
  Result<LabelMap> labels = read_labels(**file);
  if (!labels.ok()) return add(unusable(name, MaskStatus::broken, labels.error().text()));
  add(on_volume(name, *labels, (*file)->head()));
}

void CaseMasks::add_named(MaskReader& file, const std::string& file_name, const IsWanted& is_wanted) {
  const MaskHead& head = file.head();
  for (std::size_t i = 0; i < head.masks.size(); ++i) {
    const std::string& name = head.masks[i].name;
    if (!is_wanted(name)) continue;
    const Result<LabelMap> labels = file.read_one(i);
    if (!labels.ok()) {
      add(unusable(name, MaskStatus::broken, labels.error().text()));
      continue;
    }
    if (i < head.digests.size()) note_file(file_name + "/" + name, head.digests[i]);
    add(on_volume(name, *labels, head));
  }
}

void CaseMasks::add_label_map(Result<std::unique_ptr<MaskReader>> file, const LabelNames& given) {
  if (!file.ok()) {
    label_map_problem_ = unusable("", MaskStatus::broken, file.error().text());
    return;
  }
  const MaskHead& head = (*file)->head();
  const Result<LabelMap> labels = read_labels(**file);
  if (!labels.ok()) {
    label_map_problem_ = unusable("", MaskStatus::broken, labels.error().text());
    return;
  }
  std::map<std::int32_t, Mask> masks = masks_by_label(*labels);
  if (given.empty()) {
    if (std::string misfit = misfit_of_total(masks); !misfit.empty()) {
      label_map_problem_ = unusable("", MaskStatus::broken, std::move(misfit));
      return;
    }
  }
  for (const auto& [label, name] : given.empty() ? total_label_names() : given) {
    const auto found = masks.find(label);
    std::vector<LabelRun> runs;
    if (found != masks.end()) {
      for (const MaskRun& run : found->second.runs()) runs.push_back({run.row, run.begin, run.end, 1});
    }
    StructureMask mask = on_volume(name, LabelMap(labels->grid(), std::move(runs)), head);
    mask.source = "label map";
    add(std::move(mask));
  }
}

StructureMask CaseMasks::united_parts(const Structure& structure) const {
  StructureMask out{.name = structure.name, .source = "union"};
  std::string missing;
  for (const Structure::Part& part : structure.parts) {
    StructureMask one = resolve(part.name);
    if (one.mask) {
      const std::vector<std::string>& own = one.parts;
      out.parts.insert(out.parts.end(), own.begin(), own.end());
      if (own.empty()) out.parts.push_back(one.name);
      out.mask = out.mask ? united(*out.mask, *one.mask) : std::move(*one.mask);
    } else if (!part.optional || one.status != MaskStatus::missing) {
      append_joined(missing, part.name + " (" + std::string(to_string(one.status)) + ")");
      if (one.status != MaskStatus::missing) out.status = one.status;
    }
  }
  if (!missing.empty() || !out.mask) {
    out.mask.reset();
    out.parts.clear();
    out.detail = missing.empty() ? "none of its parts is there" : "without its parts " + missing;
    return out;
  }
  out.status = status_of_mask(*out.mask);
  return out;
}

StructureMask CaseMasks::united_members(std::string_view region) const {
  StructureMask out{.name = std::string(region), .source = "region"};
  int found = 0;
  const std::vector<std::string> members = Anatomy::chest_ct().members_of_region(region);
  for (const std::string& member : members) {
    const auto one = masks_.find(member);
    if (one == masks_.end() || !one->second.mask) continue;
    out.mask = out.mask ? united(*out.mask, *one->second.mask) : *one->second.mask;
    out.parts.push_back(member);
    ++found;
  }
  out.detail = members.empty() ? "no mask of it"
                               : decimal(found) + " of " + decimal(members.size()) + " members are there";
  if (out.mask) out.status = status_of_mask(*out.mask);
  return out;
}

StructureMask CaseMasks::resolve(std::string_view name) const {
  const std::string plain = known_name(name);
  const auto own = masks_.find(plain);
  if (own != masks_.end()) return own->second;
  if (plain.starts_with(region_prefix)) {
    StructureMask out = resolve(std::string_view(plain).substr(region_prefix.size()));
    out.name = plain;
    return out;
  }
  if (label_map_problem_) {
    StructureMask out = *label_map_problem_;
    out.name = plain;
    return out;
  }
  const Structure* structure = Anatomy::chest_ct().find(plain);
  if (structure != nullptr && !structure->parts.empty()) {
    StructureMask out = united_parts(*structure);
    if (out.mask || !Anatomy::chest_ct().is_region(plain)) return out;
  }
  if (Anatomy::chest_ct().is_region(plain)) {
    const auto region = masks_.find(std::string(region_prefix) + plain);
    return region != masks_.end() ? region->second : united_members(plain);
  }
  return {.name = plain, .detail = structure == nullptr ? "no structure of that name" : "no mask of it"};
}

}  // namespace fiducial
