#include "fiducial/anatomy/anatomy.h"

#include <algorithm>

#include "fiducial/base/number_text.h"

namespace fiducial {

std::string_view embedded_anatomy_masks();
std::string_view embedded_anatomy_names();
std::string_view embedded_anatomy_paths();
std::string_view embedded_total_classes();

namespace {

std::string_view trimmed_name(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> parts_between(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t at = text.find(separator);
    out.push_back(trimmed_name(text.substr(0, at)));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + separator.size());
  }
}

// The lines of a data file that say something.
std::vector<std::string_view> data_lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.front() != '#') out.push_back(line);
  }
  return out;
}

// "lung upper lobe left" is "left lung upper lobe", and "rib left 4" is "left rib 4".
std::string with_side_first(const std::string& name) {
  for (const std::string_view side : {"left", "right"}) {
    const std::string word = " " + std::string(side);
    const std::size_t at = name.find(word);
    if (at == std::string::npos) continue;
    const std::size_t end = at + word.size();
    if (end != name.size() && name[end] != ' ') continue;
    return std::string(side) + " " + name.substr(0, at) + name.substr(end);
  }
  return name;
}

std::string_view last_of_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::string plain_structure_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool gap = c == '_' || c == '-' || c == ' ';
    if (gap && (out.empty() || out.back() == ' ')) continue;
    out += gap ? ' ' : (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  for (const std::string_view ending : {".gz", ".nii"}) {
    if (out.ends_with(ending)) out.resize(out.size() - ending.size());
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string_view side_of_structure(std::string_view name) {
  for (const std::string_view side : {std::string_view("left"), std::string_view("right")}) {
    for (const std::string_view word : parts_between(name, " ")) {
      if (word == side) return side;
    }
  }
  return {};
}

std::string_view to_string(PathStatus status) {
  constexpr std::string_view names[] = {"listed", "sibling", "unknown"};
  return names[static_cast<std::size_t>(status)];
}

const Anatomy& Anatomy::chest_ct() {
  static const Anatomy anatomy;
  return anatomy;
}

Anatomy::Anatomy() {
  read_total_classes(embedded_total_classes());
  read_masks(embedded_anatomy_masks());
  read_names(embedded_anatomy_names());
  read_paths(embedded_anatomy_paths());
}

void Anatomy::read_total_classes(std::string_view text) {
  for (const std::string_view line : data_lines(text)) {
    const std::vector<std::string_view> fields = parts_between(line, "|");
    FIDUCIAL_ASSERT(fields.size() >= 4);
    const auto label = parse_integer(fields[0]);
    FIDUCIAL_ASSERT(label.has_value() && *label == static_cast<std::int64_t>(total_classes_.size()) + 1);
    total_classes_.push_back({.label = static_cast<std::int32_t>(*label),
                              .name = std::string(fields[1]),
                              .snomed_code = std::string(fields[2]),
                              .snomed_meaning = std::string(fields[3]),
                              .side = fields.size() > 4 ? std::string(fields[4]) : ""});
  }
}

void Anatomy::read_masks(std::string_view text) {
  for (const std::string_view line : data_lines(text)) {
    const std::vector<std::string_view> halves = parts_between(line, " + ");
    const std::vector<std::string_view> names = parts_between(halves[0], " = ");
    Structure structure{.name = std::string(names[0])};
    if (names.size() > 1) {
      const auto same = std::find_if(total_classes_.begin(), total_classes_.end(),
                                     [&names](const TotalClass& one) { return one.name == names[1]; });
      FIDUCIAL_ASSERT(same != total_classes_.end());
      structure.total_class = static_cast<std::size_t>(same - total_classes_.begin());
    }
    if (halves.size() > 1) {
      for (std::string_view part : parts_between(halves[1], ",")) {
        const bool optional = part.ends_with('?');
        if (optional) part.remove_suffix(1);
        structure.parts.push_back({std::string(part), optional});
      }
    }
    add_structure(std::move(structure));
  }
  for (std::size_t i = 0; i < total_classes_.size(); ++i) {
    const bool known = std::any_of(structures_.begin(), structures_.end(),
                                   [i](const Structure& one) { return one.total_class == i; });
    if (known) continue;
    add_structure({.name = with_side_first(plain_structure_name(total_classes_[i].name)),
                   .total_class = i,
                   .published = false});
  }
}

void Anatomy::read_names(std::string_view text) {
  constexpr std::string_view own = "structure ";
  for (const std::string_view line : data_lines(text)) {
    if (line.starts_with(own)) {
      add_structure({.name = std::string(line.substr(own.size())), .published = false});
      continue;
    }
    const std::size_t colon = line.find(": ");
    FIDUCIAL_ASSERT(colon != std::string_view::npos);
    const auto structure = by_name_.find(line.substr(0, colon));
    FIDUCIAL_ASSERT(structure != by_name_.end());
    const std::size_t which = structure->second;
    for (const std::string_view other : parts_between(line.substr(colon + 1), ",")) add_name(other, which);
  }
}

void Anatomy::read_paths(std::string_view text) {
  std::vector<std::string> open;
  for (const std::string_view line : data_lines(text)) {
    const std::size_t depth = line.find_first_not_of(' ') / 2;
    FIDUCIAL_ASSERT(depth <= open.size());
    open.resize(depth);
    open.push_back((depth == 0 ? "" : open.back() + "/") + std::string(trimmed_name(line)));
    paths_.push_back(open.back());
    if (depth == 0) regions_.push_back(open.back());
  }
}

void Anatomy::add_structure(Structure structure) {
  const std::size_t index = structures_.size();
  add_name(structure.name, index);
  add_name(structure.name.substr(0, structure.name.find(" (")), index);  // "thoracic vertebrae 4 (t4)"
  if (structure.total_class)
    add_name(plain_structure_name(total_classes_[*structure.total_class].name), index);
  structures_.push_back(std::move(structure));
}

void Anatomy::add_name(std::string_view other, std::size_t structure) {
  by_name_.emplace(std::string(other), structure);
}

const Structure* Anatomy::find(std::string_view name) const {
  const std::string plain = plain_structure_name(name);
  for (const std::string& each : {plain, with_side_first(plain)}) {
    const auto found = by_name_.find(each);
    if (found != by_name_.end()) return &structures_[found->second];
  }
  // "left clavicula": a side before another name.
  const std::string sided = with_side_first(plain);
  const std::size_t space = sided.find(' ');
  const std::string side = sided.substr(0, space);
  if (space == std::string::npos || (side != "left" && side != "right")) return nullptr;
  const auto base = by_name_.find(sided.substr(space + 1));
  if (base == by_name_.end()) return nullptr;
  const auto found = by_name_.find(side + " " + structures_[base->second].name);
  return found == by_name_.end() ? nullptr : &structures_[found->second];
}

const TotalClass* Anatomy::total_class(std::int32_t label) const {
  if (label < 1 || static_cast<std::size_t>(label) > total_classes_.size()) return nullptr;
  return &total_classes_[static_cast<std::size_t>(label) - 1];
}

bool Anatomy::has_part(std::string_view structure, std::string_view part) const {
  const auto found = by_name_.find(structure);
  if (found == by_name_.end()) return false;
  const std::vector<Structure::Part>& parts = structures_[found->second].parts;
  return std::any_of(parts.begin(), parts.end(),
                     [part](const Structure::Part& one) { return one.name == part; });
}

PathStatus Anatomy::status_of(std::string_view path) const {
  if (std::find(paths_.begin(), paths_.end(), path) != paths_.end()) return PathStatus::listed;
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return PathStatus::unknown;
  const std::string_view above = path.substr(0, slash);
  // Where a region repeats its name ("lung/lung"), the second one has the members.
  const bool repeats =
      std::find(paths_.begin(), paths_.end(), std::string(above) + "/" + std::string(above)) != paths_.end();
  const bool member = !repeats && has_part(last_of_path(above), path.substr(slash + 1));
  return member && status_of(above) != PathStatus::unknown ? PathStatus::sibling : PathStatus::unknown;
}

bool Anatomy::is_region(std::string_view name) const {
  return std::find(regions_.begin(), regions_.end(), name) != regions_.end();
}

PathMask Anatomy::mask_of(std::string_view path) const {
  if (path.empty() || path == "others") return {PathMask::Kind::whole_scan, ""};
  const std::string_view node = last_of_path(path);
  const auto found = by_name_.find(node);
  if (found != by_name_.end() && structures_[found->second].published) {
    return {PathMask::Kind::structure, structures_[found->second].name};
  }
  const std::string_view head = path.substr(0, path.find('/'));
  if (head != "others" && is_region(head)) return {PathMask::Kind::region, std::string(head)};
  return {};
}

void Anatomy::add_leaves(const Structure& structure, std::vector<std::string>& out) const {
  for (const Structure::Part& part : structure.parts) {
    const auto found = by_name_.find(part.name);
    FIDUCIAL_ASSERT(found != by_name_.end());
    add_leaves(structures_[found->second], out);
  }
  const bool fresh = std::find(out.begin(), out.end(), structure.name) == out.end();
  if (structure.parts.empty() && fresh) out.push_back(structure.name);
}

std::vector<std::string> Anatomy::members_of_region(std::string_view region) const {
  std::vector<std::string> out;
  for (const std::string& path : paths_) {
    if (!path.starts_with(std::string(region) + "/")) continue;
    const auto found = by_name_.find(last_of_path(path));
    if (found != by_name_.end()) add_leaves(structures_[found->second], out);
  }
  return out;
}

}  // namespace fiducial
