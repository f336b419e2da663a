#include "fiducial/server/found_paths.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <system_error>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/store.h"
#include "fiducial/eval/outputs/write_scores.h"
#include "fiducial/masks/mask_format.h"

namespace fiducial {

namespace {

constexpr int most_depth = 8;
constexpr std::size_t most_folders = 100'000;

bool has_ending(const std::string& name, std::string_view ending) { return name.ends_with(ending); }

// Files of which scores are made: answers, tables, archives of masks.
bool may_be_predictions(const std::string& name) {
  constexpr auto endings = std::to_array<std::string_view>({".jsonl", ".json", ".csv", ".parquet", ".zip"});
  return std::ranges::any_of(endings, [&](std::string_view ending) { return has_ending(name, ending); });
}

// The file of a stage that says where in a report it saw what.
struct NoteFile {
  std::string_view stage;
  std::string_view ending;
  std::string_view notes;  // what is read from it
};
constexpr NoteFile note_files[] = {
    {"sentences", ".csv", "sentences"},      {"findings", "facts.jsonl", "findings"},
    {"findings", "findings.jsonl", "codes"}, {"labels", "explain.jsonl", "labels"},
    {"regions", "explain.jsonl", "regions"}, {"vqa", "questions.jsonl", "questions"},
    {"cot", "chains.jsonl", "cot"}};
constexpr std::string_view curation_schema = "fiducial.curation";
constexpr std::string_view run_schema = "fiducial.run/";

// A manifest of that schema, or null.
Json read_manifest(const Path& path, std::string_view schema) {
  constexpr std::uint64_t most_bytes = std::uint64_t{16} << 20;
  const Result<std::string> text = read_text_file(path, most_bytes);
  Result<Json> manifest = text.ok() ? parse_json(*text) : text.error();
  if (!manifest.ok() || !text_at(*manifest, "schema").starts_with(schema)) return {};
  return *std::move(manifest);
}

// Whether the first row of a table names columns of reports.
bool has_reports(const Path& path) {
  constexpr std::size_t most_bytes = 4096;
  const auto file = FileStream::open(path);
  if (!file.ok()) return false;
  std::string head(most_bytes, '\0');
  const Result<std::size_t> count = (*file)->read(std::as_writable_bytes(std::span(head)));
  if (!count.ok()) return false;
  head.resize(*count);
  const std::string_view names = std::string_view(head).substr(0, head.find('\n'));
  return names.find("Findings_EN") != names.npos || names.find("Impressions_EN") != names.npos;
}

class Search {
 public:
  void look(const Path& folder, int depth) {
    std::error_code error;
    const Path real = is_url(folder) ? folder : std::filesystem::canonical(folder, error);
    if (error || !seen_.insert(real.string()).second || seen_.size() > most_folders) return;
    if (is_file(folder / score_folder_marker) && is_file(folder / "summary.json")) {
      out_.scores.push_back(folder);
      return;
    }
    if (has_manifest(folder, run_schema)) {
      out_.asked.push_back(folder);
      for (const char* name : {"predictions.jsonl", "verdicts.jsonl"}) {
        if (is_file(folder / name)) out_.predictions.push_back(folder / name);
      }
      return;
    }
    look_for_notes(folder);
    if (const DatasetAdapter* adapter = adapter_of(folder)) {
      out_.datasets.push_back({folder, adapter});
      return;
    }
    look_inside(folder, depth);
  }

  FoundPaths take() {
    const auto depth = [](const FoundPaths::Dataset& one) {
      return std::distance(one.folder.begin(), one.folder.end());
    };
    std::ranges::stable_sort(out_.datasets, {}, depth);
    return std::move(out_);
  }

  std::size_t shown() const {
    return out_.datasets.size() + out_.scores.size() + out_.asked.size() + out_.predictions.size();
  }

 private:
  static bool has_manifest(const Path& folder, std::string_view schema) {
    return is_file(folder / "manifest.json") && !read_manifest(folder / "manifest.json", schema).is_null();
  }
  // What a stage of curation wrote is material, not a dataset.
  static bool is_stage(const Path& folder) { return has_manifest(folder, curation_schema); }

  void look_for_notes(const Path& folder) {
    std::error_code error;
    std::vector<Path> files;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
      const std::string name = at->path().filename().string();
      if (has_ending(name, "manifest.json") || has_ending(name, ".csv")) files.push_back(at->path());
    }
    std::ranges::sort(files);
    for (const Path& file : files) {
      if (has_ending(file.string(), ".csv")) {
        if (has_reports(file)) out_.reports.push_back(file);
      } else {
        add_notes(folder, read_manifest(file, curation_schema));
      }
    }
  }

  void add_notes(const Path& folder, const Json& manifest) {
    const std::string stage = text_at(manifest, "stage");
    const Json::Array* outputs = find_array(manifest, "outputs");
    if (outputs == nullptr) return;
    for (const NoteFile& note : note_files) {
      for (const Json& output : *outputs) {
        const std::string file = text_at(output, "file");
        const bool is_silent = file.starts_with("silent_");  // what no report speaks of stands nowhere
        if (note.stage == stage && has_ending(file, note.ending) && !is_silent && is_file(folder / file))
          out_.notes.push_back({std::string(note.notes), folder / file});
      }
    }
  }

  static const DatasetAdapter* adapter_of(const Path& folder) {
    if (is_stage(folder)) return nullptr;
    for (const DatasetAdapter& adapter : all_dataset_adapters()) {
      if (adapter.recognises(folder)) return &adapter;
    }
    return nullptr;
  }

  void look_inside(const Path& folder, int depth) {
    std::vector<Path> below;
    bool has_masks = false;
    const Result<std::vector<FolderEntry>> entries = entries_of(folder);
    if (!entries.ok()) {
      out_.problems.push_back({folder, entries.error().message()});
      return;
    }
    for (const FolderEntry& entry : *entries) {
      const std::string name = entry.path.filename().string();
      if (name.starts_with('.')) continue;
      if (entry.is_folder) {
        below.push_back(entry.path);
      } else if (has_mask_ending(name)) {
        has_masks = true;
      } else if (may_be_predictions(name)) {
        out_.predictions.push_back(entry.path);
      }
    }
    if (has_masks) out_.predictions.push_back(folder);
    if (depth >= most_depth) return;
    for (const Path& path : below) look(path, depth + 1);
  }

  std::set<std::string> seen_;
  FoundPaths out_;
};

}  // namespace

Result<FoundPaths> find_paths(const std::vector<Path>& given) {
  Search search;
  for (const Path& path : given) {
    FIDUCIAL_TRY_DONE(check_reachable(path));
    if (!is_there(path)) return path_missing("there is no such file or folder", path.string());
    const std::size_t before = search.shown();
    search.look(path.has_filename() ? path : path.parent_path(), 0);
    if (search.shown() == before)
      return Error(
          ErrorCode::invalid_data,
          "neither a dataset nor scores, and no folder below is one (fiducial info lists the layouts)",
          Place{.path = path.string(), .byte = {}, .line = {}, .pointer = {}});
  }
  FoundPaths out = search.take();
  if (out.datasets.empty() && out.scores.empty() && out.asked.empty())
    return bad_usage("nothing to show: no dataset and no scores below " + given.front().string());
  return out;
}

}  // namespace fiducial
