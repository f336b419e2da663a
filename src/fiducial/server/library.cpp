#include "fiducial/server/library.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <unistd.h>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/anatomy/mask_places.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/store.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/server/file_key.h"
#include "fiducial/server/slugs.h"

namespace fiducial {

namespace {

constexpr std::uint64_t mask_budget_bytes = std::uint64_t{512} << 20;
constexpr std::chrono::milliseconds least_pause{1000};  // between two looks for new folders
constexpr int share_of_looking = 20;                    // a look takes at most this part of the time

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

Error no_organs() {
  return {
      ErrorCode::unavailable,
      "no organ masks of this case: there are none in organs/ of the dataset; fiducial serve takes --organs "
      "FOLDER"};
}

// Organs under their numbers in the anatomy; others behind them.
Result<MaskSet> organ_set(const CaseMasks& masks) {
  if (!masks.grid()) return invalid_data("the organ masks of this case cannot be read");
  MaskSet out{.extent = masks.grid()->extent, .has_entities = false, .masks = {}};
  const std::vector<Structure>& known = Anatomy::chest_ct().structures();
  auto other = static_cast<std::uint32_t>(known.size());
  for (const std::string& name : masks.names()) {
    const StructureMask found = masks.resolve(name);
    if (!found.mask || found.mask->extent() != out.extent) continue;
    std::vector<LabelRun> runs;
    for (const MaskRun& run : found.mask->runs()) runs.push_back({run.row, run.begin, run.end, 1});
    const auto at = std::ranges::find(known, name, &Structure::name);
    const std::uint32_t id = at == known.end() ? ++other : static_cast<std::uint32_t>(at - known.begin()) + 1;
    out.masks.push_back({id, name, LabelMap(found.mask->grid(), std::move(runs))});
  }
  return out;
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
  if (is_url(found_.folder)) {
    const Result<Store*> store = store_of(found_.folder);
    const auto listed = store.ok() ? (*store)->list(found_.folder, false) : store.error();
    if (!listed.ok()) return opened_state_;  // what was read stays while its store is away
    for (const StoredEntry& entry : *listed) {
      if (entry.kind == StoredEntry::Kind::file) out += stored_key(entry) + "\n";
    }
    return out;
  }
  for (std::filesystem::directory_iterator at(found_.folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) keys.push_back(file_key(at->path()));
  }
  std::ranges::sort(keys);
  for (const std::string& key : keys) out += key + "\n";
  return out;
}

std::string ServedDataset::state_below() const {
  return is_url(found_.folder) ? state() : keys_below(found_.folder);
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

Library::Library(LibraryOptions options)
    : options_(std::move(options)),
      keeper_(usual_budget()),
      volumes_(options_.memory_bytes == 0 ? usual_budget() : options_.memory_bytes),
      masks_(mask_budget_bytes) {}

Result<std::unique_ptr<Library>> Library::open(const LibraryOptions& options) {
  FIDUCIAL_TRY(FoundPaths found, find_paths(options.paths));
  std::unique_ptr<Library> out(new Library(options));
  out->add(std::move(found));
  return out;
}

void Library::add(FoundPaths found) {
  take_predictions_off(found);
  const std::lock_guard lock(catalogue_mutex_);
  add_datasets(found.datasets);
  add_runs(found.scores, ServedRun::Kind::scores);
  add_runs(found.asked, ServedRun::Kind::asked);
  notes_.look_at(found.reports, found.notes);
  found_ = std::move(found);
}

namespace {

// The folders that no item of a list has yet.
template <typename Items>
std::vector<Path> new_folders(const Items& items, const std::vector<Path>& folders) {
  std::vector<Path> out;
  for (const Path& folder : folders) {
    const auto is_it = [&folder](const auto& item) { return item->folder() == folder; };
    if (std::ranges::none_of(items, is_it)) out.push_back(folder);
  }
  return out;
}

// Ids for folders beside those that are taken.
template <typename Items>
std::vector<std::string> new_ids(const Items& items, const std::vector<Path>& folders,
                                 bool first_keeps_name) {
  std::set<std::string> taken;
  for (const auto& item : items) taken.insert(item->id());
  return unique_slugs(folders, first_keeps_name, std::move(taken));
}

}  // namespace

void Library::add_datasets(const std::vector<FoundPaths::Dataset>& found) {
  std::vector<Path> all;
  all.reserve(found.size());
  for (const FoundPaths::Dataset& one : found) all.push_back(one.folder);
  const std::vector<Path> folders = new_folders(datasets_, all);
  const std::vector<std::string> ids = new_ids(datasets_, folders, true);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto one = std::ranges::find(found, folders[i], &FoundPaths::Dataset::folder);
    datasets_.push_back(
        std::make_unique<ServedDataset>(ids[i], *one, shown_below(folders[i], options_.paths)));
  }
}

void Library::add_runs(const std::vector<Path>& found, ServedRun::Kind kind) {
  const std::vector<Path> folders = new_folders(runs_, found);
  const std::vector<std::string> ids = new_ids(runs_, folders, false);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    runs_.push_back(std::make_unique<ServedRun>(ids[i], folders[i], shown_below(folders[i], options_.paths),
                                                kind, keeper_));
  }
}

void Library::look_again() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begun = Clock::now();
  {
    const std::lock_guard lock(catalogue_mutex_);
    if (begun < next_look_) return;
    next_look_ = Clock::time_point::max();  // until this look is over, nobody else begins one
  }
  Result<FoundPaths> found = find_paths(options_.paths);
  if (found.ok()) add(*std::move(found));  // of paths that have gone, what was found before tells
  const Clock::time_point over = Clock::now();
  const std::lock_guard lock(catalogue_mutex_);
  next_look_ = over + std::max<Clock::duration>(least_pause, share_of_looking * (over - begun));
}

std::vector<const ServedDataset*> Library::datasets() const {
  const std::lock_guard lock(catalogue_mutex_);
  std::vector<const ServedDataset*> out;
  out.reserve(datasets_.size());
  for (const auto& one : datasets_) out.push_back(one.get());
  return out;
}

namespace {

// The hash of the predictions that a run is of; empty where it has none.
std::string predictions_hash(const ServedRun& run) {
  const auto content = run.head();
  const Json* predictions = content.ok() ? (*content)->plan.find("predictions") : nullptr;
  return predictions == nullptr ? "" : text_at(*predictions, "sha256");
}

}  // namespace

// A run of a model of which a score folder is served is shown by that folder alone.
std::vector<const ServedRun*> Library::runs() const {
  std::vector<const ServedRun*> out;
  {
    const std::lock_guard lock(catalogue_mutex_);
    out.reserve(runs_.size());
    for (const auto& one : runs_) out.push_back(one.get());
  }
  const auto is_asked = [](const ServedRun* run) { return run->kind() == ServedRun::Kind::asked; };
  if (std::ranges::none_of(out, is_asked)) return out;
  std::set<std::string> scored;
  for (const ServedRun* run : out) {
    if (!is_asked(run)) scored.insert(predictions_hash(*run));
  }
  scored.erase("");
  std::erase_if(
      out, [&](const ServedRun* run) { return is_asked(run) && scored.contains(predictions_hash(*run)); });
  return out;
}

std::vector<FoundPaths::Problem> Library::problems() const {
  const std::lock_guard lock(catalogue_mutex_);
  return found_.problems;
}

std::vector<Path> Library::predictions() const {
  const std::lock_guard lock(catalogue_mutex_);
  return found_.predictions;
}

const ServedDataset* Library::find_dataset(std::string_view id) const {
  const std::lock_guard lock(catalogue_mutex_);
  for (const auto& one : datasets_) {
    if (one->id() == id) return one.get();
  }
  return nullptr;
}

const ServedRun* Library::find_run(std::string_view id) const {
  const std::lock_guard lock(catalogue_mutex_);
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

Result<Path> Library::find_handed_in(const std::string& name, const std::string& sha256) const {
  for (const Path& candidate : predictions()) {
    const Path file = candidate.filename() == name ? candidate : candidate / name;
    if (is_file(file) && digest_of(file) == sha256) return file;
  }
  return Error(ErrorCode::unavailable,
               "no folder that is served has the \"" + name + "\" the scores were made from; serve it, too");
}

RunMaterial Library::material_of(const Json& plan) const {
  return {.plan = &plan,
          .candidates = predictions(),
          .find_file = [this](const std::string& name, const std::string& sha256) {
            return find_handed_in(name, sha256);
          }};
}

// Tables that scores were made from look like a dataset of such tables.
void Library::take_predictions_off(FoundPaths& found) const {
  const auto is_table = [](const FoundPaths::Dataset& one) { return one.adapter->open_tables != nullptr; };
  if (std::ranges::none_of(found.datasets, is_table)) return;
  std::vector<std::pair<std::string, std::string>> handed_in;  // name and hash
  for (const Path& folder : found.scores) {
    const Result<std::string> text = read_text_file(folder / "plan.json");
    const Result<Json> plan = text.ok() ? parse_json(*text) : text.error();
    const Json::Array* files = plan.ok() ? find_array(*plan, "prediction_files") : nullptr;
    if (files == nullptr) continue;
    for (const Json& file : *files) handed_in.emplace_back(text_at(file, "file"), text_at(file, "sha256"));
  }
  std::erase_if(found.datasets, [&](const FoundPaths::Dataset& one) {
    const bool is_one = is_table(one) && std::ranges::any_of(handed_in, [&](const auto& file) {
                          const Path path = one.folder / file.first;
                          return is_file(path) && digest_of(path) == file.second;
                        });
    if (is_one) found.predictions.push_back(one.folder);
    return is_one;
  });
}

const ServedDataset* Library::dataset_of(const ServedRun& run) const {
  const auto content = run.head();
  if (!content.ok()) return nullptr;
  const Json& plan = (*content)->plan;
  const Json::Array* files = find_array(plan, "dataset_files");
  const Json* file = files != nullptr && !files->empty() ? &files->front() : plan.find("dataset");
  if (file == nullptr) return nullptr;
  const std::string name = text_at(*file, "file");
  for (const ServedDataset* dataset : datasets()) {
    if (dataset->adapter().id != text_at(plan, "benchmark") || !is_file(dataset->folder() / name)) continue;
    if (digest_of(dataset->folder() / name) == text_at(*file, "sha256")) return dataset;
  }
  return nullptr;
}

std::vector<const ServedRun*> Library::runs_of(const ServedDataset& dataset) const {
  std::vector<const ServedRun*> out;
  for (const ServedRun* run : runs()) {
    if (dataset_of(*run) == &dataset) out.push_back(run);
  }
  return out;
}

std::optional<Path> Library::find_volume(const ServedDataset& dataset, const CasePlace& place) const {
  std::vector<Path> folders = options_.volumes;
  folders.push_back(dataset.folder() / "volumes");
  folders.push_back(dataset.folder());
  for (Path& other : folders_of_others(dataset, "volumes")) folders.push_back(std::move(other));
  for (const Path& folder : folders) {
    if (auto found = place.source->find_volume(place.at, folder)) return found;
  }
  return std::nullopt;
}

// Benchmarks share scans: where a dataset has no such folder of its own, others have what it lacks.
std::vector<Path> Library::folders_of_others(const ServedDataset& dataset, const char* name) const {
  std::vector<Path> out;
  std::error_code error;
  if (std::filesystem::exists(dataset.folder() / name, error)) return out;
  for (const ServedDataset* other : datasets()) {
    if (other != &dataset) out.push_back(other->folder() / name);
  }
  return out;
}

std::vector<Path> Library::organ_folders(const ServedDataset& dataset) const {
  std::vector<Path> out = options_.organs;
  out.push_back(dataset.folder() / "organs");
  out.push_back(dataset.folder());
  for (Path& other : folders_of_others(dataset, "organs")) out.push_back(std::move(other));
  std::erase_if(out, [](const Path& path) { return !is_there(path); });
  return out;
}

Outcome Library::check_organs(const ServedDataset& dataset, const CasePlace& place) const {
  const std::string stem = volume_stem(place.entry().name);
  for (const Path& folder : organ_folders(dataset)) {
    const std::vector<Path> files = label_map_files(folder, stem);
    const bool has_own = is_there(folder / ("seg_" + stem)) || is_there(folder / stem) ||
                         (folder != dataset.folder() &&
                          std::ranges::any_of(files, [](const Path& file) { return is_file(file); }));
    if (has_own || !is_folder(folder)) return done();
    const Result<MaskLibrary> library = MaskLibrary::open(folder);
    if (library.ok() && library->has_masks()) return done();
  }
  return no_organs();
}

// Of the places that most organs of a case lie in; a deeper folder that changes is seen after a restart.
std::string Library::organ_state(const ServedDataset& dataset, const CasePlace& place) const {
  const std::string stem = volume_stem(place.entry().name);
  std::string out;
  for (const Path& folder : organ_folders(dataset)) {
    out += file_key(folder) + keys_below(folder / ("seg_" + stem)) + keys_below(folder / stem);
    for (const Path& file : label_map_files(folder, stem)) {
      if (is_file(file)) out += file_key(file);
    }
  }
  return out;
}

Result<MaskSet> Library::organ_masks(const ServedDataset& dataset, const CasePlace& place) const {
  std::optional<Grid> grid;
  if (const auto volume = find_volume(dataset, place)) {
    if (const auto header = read_volume_header(*volume); header.ok()) grid = header->grid();
  }
  for (const Path& folder : organ_folders(dataset)) {
    FIDUCIAL_TRY(MaskLibrary library, MaskLibrary::open(folder));
    FIDUCIAL_TRY(const CaseMasks masks, library.read_case(place.entry().name, grid));
    if (masks.empty()) continue;
    return organ_set(masks);
  }
  return no_organs();
}

Result<std::shared_ptr<const MaskSet>> Library::masks(const ServedDataset& dataset, const CasePlace& place,
                                                      const std::string& set) {
  const ServedRun* run = set.starts_with("run:") ? find_run(set.substr(4)) : nullptr;
  const std::string state = set == "organs"      ? organ_state(dataset, place)
                            : set == "reference" ? file_key(place.source->reference_file(place.at))
                            : run != nullptr     ? run->state()
                                                 : "";
  const std::string key = dataset.id() + "\n" + place.entry().id + "\n" + set + "\n" + state;
  if (auto kept = masks_.find(key)) return kept;
  const auto keep = [&](Result<MaskSet> made) -> Result<std::shared_ptr<const MaskSet>> {
    if (!made.ok()) return made.error();
    auto out = std::make_shared<const MaskSet>(*std::move(made));
    masks_.keep(key, out);
    return std::shared_ptr<const MaskSet>(out);
  };
  if (set == "reference") return keep(place.source->reference_masks(place.at));
  if (set == "organs") return keep(organ_masks(dataset, place));
  if (!set.starts_with("run:"))
    return bad_usage("set \"" + set + "\"; expected reference, organs or run:RUN");
  if (run == nullptr) return bad_usage("no run \"" + set.substr(4) + "\"");
  FIDUCIAL_TRY(const auto content, run->head());
  if (dataset_of(*run) != &dataset)
    return Error(ErrorCode::integrity, "run \"" + run->id() + "\" scored another dataset");
  return keep(place.source->predicted_masks(place.at, material_of(content->plan)));
}

}  // namespace fiducial
