#include "fiducial/server/library.h"

#include <algorithm>
#include <system_error>
#include <unistd.h>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/eval/folder/score_folder.h"
#include "fiducial/server/file_key.h"
#include "fiducial/server/slugs.h"
#include "fiducial/table/parquet.h"

namespace fiducial {

namespace {

constexpr std::uint64_t mask_budget_bytes = std::uint64_t{512} << 20;

std::uint64_t usual_budget() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 8;
}

// A path as clients see it: relative to what was given.
std::string shown_below(const Path& path, const std::vector<Path>& given) {
  for (const Path& root : given) {
    const Path relative = path.lexically_normal().lexically_relative(root.lexically_normal());
    if (relative.empty() || relative.native().starts_with("..")) continue;
    const std::string name = root.lexically_normal().filename().string();
    return relative == "." ? path.filename().string() : (Path(name) / relative).lexically_normal().string();
  }
  return path.filename().string();
}

void add_cases(OpenedDataset& out, const CaseSource& source) {
  for (std::size_t at = 0; at < source.entries().size(); ++at) {
    const std::size_t number = out.cases.size();
    const CaseEntry& entry = source.entries()[at];
    out.cases.push_back({&source, at, number});
    out.by_id.emplace(entry.id, number);
    out.by_name[entry.name].push_back(number);
  }
}

}  // namespace

const CasePlace* OpenedDataset::find(const std::string& id) const {
  const auto found = by_id.find(id);
  return found == by_id.end() ? nullptr : &cases[found->second];
}

const CasePlace* OpenedDataset::find_named(const std::string& name, const std::string& split) const {
  const auto found = by_name.find(name);
  if (found == by_name.end()) return nullptr;
  for (const std::size_t number : found->second) {
    if (cases[number].entry().split == split) return &cases[number];
  }
  return nullptr;
}

ServedDataset::ServedDataset(std::string id, FoundPaths::Dataset found, std::string shown_path)
    : id_(std::move(id)), found_(std::move(found)), shown_path_(std::move(shown_path)) {}

std::vector<std::string> ServedDataset::kinds() const {
  std::vector<std::string> out;
  for (const CaseSourceKind& kind : all_case_sources()) {
    if (kind.reads(*found_.adapter)) out.emplace_back(kind.kind);
  }
  return out;
}

std::string ServedDataset::state() const {
  std::string out;
  std::error_code error;
  std::vector<std::string> keys;
  for (std::filesystem::directory_iterator at(found_.folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) keys.push_back(file_key(at->path()));
  }
  std::ranges::sort(keys);
  for (const std::string& key : keys) out += key + "\n";
  return out;
}

Result<std::shared_ptr<const OpenedDataset>> ServedDataset::open() const {
  const std::lock_guard lock(mutex_);
  const std::string now = state();
  if (opened_ && opened_state_ == now) return opened_;
  auto out = std::make_shared<OpenedDataset>();
  for (const CaseSourceKind& kind : all_case_sources()) {
    if (!kind.reads(*found_.adapter)) continue;
    FIDUCIAL_TRY(std::unique_ptr<CaseSource> source, kind.open(*found_.adapter, found_.folder));
    out->sources.push_back(std::move(source));
    add_cases(*out, *out->sources.back());
  }
  opened_ = std::move(out);
  opened_state_ = now;
  return opened_;
}

Result<Json> ServedDataset::kept_or_made(const std::string& name,
                                         const std::function<Result<Json>()>& make) const {
  const std::lock_guard lock(documents_mutex_);
  const std::string now = state();
  const auto found = documents_.find(name);
  if (found != documents_.end() && found->second.first == now) return found->second.second;
  FIDUCIAL_TRY(Json made, make());
  documents_[name] = {now, made};
  return made;
}

ServedRun::ServedRun(std::string id, Path folder, std::string shown_path)
    : id_(std::move(id)), folder_(std::move(folder)), shown_path_(std::move(shown_path)) {}

Result<std::shared_ptr<const ServedRun::Content>> ServedRun::open() const {
  const std::lock_guard lock(mutex_);
  const std::string now = file_key(folder_ / "plan.json") + file_key(folder_ / "summary.json") +
                          file_key(folder_ / "rows.parquet");
  if (content_ && state_ == now) return content_;
  auto out = std::make_shared<Content>();
  FIDUCIAL_TRY(const std::string plan, read_text_file(folder_ / "plan.json"));
  FIDUCIAL_TRY(out->plan, parse_json(plan).in_file(shown_path_ + "/plan.json"));
  FIDUCIAL_TRY(const std::string summary, read_text_file(folder_ / "summary.json"));
  FIDUCIAL_TRY(out->summary, parse_json(summary).in_file(shown_path_ + "/summary.json"));
  if (out->plan.as_object() == nullptr || out->summary.as_object() == nullptr)
    return invalid_data("plan.json and summary.json of " + shown_path_ + " are no objects");
  if (!is_file(folder_ / "rows.parquet")) {
    out->rows_problem = Error(ErrorCode::unavailable, "the scores are private: there are no rows");
  } else if (Result<Table> rows = read_parquet(folder_ / "rows.parquet"); rows.ok()) {
    out->rows = std::make_shared<const Table>(*std::move(rows));
    const Column* names = out->rows->find("case");
    if (const auto* texts = names == nullptr ? nullptr : std::get_if<Column::Strings>(&names->values)) {
      for (std::size_t row = 0; row < texts->size(); ++row)
        out->rows_of_case[(*texts)[row].value_or("")].push_back(row);
    }
  } else {
    out->rows_problem = rows.error();
  }
  content_ = std::move(out);
  state_ = now;
  return content_;
}

Library::Library(LibraryOptions options, FoundPaths found)
    : options_(std::move(options)),
      found_(std::move(found)),
      volumes_(options_.memory_bytes == 0 ? usual_budget() : options_.memory_bytes),
      masks_(mask_budget_bytes) {}

Result<std::unique_ptr<Library>> Library::open(const LibraryOptions& options) {
  FIDUCIAL_TRY(FoundPaths found, find_paths(options.paths));
  std::unique_ptr<Library> out(new Library(options, std::move(found)));
  std::vector<Path> folders;
  for (const auto& one : out->found_.datasets) folders.push_back(one.folder);
  std::vector<std::string> ids = unique_slugs(folders, true);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    out->datasets_.push_back(std::make_unique<ServedDataset>(ids[i], out->found_.datasets[i],
                                                             shown_below(folders[i], options.paths)));
  }
  ids = unique_slugs(out->found_.scores, false);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Path& folder = out->found_.scores[i];
    out->runs_.push_back(std::make_unique<ServedRun>(ids[i], folder, shown_below(folder, options.paths)));
  }
  return out;
}

const ServedDataset* Library::find_dataset(std::string_view id) const {
  for (const auto& one : datasets_) {
    if (one->id() == id) return one.get();
  }
  return nullptr;
}

const ServedRun* Library::find_run(std::string_view id) const {
  for (const auto& one : runs_) {
    if (one->id() == id) return one.get();
  }
  return nullptr;
}

std::string Library::digest_of(const Path& path) const {
  const std::string key = file_key(path);
  {
    const std::lock_guard lock(digests_mutex_);
    if (const auto found = digests_.find(key); found != digests_.end()) return found->second;
  }
  std::string hex;
  if (auto stream = FileStream::open(path); stream.ok()) {
    const Result<Digest> digest = HashingStream(*std::move(stream)).finish();
    if (digest.ok()) hex = digest->hex();
  }
  const std::lock_guard lock(digests_mutex_);
  digests_[key] = hex;
  return hex;
}

const ServedDataset* Library::dataset_of(const ServedRun& run) const {
  const auto content = run.open();
  if (!content.ok()) return nullptr;
  const Json& plan = (*content)->plan;
  const Json::Array* files = find_array(plan, "dataset_files");
  const Json* file = files != nullptr && !files->empty() ? &files->front() : plan.find("dataset");
  if (file == nullptr) return nullptr;
  const std::string name = text_at(*file, "file");
  for (const auto& dataset : datasets_) {
    if (dataset->adapter().id != text_at(plan, "benchmark") || !is_file(dataset->folder() / name)) continue;
    if (digest_of(dataset->folder() / name) == text_at(*file, "sha256")) return dataset.get();
  }
  return nullptr;
}

std::vector<const ServedRun*> Library::runs_of(const ServedDataset& dataset) const {
  std::vector<const ServedRun*> out;
  for (const auto& run : runs_) {
    if (dataset_of(*run) == &dataset) out.push_back(run.get());
  }
  return out;
}

std::optional<Path> Library::find_volume(const ServedDataset& dataset, const CasePlace& place) const {
  std::vector<Path> folders = options_.volumes;
  folders.push_back(dataset.folder() / "volumes");
  for (const Path& folder : folders) {
    if (auto found = place.source->find_volume(place.at, folder)) return found;
  }
  return std::nullopt;
}

Result<std::shared_ptr<const MaskSet>> Library::masks(const ServedDataset& dataset, const CasePlace& place,
                                                      const std::string& set) {
  const std::string key = dataset.id() + "\n" + place.entry().id + "\n" + set;
  if (auto kept = masks_.find(key)) return kept;
  const auto keep = [&](Result<MaskSet> made) -> Result<std::shared_ptr<const MaskSet>> {
    if (!made.ok()) return made.error();
    auto out = std::make_shared<const MaskSet>(*std::move(made));
    masks_.keep(key, out);
    return std::shared_ptr<const MaskSet>(out);
  };
  if (set == "reference") return keep(place.source->reference_masks(place.at));
  if (!set.starts_with("run:"))
    return bad_usage("set \"" + set + "\"; expected reference, organs or run:RUN");
  const ServedRun* run = find_run(set.substr(4));
  if (run == nullptr) return bad_usage("no run \"" + set.substr(4) + "\"");
  FIDUCIAL_TRY(const auto content, run->open());
  if (dataset_of(*run) != &dataset)
    return Error(ErrorCode::integrity, "run \"" + run->id() + "\" scored another dataset");
  return keep(place.source->predicted_masks(place.at, {.run = run->id(),
                                                       .split = text_at(content->plan, "split"),
                                                       .candidates = candidates(),
                                                       .plan = &content->plan}));
}

}  // namespace fiducial
