#include "fiducial/export/hf/hub_content.h"

#include <algorithm>
#include <set>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

constexpr std::uint64_t most_embedded_bytes = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 20);

// Words of letters, digits and "_", joined by single dots.
bool is_split_name(const std::string& name) {
  char before = '.';
  for (const char c : name) {
    const bool is_word = is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_word && (c != '.' || before == '.')) return false;
    before = c;
  }
  return before != '.';
}

}  // namespace

Result<std::vector<std::string>> splits_to_export(const ExportCall& call,
                                                  const std::vector<std::string>& names,
                                                  HubContent& content) {
  const Path& folder = call.request.dataset;
  std::vector<std::string> out;
  if (call.request.split) {
    if (std::find(names.begin(), names.end(), *call.request.split) == names.end())
      return no_such_name("split", *call.request.split, names, folder.string() + ": ");
    FIDUCIAL_TRY_DONE(allow_split(call.terms, folder, *call.request.split));
    out = {*call.request.split};
  }
  for (const std::string& name : call.request.split ? std::vector<std::string>() : names) {
    if (is_private_split(call.terms, name)) {
      content.left_out.push_back("split \"" + name + "\" is private by the terms of the data");
    } else {
      out.push_back(name);
    }
  }
  if (out.empty()) {
    return Error(ErrorCode::refused, "every split is private by the terms of the data",
                 Place{.path = folder.string()});
  }
  std::map<std::string, std::string> lower;
  for (const std::string& name : out) {
    if (!is_split_name(name))
      return invalid_data("\"" + name +
                          "\" is no name of a split there: letters, digits and _ are, with "
                          "single dots between them")
          .in_file(folder.string());
    const auto [known, is_new] = lower.emplace(ascii_lower(name), name);
    if (!is_new)
      return invalid_data("splits \"" + known->second + "\" and \"" + name + "\" differ in case alone")
          .in_file(folder.string());
  }
  return out;
}

void add_split(HubSplit split, HubConfig& config, HubContent& content) {
  if (split.files.empty()) {
    content.left_out.push_back("split \"" + split.name + "\" of " + config.name + " has no row");
    return;
  }
  config.splits.push_back(std::move(split));
}

Result<RowFile> row_file(const Path& path, const std::string& name) {
  if (is_folder(path)) {
    return Error(ErrorCode::invalid_data,
                 "expected a NIfTI file, found a folder; 'fiducial convert' makes one of a DICOM series",
                 Place{.path = path.string()});
  }
  FIDUCIAL_TRY(const std::string text, read_text_file(path, most_embedded_bytes));
  const ByteView bytes = as_bytes(text);
  return RowFile{name, Bytes(bytes.begin(), bytes.end())};
}

}  // namespace fiducial
