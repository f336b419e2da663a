#include "fiducial/datasets/file_listing.h"

#include <utility>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/table/csv.h"

namespace fiducial {

namespace {

constexpr std::uint64_t longest_listing = std::uint64_t{256} << 20;
constexpr const char* listing_forms =
    "expected a listing of files: JSON objects with path and size, or CSV with columns path and size";

struct ListedFile {
  std::string path;
  std::uint64_t bytes = 0;
};

Result<std::vector<ListedFile>> files_of_json(const Json& document) {
  const Json* siblings = document.find("siblings");
  const Json& list = siblings == nullptr ? document : *siblings;
  const std::string pointer = siblings == nullptr ? "" : "/siblings";
  if (list.as_array() == nullptr) return invalid_data(listing_forms);
  std::vector<ListedFile> out;
  for (std::size_t i = 0; i < list.as_array()->size(); ++i) {
    const Json& each = (*list.as_array())[i];
    const std::string place = pointer + "/" + decimal(i);
    FIDUCIAL_TRY_DONE(expect_object(each, place));
    const std::string* path = find_string(each, siblings == nullptr ? "path" : "rfilename");
    if (path == nullptr) return at_pointer(place, listing_forms);
    const Json* size = each.find("size");
    const bool is_folder = text_at(each, "type") == "directory";
    if (is_folder || size == nullptr || size->is_null()) continue;
    FIDUCIAL_TRY(const std::int64_t bytes, expect_integer(*size, place + "/size"));
    if (bytes < 0) return at_pointer(place + "/size", "expected a number of bytes, found " + decimal(bytes));
    out.push_back({*path, static_cast<std::uint64_t>(bytes)});
  }
  return out;
}

Result<std::vector<ListedFile>> files_of_csv(std::string_view text) {
  FIDUCIAL_TRY(const CsvTable table, parse_csv(text));
  FIDUCIAL_TRY(const std::size_t path, table.column("path"));
  FIDUCIAL_TRY(const std::size_t size, table.column("size"));
  std::vector<ListedFile> out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto bytes = parse_integer(table.cell(row, size));
    if (!bytes || *bytes < 0)
      return table.cell_error(
          row, size, "expected a number of bytes, found \"" + std::string(table.cell(row, size)) + "\"");
    out.push_back({std::string(table.cell(row, path)), static_cast<std::uint64_t>(*bytes)});
  }
  return out;
}

}  // namespace

Result<FileListing> FileListing::parse(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string_view::npos && (text[first] == '[' || text[first] == '{');
  std::vector<ListedFile> files;
  if (is_json) {
    FIDUCIAL_TRY(const Json document, parse_json(text));
    FIDUCIAL_TRY(files, files_of_json(document));
  } else {
    FIDUCIAL_TRY(files, files_of_csv(text));
  }
  FileListing out;
  for (const ListedFile& file : files) FIDUCIAL_TRY_DONE(out.add(file.path, file.bytes));
  return out;
}

Result<FileListing> FileListing::read(const Path& file) {
  FIDUCIAL_TRY(const std::string text, read_text_file(file, longest_listing));
  return parse(text).in_file(file.string());
}

std::optional<std::uint64_t> FileListing::size_of(const std::string& path) const {
  const auto found = sizes_.find(path);
  return found == sizes_.end() ? std::nullopt : std::optional(found->second);
}

Outcome FileListing::add(const std::string& path, std::uint64_t bytes) {
  const auto [at, is_new] = sizes_.emplace(path, bytes);
  if (is_new || at->second == bytes) return done();
  return invalid_data("\"" + path + "\" is listed with " + decimal(at->second) + " and with " +
                      decimal(bytes) + " bytes");
}

Outcome FileListing::add(const FileListing& other) {
  for (const auto& [path, bytes] : other.sizes_) FIDUCIAL_TRY_DONE(add(path, bytes));
  return done();
}

}  // namespace fiducial
