#include "fiducial/datasets/volume_metadata.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

constexpr const char* key_column = "VolumeName";

bool equal_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [lower](char x, char y) { return lower(x) == lower(y); });
}

std::string name_key(std::string_view name) {
  name = trimmed(name);
  for (const std::string_view ending : {".nii.gz", ".nii"}) {
    if (name.ends_with(ending)) return std::string(name.substr(0, name.size() - ending.size()));
  }
  return std::string(name);
}

// A finite number in a named column, where the table has it.
std::optional<double> number_in(const VolumeMetadata& metadata, std::size_t row, const char* column,
                                Notes& notes) {
  const auto at = metadata.table().find_column(column);
  const auto text = at ? metadata.value(row, *at) : std::nullopt;
  if (!text) return std::nullopt;
  const auto number = parse_double(*text);
  if (number && std::isfinite(*number)) return number;
  notes.push_back({column, std::string(column) + " is \"" + *text + "\", expected a number"});
  return std::nullopt;
}

std::optional<Vec3> spacing_in(const VolumeMetadata& metadata, std::size_t row, Notes& notes) {
  const auto at = metadata.table().find_column("XYSpacing");
  const auto text = at ? metadata.value(row, *at) : std::nullopt;
  const auto z = number_in(metadata, row, "ZSpacing", notes);
  constexpr std::array<double, 2> none{0, 0};
  const std::array<double, 2> pair = text ? parse_number_pair(*text).value_or(none) : none;
  const bool is_positive = pair[0] > 0 && pair[1] > 0;
  if (text && !is_positive) {
    notes.push_back({"XYSpacing", "XYSpacing is \"" + *text + "\", expected two positive numbers"});
    return std::nullopt;
  }
  if (z && *z <= 0) {
    notes.push_back({"ZSpacing", "ZSpacing is " + shortest(*z) + ", expected a positive number"});
    return std::nullopt;
  }
  if (!is_positive || !z) return std::nullopt;
  return Vec3{pair[0], pair[1], *z};
}

std::vector<Path> metadata_in(const Path& folder) {
  std::vector<Path> out;
  for (const Path& place : {folder, folder / "metadata", folder / "dataset" / "metadata"}) {
    const Result<std::vector<FolderEntry>> entries = entries_of(place);
    if (!entries.ok()) continue;
    for (const FolderEntry& entry : *entries) {
      const std::string name = entry.path.filename().string();
      if (name.ends_with(".csv") && name.find("metadata") != std::string::npos && is_file(entry.path))
        out.push_back(entry.path);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

Result<VolumeMetadata> VolumeMetadata::read(const Path& path) {
  FIDUCIAL_TRY(const std::string text, read_text_file(path));
  FIDUCIAL_TRY(VolumeMetadata out, parse(text).in_file(path.string()));
  out.path_ = path;
  return out;
}

Result<VolumeMetadata> VolumeMetadata::parse(std::string_view text) {
  VolumeMetadata out;
  FIDUCIAL_TRY(out.table_, parse_csv(text));
  out.digest_ = sha256(as_bytes(text));
  FIDUCIAL_TRY(const std::size_t names, out.table_.column(key_column));
  for (std::size_t row = 0; row < out.table_.rows(); ++row) {
    const std::string_view cell = out.table_.cell(row, names);
    std::string key = name_key(cell);
    if (key.empty()) return out.table_.cell_error(row, names, "expected the name of a volume, found none");
    const auto [first, is_new] = out.rows_.emplace(std::move(key), row);
    if (is_new) continue;
    out.duplicates_.push_back(
        {std::string(trimmed(cell)), out.table_.line(row), out.table_.line(first->second)});
  }
  return out;
}

Outcome VolumeMetadata::check_unique() const {
  if (duplicates_.empty()) return done();
  const Duplicate& first = duplicates_.front();
  return Error(
      ErrorCode::invalid_data,
      "VolumeName \"" + first.name + "\" stands in line " + decimal(first.first_line) +
          " already; expected one row a volume" +
          (duplicates_.size() > 1 ? ", found " + decimal(duplicates_.size()) + " rows that repeat a name"
                                  : ""),
      Place{.path = path_.string(), .line = first.line});
}

std::optional<std::size_t> VolumeMetadata::find(std::string_view volume_name) const {
  const auto found = rows_.find(name_key(volume_name));
  return found == rows_.end() ? std::nullopt : std::optional(found->second);
}

Result<std::size_t> VolumeMetadata::column(std::string_view name) const {
  return table_.column(name).in_file(path_.string());
}

std::optional<std::string> VolumeMetadata::value(std::size_t row, std::size_t column) const {
  const std::string_view text = trimmed(table_.cell(row, column));
  for (const std::string_view nothing : {"", "nan", "na", "n/a", "none", "null"}) {
    if (equal_letters(text, nothing)) return std::nullopt;
  }
  return std::string(text);
}

StoredVolumeFacts VolumeMetadata::stored_facts(std::size_t row) const {
  StoredVolumeFacts out;
  out.slope = number_in(*this, row, "RescaleSlope", out.notes);
  out.intercept = number_in(*this, row, "RescaleIntercept", out.notes);
  if (out.slope && *out.slope == 0) {
    out.notes.push_back({"RescaleSlope", "RescaleSlope is 0, expected any other number"});
    out.slope.reset();
  }
  out.spacing_mm = spacing_in(*this, row, out.notes);
  return out;
}

std::optional<std::array<double, 2>> parse_number_pair(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 &&
      ((text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')'))) {
    text = text.substr(1, text.size() - 2);
  }
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto a = parse_double(trimmed(text.substr(0, comma)));
  const auto b = parse_double(trimmed(text.substr(comma + 1)));
  if (!a || !b || !std::isfinite(*a) || !std::isfinite(*b)) return std::nullopt;
  return std::array<double, 2>{*a, *b};
}

std::vector<Path> find_metadata_files(const std::optional<Path>& volumes, const Path& dataset) {
  std::vector<Path> out;
  if (volumes) out = metadata_in(*volumes);
  return out.empty() ? metadata_in(dataset) : out;
}

}  // namespace fiducial
