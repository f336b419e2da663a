#include "fiducial/curate/reports/earlier_outputs.h"

namespace fiducial {

StageOption from_option(const std::string& stages) {
  return {.name = "from",
          .help = "Output of " + stages + " to read instead of doing that work again; may be given twice",
          .kind = StageOption::Kind::texts,
          .is_path = true};
}

Result<EarlierOutputs> EarlierOutputs::of(StageCall& call) {
  EarlierOutputs out;
  for (const std::string& folder : call.texts("from")) {
    std::error_code ignored;
    const Path manifest = Path(folder) / "manifest.json";
    if (!std::filesystem::is_regular_file(manifest, ignored)) {
      return Error(ErrorCode::invalid_data, "expected the output folder of a stage, with manifest.json in it",
                   Place{.path = folder});
    }
    FIDUCIAL_TRY(const std::string text, call.read_input("from", manifest));
    out.folders_.emplace_back(folder);
  }
  return out;
}

bool EarlierOutputs::has(const std::string& kind) const {
  for (const Path& folder : folders_) {
    std::error_code ignored;
    if (std::filesystem::is_directory(folder / kind, ignored)) return true;
  }
  return false;
}

EarlierOutputs::Document EarlierOutputs::find(const std::string& kind, std::string_view id) const {
  const std::string name = kind + "/" + std::string(id) + ".json";
  for (const Path& folder : folders_) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(folder / name, ignored)) continue;
    constexpr std::uint64_t max_bytes = std::uint64_t{64} << 20;
    const Result<std::string> text = read_text_file(folder / name, max_bytes);
    if (!text.ok()) return {.value = {}, .status = rejected("bad_input", text.error().text())};
    Result<Json> value = parse_json(*text);
    if (!value.ok())
      return {.value = {}, .status = rejected("bad_input", name + ": " + value.error().text())};
    return {.value = *std::move(value), .status = {}};
  }
  return {.value = {}, .status = rejected("missing_input", name + " is in none of the folders of --from")};
}

ItemStatus check_text_members(const Json& document, const std::string& what) {
  if (document.as_object() == nullptr)
    return rejected("bad_input", what + ": expected an object, found " + std::string(document.kind()));
  for (const auto& [key, value] : *document.as_object()) {
    if (value.as_string() == nullptr)
      return rejected("bad_input",
                      what + ": " + key + ": expected a text, found " + std::string(value.kind()));
  }
  return {};
}

}  // namespace fiducial
